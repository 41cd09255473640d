/** Selects the data stream of an event: `type-dataset-namespace`. */
import type { Event } from '../event/event.ts'
import { Fields, isFields } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export interface DataStreamSettings {
  readonly type: string
  readonly dataset: string
  readonly namespace: string
  /** Whether the event's own `[data_stream]` fields override the configuration. */
  readonly autoRouting: boolean
  /** Whether the document records the data stream it is written to. */
  readonly syncFields: boolean
}

const PARTS = ['type', 'dataset', 'namespace'] as const
const BYTES_MAX = 100
const FORBIDDEN = /[\\/*?"<>| ,#:]/

export class DataStreamNames {
  readonly #settings: DataStreamSettings

  constructor(settings: DataStreamSettings) {
    this.#settings = settings
    for (const name of ['dataset', 'namespace'] as const) {
      const value = settings[name]
      if (value === '' || Buffer.byteLength(value) > BYTES_MAX || FORBIDDEN.test(value)) {
        throw new PluginOptionError(
          `data_stream_${name} must be 1 to 100 bytes without \\ / * ? " < > | , # : or blanks: "${value}"`,
        )
      }
    }
  }

  nameFor(event: Event): string {
    const own = event.fields['data_stream']
    const given = this.#settings.autoRouting && isFields(own) ? own : undefined
    return PARTS.map((name) => textForm(given?.[name] ?? this.#settings[name])).join('-')
  }

  /** The document: the event with the parts of its data stream's name. Other outputs see the unchanged event. */
  synced(event: Event): Fields {
    const { autoRouting, syncFields } = this.#settings
    if (!syncFields) return event.fields
    const own = event.fields['data_stream']
    const stream: Fields = Object.assign(new Fields(), isFields(own) ? own : undefined)
    for (const name of PARTS) stream[name] = (autoRouting ? stream[name] : undefined) ?? this.#settings[name]
    return Object.assign(new Fields(), event.fields, { data_stream: stream })
  }
}
