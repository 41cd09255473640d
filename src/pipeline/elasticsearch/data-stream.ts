/** Data streams: which one an event goes to, `type-dataset-namespace`. */
import type { Event } from '../event/event.ts'
import { Fields, isFields } from '../event/fields.ts'
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
    const { autoRouting, syncFields } = this.#settings
    const own = event.fields['data_stream']
    const given = isFields(own) ? own : undefined
    const part = (name: 'type' | 'dataset' | 'namespace') => {
      const value = autoRouting ? given?.[name] : undefined
      return typeof value === 'string' ? value : this.#settings[name]
    }
    const [type, dataset, namespace] = [part('type'), part('dataset'), part('namespace')]
    // A field of another kind under that name is the user's: it is left as it is.
    if (syncFields && (own === undefined || given !== undefined)) {
      const fields = given ?? new Fields()
      fields['type'] = type
      fields['dataset'] = dataset
      fields['namespace'] = namespace
      event.fields['data_stream'] = fields
    }
    return `${type}-${dataset}-${namespace}`
  }
}
