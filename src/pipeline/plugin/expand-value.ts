/** Expands templates inside arrays and hashes of a configuration. */
import type { Event } from '../event/event.ts'
import type { ConfigValue } from './options.ts'

export function expandValue(value: ConfigValue, event: Event): unknown {
  if (typeof value === 'string') return event.expand(value)
  if (Array.isArray(value)) return value.map((item) => expandValue(item, event))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [event.expand(name), expandValue(item, event)]))
}
