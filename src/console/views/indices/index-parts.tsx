/** Settings, aliases and segments of one index. */
import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { count, counted, size } from '../../api/format.ts'
import { isObject, type Json, textOf, writeJson } from '../../api/lossless-json.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useLoad } from '../../components/load.ts'
import { toast } from '../../components/toasts.tsx'
import { flat } from '../../documents/flat.ts'

interface PartProps {
  readonly path: string
  readonly onDone: () => void
}

/** Settings that the service sets itself. */
const OWN = /^(uuid|creation_date|provided_name|version\.|routing\.allocation|number_of_shards|sort\.)/

export function SettingsTable({ settings, path, onDone }: PartProps & { readonly settings: Record<string, Json> }) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const rows = Object.entries(flat(settings)).sort(
    ([a], [b]) => Number(OWN.test(a)) - Number(OWN.test(b)) || (a < b ? -1 : 1),
  )
  const save = async () => {
    try {
      await call('PUT', `${path}/_settings`, { index: { [name]: value === '' ? null : value } })
      toast(`index.${name} changed`)
      setFailure(undefined)
      setName('')
      setValue('')
      onDone()
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <div class="scroll">
      <form
        class="toolbar listbar"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <span class="field w-240">
          <span class="hint">index.</span>
          <input
            class="grow mono"
            aria-label="Setting"
            placeholder="refresh_interval"
            value={name}
            onInput={(event) => setName(event.currentTarget.value.trim().replace(/^index\./, ''))}
          />
        </span>
        <span class="field w-200">
          <input
            class="grow mono"
            aria-label="Value"
            placeholder="empty for the default"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value.trim())}
          />
        </span>
        <button type="submit" class="button" disabled={name === ''}>
          Change
        </button>
      </form>
      {failure !== undefined && (
        <div class="pad">
          <ErrorPanel error={failure} />
        </div>
      )}
      <table class="table">
        <thead>
          <tr>
            <th class="first">Setting</th>
            <th>Value</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([own, of]) => (
            <tr key={own}>
              <td class="first mono-s">index.{own}</td>
              <td class="mono-s">{textOf(of)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function AliasTable({ aliases, path, onDone }: PartProps & { readonly aliases: Record<string, Json> }) {
  const [name, setName] = useState('')
  const act = async (method: string, alias: string) => {
    try {
      await call(method, `${path}/_alias/${encodeURIComponent(alias)}`)
      toast(method === 'PUT' ? `Alias ${alias} added` : `Alias ${alias} removed`)
      setName('')
      onDone()
    } catch (error) {
      toast((error as Error).message)
    }
  }
  const rows = Object.entries(aliases)
  return (
    <div class="scroll">
      <form
        class="toolbar listbar"
        onSubmit={(event) => {
          event.preventDefault()
          void act('PUT', name)
        }}
      >
        <span class="field w-240">
          <input
            class="grow mono"
            aria-label="New alias"
            placeholder="name of an alias"
            value={name}
            onInput={(event) => setName(event.currentTarget.value.trim())}
          />
        </span>
        <button type="submit" class="button" disabled={name === ''}>
          Add alias
        </button>
      </form>
      {rows.length === 0 && <p class="pad quiet">This index has no alias.</p>}
      <ul class="plainlist">
        {rows.map(([alias, of]) => (
          <li key={alias}>
            <b class="strong">{alias}</b>
            <code class="clip grow hint">{isObject(of) && Object.keys(of).length > 0 ? writeJson(of) : ''}</code>
            <button
              type="button"
              class="button small"
              aria-label={`Remove the alias ${alias}`}
              onClick={() => act('DELETE', alias)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface Segment {
  readonly num_docs: number
  readonly deleted_docs: number
  readonly size_in_bytes: number
  readonly committed: boolean
}

export function Segments({ path }: { readonly path: string }) {
  const { value, failure } = useLoad(
    async (abort) => {
      const answer = await call<{
        indices: Record<string, { shards: Record<string, { segments: Record<string, Segment> }[]> }>
      }>('GET', `${path}/_segments`, undefined, abort)
      return Object.values(answer.indices).flatMap(({ shards }) =>
        Object.entries(shards).flatMap(([shard, copies]) =>
          Object.entries(copies[0]?.segments ?? {}).map(([name, segment]) => ({ shard, name, ...segment })),
        ),
      )
    },
    path,
    5000,
  )
  if (failure !== undefined) {
    return (
      <div class="pad">
        <ErrorPanel error={failure} />
      </div>
    )
  }
  const total = value?.reduce((sum, { size_in_bytes }) => sum + size_in_bytes, 0) ?? 0
  return (
    <div class="scroll">
      <div class="pad stack">
        <span class="quiet">{value !== undefined && `${counted(value.length, 'segment')}, ${size(total)}`}</span>
        <div class="stackbar" aria-hidden="true">
          {value?.map(({ name, shard, size_in_bytes }, i) => (
            <i
              key={`${shard} ${name}`}
              class={`fill s${(i % 5) + 1}`}
              style={{ width: `${(size_in_bytes / Math.max(1, total)) * 100}%` }}
            />
          ))}
        </div>
      </div>
      <table class="table">
        <thead>
          <tr>
            <th class="first">Segment</th>
            <th class="num">Shard</th>
            <th class="num">Documents</th>
            <th class="num">Deleted</th>
            <th class="num">Size</th>
            <th>Committed</th>
          </tr>
        </thead>
        <tbody>
          {value?.map(({ shard, name, num_docs, deleted_docs, size_in_bytes, committed }) => (
            <tr key={`${shard} ${name}`}>
              <td class="first mono-s">{name}</td>
              <td class="num">{shard}</td>
              <td class="num">{count(num_docs)}</td>
              <td class="num">{count(deleted_docs)}</td>
              <td class="num">{size(size_in_bytes)}</td>
              <td>{committed ? 'yes' : 'not yet'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
