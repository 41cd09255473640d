/** Prints an instant along the nodes of a format. */
import { dateTime, illegalArgument } from '../../../base/api-error.ts'
import { MS_PER_DAY, type WeekRules } from '../civil-date.ts'
import { sameTimeInRange, type TimeZone } from '../zone/time-zone.ts'
import * as f from './date-fields.ts'
import { fieldNames } from './date-names.ts'
import { dateField } from './derived-fields.ts'
import type { FormatNode, OffsetNode, TextStyle, ValueNode } from './format-node.ts'

const NANOS_PER_MS = 1e6

/** An instant in a zone, decomposed on demand. */
export class PrintedInstant {
  readonly utcMs: number
  readonly nanosOfMs: number
  readonly zone: TimeZone
  readonly offsetMs: number
  readonly weeks: WeekRules
  readonly locale: string
  readonly #epochDay: number
  readonly #msOfDay: number

  constructor(utcMs: number, nanosOfMs: number, zone: TimeZone, weeks: WeekRules, locale: string) {
    this.utcMs = utcMs
    this.nanosOfMs = nanosOfMs
    this.zone = zone
    this.weeks = weeks
    this.locale = locale
    this.offsetMs = zone.offsetAt(utcMs)
    const localMs = utcMs + this.offsetMs
    this.#epochDay = Math.floor(localMs / MS_PER_DAY)
    this.#msOfDay = localMs - this.#epochDay * MS_PER_DAY
  }

  field(field: number): number {
    const ms = this.#msOfDay
    const hour = Math.floor(ms / 3_600_000)
    switch (field) {
      case f.HOUR:
        return hour
      case f.CLOCK_HOUR:
        return hour === 0 ? 24 : hour
      case f.AM_PM:
        return hour < 12 ? 0 : 1
      case f.HOUR_OF_AM_PM:
        return hour % 12
      case f.CLOCK_HOUR_OF_AM_PM:
        return hour % 12 === 0 ? 12 : hour % 12
      case f.MINUTE:
        return Math.floor(ms / 60_000) % 60
      case f.SECOND:
        return Math.floor(ms / 1000) % 60
      case f.NANO:
        return (ms % 1000) * NANOS_PER_MS + this.nanosOfMs
      case f.MILLI_OF_DAY:
        return ms
      case f.NANO_OF_DAY:
        return ms * NANOS_PER_MS + this.nanosOfMs
      case f.OFFSET_SECONDS:
        return this.offsetMs / 1000
      default:
        return field >= f.EPOCH_SECONDS && field <= f.EPOCH_NEGATIVE
          ? this.#epochField(field)
          : dateField(field, this.#epochDay, this.weeks)
    }
  }

  /** Epoch fields count away from 1970 in both directions; the sign is printed separately. */
  #epochField(field: number): number {
    const negative = this.utcMs < 0
    // The parts are those of the absolute value: -0.25 ms is minus zero and 250,000.
    const borrowed = negative && this.nanosOfMs > 0
    const ms = negative ? -(this.utcMs + (borrowed ? 1 : 0)) : this.utcMs
    const nanos = borrowed ? NANOS_PER_MS - this.nanosOfMs : this.nanosOfMs
    switch (field) {
      case f.EPOCH_NEGATIVE:
        return negative ? 1 : 0
      case f.EPOCH_MILLIS:
        return ms
      case f.NANOS_OF_EPOCH_MILLI:
        return nanos
      case f.EPOCH_SECONDS:
        return Math.floor(ms / 1000)
      default:
        return (ms % 1000) * NANOS_PER_MS + nanos
    }
  }
}

export function printNodes(nodes: readonly FormatNode[], instant: PrintedInstant): string {
  let text = ''
  for (const node of nodes) text += printNode(node, instant)
  return text
}

