/** A new API key, and its secret, which is shown once. */
import { useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/client.ts'
import { shortDate } from '../../api/format.ts'
import type { Json } from '../../api/lossless-json.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { TextField } from '../../components/text-field.tsx'
import { copyText } from '../../components/toasts.tsx'
import { TokenField } from '../../components/token-field.tsx'
import { IndexEntries, usePrivileges } from './role-dialog.tsx'
import { EMPTY_ENTRY, EMPTY_ROLE, roleBody } from './role-form.ts'

export interface CreatedKey {
  readonly id: string
  readonly name: string
  readonly encoded: string
  readonly expiration?: number
}

const EXPIRIES = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', '1 year'],
  ['', 'never'],
] as const

interface KeyDialogProps {
  readonly onDone: (created: CreatedKey) => void
  readonly onClose: () => void
}

export function KeyDialog({ onDone, onClose }: KeyDialogProps) {
  const [name, setName] = useState('')
  const [expiry, setExpiry] = useState('90d')
  const [isLimited, setLimited] = useState(true)
  const [form, setForm] = useState({ ...EMPTY_ROLE, entries: [EMPTY_ENTRY] as typeof EMPTY_ROLE.entries })
  const { value: known } = usePrivileges()
  const grantsNothing =
    form.cluster.length === 0 && form.entries.every(({ names, privileges }) => names.length * privileges.length === 0)
  const request = (): ApiRequest => ({
    method: 'POST',
    path: '/_security/api_key',
    body: {
      name,
      ...(expiry === '' ? {} : { expiration: expiry }),
      ...(isLimited ? { role_descriptors: { [name]: roleBody(form) } } : {}),
    },
  })
  return (
    <FormDialog
      title="Create an API key"
      action="Create key"
      request={request}
      isReady={name !== '' && !(isLimited && grantsNothing)}
      onDone={(answer: Json) => onDone(answer as unknown as CreatedKey)}
      onClose={onClose}
      wide
    >
      <div class="pair">
        <TextField label="Name" value={name} onChange={setName} placeholder="the program that uses it" isMono />
        <label class="stack">
          <span class="label">Expires after</span>
          <span class="field choice">
            <select class="grow" value={expiry} onChange={(event) => setExpiry(event.currentTarget.value)}>
              {EXPIRIES.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <Icon name="down" />
          </span>
        </label>
      </div>
      <fieldset class="segments" aria-label="What the key may do">
        <button type="button" aria-pressed={isLimited} onClick={() => setLimited(true)}>
          Only what is listed here
        </button>
        <button type="button" aria-pressed={!isLimited} onClick={() => setLimited(false)}>
          All that I may do
        </button>
      </fieldset>
      {isLimited && (
        <>
          <TokenField
            label="Cluster privileges"
            values={form.cluster}
            known={known?.cluster}
            placeholder="monitor, …"
            onChange={(cluster) => setForm({ ...form, cluster })}
          />
          <IndexEntries
            entries={form.entries}
            privileges={known?.index}
            onChange={(entries) => setForm({ ...form, entries })}
          />
        </>
      )}
    </FormDialog>
  )
}

export function SecretDialog({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  const { name, encoded, expiration } = created
  const command = `curl -H 'Authorization: ApiKey ${encoded}' '${location.origin}/_security/_authenticate?pretty'`
  return (
    <Dialog title={`The key ${name}`} wide onClose={onClose}>
      <div class="banner warn">
        <Icon name="warn" />
        <span class="grow">
          The secret is shown now and never again: the service keeps only a hash of it.
          {expiration !== undefined && ` The key expires on ${shortDate(expiration)}.`}
        </span>
      </div>
      <div class="secret">
        <span class="label">Encoded key, for the header Authorization: ApiKey</span>
        <pre class="copytext">{encoded}</pre>
        <span class="label">A first request with it</span>
        <pre class="copytext">{command}</pre>
      </div>
      <div class="row">
        <span class="push" />
        <button type="button" class="button" onClick={() => copyText(command, 'Command')}>
          Copy command
        </button>
        <button type="button" class="button primary" onClick={() => copyText(encoded, 'Key')}>
          <Icon name="copy" />
          Copy key
        </button>
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
