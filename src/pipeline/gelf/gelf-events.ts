/** Turns GELF messages into events, with the names that Logstash gives their fields. */
import { Double } from '../../base/json/json-writer.ts'
import { Event } from '../event/event.ts'
import { type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { rubyText } from '../event/ruby-text.ts'
import { isTime, Timestamp } from '../event/timestamp.ts'

export interface GelfNames {
  /** Whether `full_message`, or `short_message`, becomes the message. */
  readonly remap: boolean
  /** Whether the underscore of additional fields goes. */
  readonly stripUnderscore: boolean
}

export function gelfEvent(text: string, { remap, stripUnderscore }: GelfNames, now: Timestamp): Event {
  const event = parse(text, now)
  const time = timeOf(event.get('timestamp'))
  if (time !== undefined) {
    event.set('@timestamp', time)
    event.remove('timestamp')
  }
  if (remap) remapMessage(event)
  if (stripUnderscore) stripUnderscores(event)
  return event
}

function parse(text: string, now: Timestamp): Event {
  try {
    const value = parseJson(text)
    if (isFields(value)) return Event.ofFields(value, now)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  // The text as Ruby quotes it.
  const event = Event.ofMessage(rubyText([text]).slice(1, -1), now)
  event.tag('_jsonparsefailure')
  return event
}

function remapMessage(event: Event): void {
  const full = event.get('full_message')
  const short = event.get('short_message')
  if (typeof full === 'string' && full !== '') {
    event.set('message', full)
    event.remove('full_message')
    if (short === full) event.remove('short_message')
  } else if (typeof short === 'string' && short !== '') {
    event.set('message', short)
    event.remove('short_message')
  }
}

function stripUnderscores(event: Event): void {
  for (const name of namesOf(event.fields)) {
    if (!name.startsWith('_')) continue
    const value = event.fields[name]!
    try {
      const target = name.slice(1)
      event.set(target, target === '@timestamp' ? (timeOf(value) ?? value) : value)
      event.fields[name] = undefined
    } catch {
      event.tag('_gelf_move_field_failure')
    }
  }
}

/** Seconds since 1970 with a fraction, of which nine digits are kept; undefined if the value is no number. */
function timeOf(value: FieldValue | undefined): Timestamp | undefined {
  const seconds = value instanceof Double ? value.value : value
  if (typeof seconds !== 'number' || !isTime(seconds * 1000)) return undefined
  const [whole = '0', fraction = ''] = decimalOf(seconds)
  const nanos = Number(fraction.padEnd(9, '0').slice(0, 9))
  return new Timestamp(Number(whole) * 1000 + Math.floor(nanos / 1e6), nanos % 1e6)
}

/** The digits as written. Times before 1970, and those that are no time of a message, are rounded down to seconds. */
function decimalOf(seconds: number): string[] {
  const digits = String(seconds)
  return seconds < 0 || digits.includes('e') ? [String(Math.floor(seconds))] : digits.split('.')
}
