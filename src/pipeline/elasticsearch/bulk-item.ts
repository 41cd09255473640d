/** Encodes one event as the lines of a bulk request. */
import type { Event } from '../event/event.ts'
import { Fields, isFields } from '../event/fields.ts'
import { jsonText, objectText, parseJson } from '../event/json-text.ts'
import { textForm } from '../event/text-form.ts'
import type { DataStreamNames } from './data-stream.ts'

export interface ItemSettings {
  /** Undefined unless configured. Then the event may name the index, and there is a default. */
  readonly index: string | undefined
  readonly defaultIndex: string
  /** When false, a name with an unresolved reference is sent as it is. */
  readonly refusesReferences: boolean
  readonly action: string
  readonly documentId: string | undefined
  readonly routing: string | undefined
  readonly pipeline: string | undefined
  readonly version: string | undefined
  readonly versionType: string | undefined
  readonly parent: string | undefined
  readonly joinField: string | undefined
  readonly retryOnConflict: number
  readonly upsert: string
  readonly docAsUpsert: boolean
  readonly script: string
  readonly scriptType: string
  readonly scriptLang: string
  readonly scriptVariable: string
  readonly scriptedUpsert: boolean
  readonly dataStream: DataStreamNames | undefined
}

export interface BulkItem {
  readonly event: Event
  /** The action line and, except for deletes, the document line, each with its line end. */
  readonly text: string
}

/** An event that can never become a document. */
export class UnusableEventError extends Error {}

const ACTIONS: ReadonlySet<string> = new Set(['index', 'create', 'update', 'delete'])

export class ItemWriter {
  readonly #settings: ItemSettings

  constructor(settings: ItemSettings) {
    this.#settings = settings
  }

  /** Throws `UnusableEventError` for an invalid index or action. */
  write(event: Event): BulkItem {
    const action = event.expand(this.#settings.action)
    if (!ACTIONS.has(action)) throw new UnusableEventError(`Elasticsearch doesn't support [${action}] action`)
    const head = `{${jsonText(action)}:${this.#head(event, action)}}\n`
    if (action === 'delete') return { event, text: head }
    const document = objectText(this.#settings.dataStream?.synced(event) ?? event.fields)
    return { event, text: `${head}${action === 'update' ? this.#update(event, document) : document}\n` }
  }

  #head(event: Event, action: string): string {
    const settings = this.#settings
    const ingest = event.metadataOrNone?.['_ingest_document']
    const given = isFields(ingest) ? ingest : undefined
    const index = this.#index(event, given)
    if (settings.refusesReferences && /%\{.*?\}/.test(index)) {
      throw new UnusableEventError(`Badly formatted index, after interpolation still contains placeholder: [${index}]`)
    }
    const parent = this.#join(event)
    let text = `{"_index":${jsonText(index)}`
    text += member('_id', pick(event, settings.documentId, given?.['id']))
    text += member('routing', parent ?? pick(event, settings.routing, given?.['routing']))
    text += member('pipeline', pick(event, settings.pipeline, given?.['pipeline']) || undefined)
    text += member('version', pick(event, settings.version, given?.['version']))
    text += member('version_type', pick(event, settings.versionType, given?.['version_type']))
    if (action === 'update') text += `,"retry_on_conflict":${settings.retryOnConflict}`
    return `${text}}`
  }

  #index(event: Event, given: Fields | undefined): string {
    const { index, defaultIndex, dataStream } = this.#settings
    if (index !== undefined) return event.expand(index)
    const inEvent = given?.['index'] ?? null
    if (inEvent !== null) return textForm(inEvent)
    return dataStream?.nameFor(event) ?? event.expand(defaultIndex)
  }

  /** The children of a join field are routed to their parent's shard. */
  #join(event: Event): string | undefined {
    const { parent, joinField } = this.#settings
    if (parent === undefined) return undefined
    const id = event.expand(parent)
    if (joinField !== undefined) {
      const name = event.get(joinField)
      event.set(joinField, Object.assign(new Fields(), { name: name ?? null, parent: id }))
    }
    return id
  }

  #update(event: Event, document: string): string {
    const { script, docAsUpsert, scriptedUpsert, scriptType, scriptLang, scriptVariable } = this.#settings
    if (script === '') {
      const either = docAsUpsert ? ',"doc_as_upsert":true' : this.#upsert(event)
      return `{"doc":${document}${either}}`
    }
    const kind = scriptType === 'inline' ? 'source' : 'id'
    const lang = scriptType === 'inline' && scriptLang !== '' ? `,"lang":${jsonText(scriptLang)}` : ''
    const parameters = `"params":{${jsonText(scriptVariable)}:${document}}`
    const whole = `"script":{${jsonText(kind)}:${jsonText(event.expand(script))}${lang},${parameters}}`
    if (scriptedUpsert) return `{${whole},"upsert":{},"scripted_upsert":true}`
    return `{${whole}${docAsUpsert ? `,"upsert":${document}` : this.#upsert(event)}}`
  }

  /** Parsed before sending: malformed JSON would fail the whole request. */
  #upsert(event: Event): string {
    if (this.#settings.upsert === '') return ''
    const text = event.expand(this.#settings.upsert)
    try {
      return `,"upsert":${jsonText(parseJson(text))}`
    } catch {
      throw new UnusableEventError(`The upsert is no JSON: ${text}`)
    }
  }
}

function pick(event: Event, template: string | undefined, inEvent: Fields[string]): string | undefined {
  if (template !== undefined) return event.expand(template)
  return inEvent === undefined || inEvent === null ? undefined : textForm(inEvent)
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${jsonText(value)}`
}