function printNode(node: FormatNode, instant: PrintedInstant): string {
  switch (node.kind) {
    case 'value':
      return printValue(node, instant.field(node.field))
    case 'literal':
      return node.text
    case 'fraction':
      return printFraction(node, instant.field(node.field))
    case 'optional':
    case 'group':
      return printNodes(node.nodes, instant)
    case 'offset':
      return printOffset(node, instant.offsetMs / 1000)
    case 'zone-id':
    case 'zone-or-offset':
      return instant.zone.id
    case 'zone-name':
      return printZoneName(node.style, instant)
    case 'localized-offset':
      return printLocalizedOffset(node.style, instant.offsetMs / 1000)
    case 'text':
      return printText(node, instant)
    case 'epoch-sign':
      return instant.field(f.EPOCH_NEGATIVE) === 1 ? '-' : ''
    case 'pad': {
      const text = printNode(node.node, instant)
      if (text.length > node.width) {
        throw dateTime(`Cannot print as output of ${text.length} characters exceeds pad width of ${node.width}`)
      }
      return text.padStart(node.width, ' ')
    }
    case 'ignore-case':
      return ''
  }
}

function printValue(node: ValueNode, fieldValue: number): string {
  if (node.base !== undefined) return String(Math.abs(fieldValue) % 10 ** node.min).padStart(node.min, '0')
  const digits = String(Math.abs(fieldValue))
  if (digits.length > node.max) {
    throw dateTime(
      `Field ${f.fieldName(node.field)} cannot be printed as the value ${fieldValue} exceeds the maximum print width of ${node.max}`,
    )
  }
  const padded = digits.padStart(node.min, '0')
  if (fieldValue >= 0)
    return node.sign === 'exceeds-pad' && node.min < 19 && digits.length > node.min ? `+${padded}` : padded
  if (node.sign === 'not-negative') {
    throw dateTime(
      `Field ${f.fieldName(node.field)} cannot be printed as the value ${fieldValue} cannot be negative according to the SignStyle`,
    )
  }
  return node.sign === 'never' ? padded : `-${padded}`
}

function printFraction(node: { field: number; min: number; max: number; point: boolean }, fieldValue: number): string {
  const all = String(fieldValue).padStart(f.fractionDigits(node.field), '0')
  let end = Math.min(node.max, all.length)
  while (end > node.min && all[end - 1] === '0') end--
  if (end === 0) return ''
  return (node.point ? '.' : '') + all.slice(0, end)
}

function printText(
  node: { field: number; style: TextStyle; standalone: boolean; number: ValueNode },
  instant: PrintedInstant,
): string {
  const { names, first } = fieldNames(node.field, node.style, node.standalone, instant.locale)
  const fieldValue = instant.field(node.field)
  return names[fieldValue - first] ?? printValue(node.number, fieldValue)
}

function printOffset(node: OffsetNode, offsetSeconds: number): string {
  const total = Math.abs(offsetSeconds)
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor(total / 60) % 60
  const seconds = total % 60
  if (total === 0) return node.zero
  const separator = node.colon ? ':' : ''
  let text = (offsetSeconds < 0 ? '-' : '+') + two(hours)
  let shown = hours
  const showSeconds = node.seconds === 'required' || (node.seconds === 'optional' && seconds > 0)
  if (node.minutes === 'required' || (node.minutes === 'optional' && minutes > 0) || showSeconds) {
    text += separator + two(minutes)
    shown += minutes
    if (showSeconds) {
      text += separator + two(seconds)
      shown += seconds
    }
  }
  // Offsets smaller than the form can show are zero in it.
  return shown === 0 ? node.zero : text
}

function printLocalizedOffset(style: TextStyle, offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'GMT'
  const total = Math.abs(offsetSeconds)
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor(total / 60) % 60
  const seconds = total % 60
  let text = `GMT${offsetSeconds < 0 ? '-' : '+'}`
  if (style === 'full') return `${text}${two(hours)}:${two(minutes)}${seconds === 0 ? '' : `:${two(seconds)}`}`
  text += hours
  if (minutes === 0 && seconds === 0) return text
  return `${text}:${two(minutes)}${seconds === 0 ? '' : `:${two(seconds)}`}`
}

function printZoneName(style: TextStyle, instant: PrintedInstant): string {
  const { zone } = instant
  if (zone.fixedOffsetMs !== undefined) return zone.id
  const timeZoneName = style === 'full' ? 'long' : 'short'
  const format = new Intl.DateTimeFormat(instant.locale === '' ? 'en-US' : instant.locale, {
    timeZone: zone.id,
    timeZoneName,
  })
  const name = format.formatToParts(sameTimeInRange(instant.utcMs)).find((part) => part.type === 'timeZoneName')?.value
  if (name === undefined) throw illegalArgument(`no name for time zone [${zone.id}]`)
  return name
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
