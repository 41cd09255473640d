/** Data streams: which one an event goes to, `type-dataset-namespace`. */
import type { Event } from '../event/event.ts'
import { Fields, isFields } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export interface DataStreamSettings {
  readonly type: string
  readonly dataset: string
  readonly namespace: string
  /** The event's own `[data_stream]` decides where it has a say. */
  readonly autoRouting: boolean
  /** The event says which stream it is in. */
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

  /** What is stored: the event with the parts of its stream's name. Other outputs get the event as it was. */
  synced(event: Event): Fields {
    const { autoRouting, syncFields } = this.#settings
    if (!syncFields) return event.fields
    const own = event.fields['data_stream']
    const stream: Fields = Object.assign(new Fields(), isFields(own) ? own : undefined)
    for (const name of PARTS) stream[name] = (autoRouting ? stream[name] : undefined) ?? this.#settings[name]
    return Object.assign(new Fields(), event.fields, { data_stream: stream })
  }
}
