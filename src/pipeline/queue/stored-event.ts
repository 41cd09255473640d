/**
 * Encodes an event to text and back. JSON keeps everything except the type of timestamps, so their paths are recorded:
 *
 *     {"fields":{…},"metadata":{…},"times":[["a","b"],…]}
 *
 * `metadata` and `times` are omitted when empty. `@timestamp` is not recorded, because it is always a timestamp.
 */
import { Event } from '../event/event.ts'
import { type Fields, type FieldValue, isFields } from '../event/fields.ts'
import { jsonText, objectText, parseJson } from '../event/json-text.ts'
import { parseIsoTimestamp, Timestamp } from '../event/timestamp.ts'

export function encodeEvent(event: Event): string {
  const metadata = event.metadataOrNone
  const times: string[][] = []
  findTimes(event.fields as FieldValue, [], times)
  let text = `{"fields":${objectText(event.fields)}`
  if (metadata !== undefined && !isEmpty(metadata)) text += `,"metadata":${objectText(metadata)}`
  if (times.length > 0) text += `,"times":${jsonText(times)}`
  return `${text}}`
}

/** Throws if the text was not produced by `encodeEvent`. */
export function decodeEvent(text: string): Event {
  const stored = parseJson(text)
  const fields = isFields(stored) ? stored['fields'] : undefined
  if (!isFields(stored) || !isFields(fields)) throw new Error('this is no stored event')
  const hadTimestamp = fields['@timestamp'] !== undefined
  const event = Event.ofFields(fields, new Timestamp(0))
  if (!hadTimestamp) event.remove('@timestamp')
  const { metadata, times } = stored
  if (isFields(metadata)) event.set('@metadata', metadata)
  if (Array.isArray(times)) for (const path of times) restoreTime(fields, path as string[])
  return event
}

function findTimes(value: FieldValue, path: readonly string[], found: string[][]): void {
  if (value === null || typeof value !== 'object') return
  if (value instanceof Timestamp) {
    if (path.length > 1 || path[0] !== '@timestamp') found.push([...path])
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) findTimes(value[i]!, [...path, String(i)], found)
  } else if (isFields(value)) {
    for (const name in value) {
      const child = value[name]
      if (child !== null && typeof child === 'object') findTimes(child, [...path, name], found)
    }
  }
}

function restoreTime(fields: Fields, path: readonly string[]): void {
  let parent = fields as Record<string, unknown>
  for (let i = 0; i < path.length - 1; i++) parent = parent[path[i]!] as Record<string, unknown>
  const name = path[path.length - 1]!
  const time = parseIsoTimestamp(String(parent[name]))
  if (time !== undefined) parent[name] = time
}

function isEmpty(fields: Fields): boolean {
  for (const _ in fields) return false
  return true
}
