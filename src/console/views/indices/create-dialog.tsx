/** A new index: name, shards, replicas, and an optional mapping as JSON. */
import { useState } from 'preact/hooks'
import { call, segment } from '../../api/client.ts'
import { type Json, parseJson } from '../../api/lossless-json.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { toast } from '../../components/toasts.tsx'
import { navigate } from '../../state/router.ts'

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [shards, setShards] = useState(1)
  const [replicas, setReplicas] = useState(0)
  const [mapping, setMapping] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const create = async () => {
    try {
      const mappings: Json = mapping.trim() === '' ? undefined : parseJson(mapping)
      await call('PUT', `/${segment(name)}`, {
        settings: { number_of_shards: shards, number_of_replicas: replicas },
        ...(mappings === undefined ? {} : { mappings }),
      })
      toast(`Index ${name} created`)
      onClose()
      navigate(`/indices/${segment(name)}`)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <Dialog title="Create an index" wide onClose={onClose}>
      {failure !== undefined && <ErrorPanel error={failure} />}
      <label class="stack">
        <span class="label">Name</span>
        <span class="field">
          <input
            class="grow mono"
            spellcheck={false}
            value={name}
            onInput={(event) => setName(event.currentTarget.value.trim())}
          />
        </span>
      </label>
      <div class="row wide">
        <NumberField label="Shards" value={shards} least={1} onChange={setShards} />
        <NumberField label="Replicas" value={replicas} least={0} onChange={setReplicas} />
      </div>
      {replicas > 0 && <p class="hint">One node has no place for replicas; the index will be yellow.</p>}
      <label class="stack">
        <span class="label">Mapping as JSON, if you have one</span>
        <textarea
          class="area"
          rows={7}
          spellcheck={false}
          placeholder={'{ "properties": { "title": { "type": "text" } } }'}
          value={mapping}
          onInput={(event) => setMapping(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <span class="push" />
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="button primary" disabled={name === ''} onClick={create}>
          Create index
        </button>
      </div>
    </Dialog>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly least: number
  readonly onChange: (value: number) => void
}

function NumberField({ label, value, least, onChange }: NumberFieldProps) {
  return (
    <label class="stack">
      <span class="label">{label}</span>
      <span class="field w-104">
        <input
          type="number"
          min={least}
          value={value}
          onInput={(event) => onChange(Math.max(least, Number(event.currentTarget.value) || 0))}
        />
      </span>
    </label>
  )
}
