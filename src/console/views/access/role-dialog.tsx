/** A role: cluster privileges, and for indices the privileges, fields and documents. */
import { useEffect, useState } from 'preact/hooks'
import { type ApiRequest, call, segment } from '../../api/client.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLoad } from '../../components/load.ts'
import { TextField } from '../../components/text-field.tsx'
import { toast } from '../../components/toasts.tsx'
import { TokenField } from '../../components/token-field.tsx'
import { names as indexNames, readNames } from '../../documents/fields.ts'
import { isReserved, type Role } from './accounts.ts'
import { EMPTY_ENTRY, EMPTY_ROLE, type EntryForm, roleBody, roleFormOf } from './role-form.ts'

interface RoleDialogProps {
  /** The role to change; undefined to create one. */
  readonly name: string | undefined
  /** The role with which the fields are filled in at first. */
  readonly role: Role | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

export function RoleDialog({ name: before, role, onDone, onClose }: RoleDialogProps) {
  const [name, setName] = useState(before ?? '')
  const [form, setForm] = useState(() => (role === undefined ? EMPTY_ROLE : roleFormOf(role)))
  const { value: known } = usePrivileges()
  // Members of a built-in role, such as its metadata, are not copied to the new role.
  const kept = role === undefined || !isReserved(role) ? role : undefined
  const request = (): ApiRequest => ({
    method: 'PUT',
    path: `/_security/role/${segment(name)}`,
    body: roleBody(form, kept),
  })
  return (
    <FormDialog
      title={before === undefined ? 'Create a role' : `Change ${before}`}
      action={before === undefined ? 'Create role' : 'Save role'}
      request={request}
      isReady={name !== ''}
      onDone={() => {
        toast(`Role ${name} ${before === undefined ? 'created' : 'saved'}`)
        onDone()
      }}
      onClose={onClose}
      wide
    >
      <TextField label="Name" value={name} onChange={setName} isFixed={before !== undefined} isMono />
      <TokenField
        label="Cluster privileges"
        values={form.cluster}
        known={known?.cluster}
        placeholder="monitor, manage_ingest_pipelines, …"
        onChange={(cluster) => setForm({ ...form, cluster })}
      />
      <IndexEntries
        entries={form.entries}
        privileges={known?.index}
        onChange={(entries) => setForm({ ...form, entries })}
      />
      <TokenField
        label="May act as these users (run_as)"
        values={form.runAs}
        onChange={(runAs) => setForm({ ...form, runAs })}
      />
    </FormDialog>
  )
}

/** The privileges that the service knows. */
export function usePrivileges() {
  return useLoad(
    (abort) =>
      call<{ cluster: readonly string[]; index: readonly string[] }>(
        'GET',
        '/_security/privilege/_builtin',
        undefined,
        abort,
      ),
    'privileges',
  )
}

interface IndexEntriesProps {
  readonly entries: readonly EntryForm[]
  readonly privileges: readonly string[] | undefined
  readonly onChange: (entries: readonly EntryForm[]) => void
}

export function IndexEntries({ entries, privileges, onChange }: IndexEntriesProps) {
  useEffect(() => void readNames().catch(() => {}), [])
  const indices = indexNames.value.map(({ name }) => name)
  return (
    <>
      {entries.map((entry, at) => {
        const change = (changes: Partial<EntryForm>) =>
          onChange(entries.map((other, i) => (i === at ? { ...other, ...changes } : other)))
        return (
          <fieldset class="entry" key={`${at}`}>
            <legend>
              Indices {at + 1}
              <button
                type="button"
                class="button plain small square"
                aria-label={`Remove indices ${at + 1}`}
                onClick={() => onChange(entries.filter((_, i) => i !== at))}
              >
                <Icon name="close" />
              </button>
            </legend>
            <div class="pair">
              <TokenField
                label="Indices, aliases, data streams, patterns"
                values={entry.names}
                known={indices}
                placeholder="logs-*"
                onChange={(names) => change({ names })}
              />
              <TokenField
                label="Privileges"
                values={entry.privileges}
                known={privileges}
                placeholder="read, write, …"
                onChange={(granted) => change({ privileges: granted })}
              />
              <TokenField
                label="Only these fields"
                values={entry.grant}
                placeholder="all"
                onChange={(grant) => change({ grant })}
              />
              <TokenField
                label="Without these fields"
                values={entry.except}
                placeholder="none"
                onChange={(except) => change({ except })}
              />
            </div>
            <label class="stack">
              <span class="label">Only documents that match this query</span>
              <textarea
                class="area"
                rows={2}
                spellcheck={false}
                placeholder={'{ "term": { "team": "sales" } }'}
                value={entry.query}
                onInput={(event) => change({ query: event.currentTarget.value })}
              />
            </label>
          </fieldset>
        )
      })}
      <button type="button" class="step add" onClick={() => onChange([...entries, EMPTY_ENTRY])}>
        <Icon name="add" />
        More indices
      </button>
    </>
  )
}
