/** API keys: list, create with an expiry and limits, show the secret once, invalidate. */
import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { duration, shortDate } from '../../api/format.ts'
import { Confirm } from '../../components/dialog.tsx'
import { useLoad } from '../../components/load.ts'
import { toast } from '../../components/toasts.tsx'
import { query, setQuery } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import type { Key } from './accounts.ts'
import { type CreatedKey, KeyDialog, SecretDialog } from './key-dialogs.tsx'
import { AccessTable, IncludeBox, isFound, ListFrame } from './list-frame.tsx'
import { entryLine } from './role-form.ts'

const PATH = '/_security/api_key'

export default function Keys() {
  useTitle('API keys')
  const { value, failure, reload } = useLoad(
    async (abort) => (await call<{ api_keys: Key[] }>('GET', PATH, undefined, abort)).api_keys,
    'keys',
  )
  const [created, setCreated] = useState<CreatedKey | undefined>()
  const [ending, setEnding] = useState<Key | undefined>()
  const withEnded = query.value.has('ended')
  const nowMs = Date.now()
  const shown = (value ?? [])
    .filter((key) => (withEnded || stateOf(key, nowMs).isActive) && isFound(key.name, key.username, key.id))
    .sort((a, b) => b.creation - a.creation)
  const invalidate = async ({ id, name }: Key) => {
    try {
      await call('DELETE', PATH, { ids: [id] })
      toast(`API key ${name} invalidated`)
      reload()
    } catch (error) {
      toast((error as Error).message)
    }
  }
  return (
    <>
      <ListFrame
        title="API keys"
        noun="key"
        path={PATH}
        action="Create key"
        failure={failure}
        total={value?.length}
        shown={shown.length}
        check={<IncludeBox name="ended" label="Expired and invalidated" />}
        nothing="Give every program a key of its own that may do what it needs and nothing else."
      >
        <AccessTable columns={[['Key'], ['Permissions', 'w-320'], ['State', 'w-200']]} last={['Invalidate', 'w-140']}>
          {shown.map((key) => {
            const state = stateOf(key, nowMs)
            return (
              <tr key={key.id}>
                <td class="first">
                  <span class="two-line">
                    <b class="strong">{key.name}</b>
                    <span class="hint">
                      {key.username} · created {shortDate(key.creation)} · <span class="mono-s">{key.id}</span>
                    </span>
                  </span>
                </td>
                <td>
                  <Grants key={key.id} of={key} />
                </td>
                <td>
                  <span class={`badge ${state.look}`}>{state.text}</span>
                </td>
                <td class="last">
                  {state.isActive && (
                    <button
                      type="button"
                      class="button small danger"
                      aria-label={`Invalidate ${key.name}`}
                      onClick={() => setEnding(key)}
                    >
                      Invalidate…
                    </button>
                  )}
                </td>
              </tr>
            )
          })}
        </AccessTable>
      </ListFrame>
      {query.value.has('create') && (
        <KeyDialog
          onDone={(answer) => {
            setCreated(answer)
            reload()
          }}
          onClose={() => setQuery({ create: undefined })}
        />
      )}
      {created !== undefined && <SecretDialog created={created} onClose={() => setCreated(undefined)} />}
      {ending !== undefined && (
        <Confirm
          title={`Invalidate ${ending.name}`}
          action="Invalidate key"
          name={ending.name}
          onConfirm={() => invalidate(ending)}
          onClose={() => setEnding(undefined)}
        >
          <p>Programs that use the key are refused from their next request on. An invalidated key cannot be revived.</p>
        </Confirm>
      )}
    </>
  )
}

function Grants({ of }: { readonly of: Key }) {
  const roles = Object.values(of.role_descriptors ?? {})
  if (roles.length === 0) return <span class="hint">everything that {of.username} may</span>
  return (
    <span class="badges">
      {roles
        .flatMap(({ cluster }) => cluster)
        .map((privilege) => (
          <span class="badge" key={privilege}>
            {privilege}
          </span>
        ))}
      {roles
        .flatMap(({ indices }) => indices)
        .map((entry) => (
          <span class="quiet" key={JSON.stringify(entry)}>
            {entryLine(entry)}
          </span>
        ))}
    </span>
  )
}

const SOON_MS = 7 * 86_400_000

function stateOf({ invalidated, expiration }: Key, nowMs: number) {
  if (invalidated) return { isActive: false, look: 'danger', text: 'invalidated' }
  if (expiration === undefined) return { isActive: true, look: '', text: 'never expires' }
  const left = expiration - nowMs
  if (left <= 0) return { isActive: false, look: 'warn', text: 'expired' }
  return { isActive: true, look: left < SOON_MS ? 'warn' : 'ok', text: `expires in ${duration(left)}` }
}
