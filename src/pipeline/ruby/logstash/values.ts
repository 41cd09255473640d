/** Converts values of an event to Ruby values and back. */
import { Double } from '../../../base/json/json-writer.ts'
import { Fields, type FieldValue } from '../../event/fields.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { RDecimal } from '../library/decimal-value.ts'
import { RTime } from '../library/time-value.ts'
import { nameOf, realClassOf } from '../runtime/classes.ts'
import { toS } from '../runtime/dispatch.ts'
import { raise } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { RFloat, RSymbol, type Value } from '../runtime/model.ts'
import { isBroken, RString, type StringOwner, utf8Bytes } from '../runtime/string.ts'
import { RTimestamp } from './timestamp.ts'

/**
 * A string read from an event belongs to the event: `event.get('s') << 'x'` changes the event. The string therefore
 * keeps its location in the event. When the string changes, the location is updated if it still contains the previous
 * value.
 */
class Place implements StringOwner {
  readonly container: Fields | FieldValue[]
  readonly key: string | number
  readonly string: RString
  readonly #next: StringOwner | undefined

  constructor(
    container: Fields | FieldValue[],
    key: string | number,
    string: RString,
    next: StringOwner | undefined = undefined,
  ) {
    this.container = container
    this.key = key
    this.string = string
    this.#next = next
  }

  changed(string: RString, before: string): void {
    const container = this.container as Record<string | number, FieldValue | undefined>
    if (container[this.key] === before) container[this.key] = eventText(string)
    this.#next?.changed(string, before)
  }
}

/** The text as valid JSON: invalid bytes are replaced. */
export function eventText(string: RString): string {
  const { text, encoding } = string
  if (encoding === 'ASCII-8BIT') return Buffer.from(text, 'latin1').toString('utf8')
  return isBroken(text) ? utf8Bytes(text).toString('utf8') : text
}

/** Up to this many locations are kept in a list. Searching it costs less than filling maps. */
const LISTED_MAX = 12

/**
 * The strings that code has read from an event or written to it, by location. Reading a location again returns the same
 * string.
 */
class KnownStrings {
  readonly #listed: Place[] = []
  #indexed: Map<object, Map<string | number, RString>> | undefined

  find(container: object, key: string | number): RString | undefined {
    if (this.#indexed !== undefined) return this.#indexed.get(container)?.get(key)
    // The last string of a location is the current one.
    for (let i = this.#listed.length - 1; i >= 0; i--) {
      const place = this.#listed[i]!
      if (place.container === container && place.key === key) return place.string
    }
    return undefined
  }

  add(place: Place): void {
    if (this.#indexed !== undefined) this.#index(place)
    else if (this.#listed.length < LISTED_MAX) this.#listed.push(place)
    else {
      this.#indexed = new Map()
      for (const listed of this.#listed) this.#index(listed)
      this.#index(place)
      this.#listed.length = 0
    }
  }

  #index({ container, key, string }: Place): void {
    let places = this.#indexed!.get(container)
    if (places === undefined) this.#indexed!.set(container, (places = new Map()))
    places.set(key, string)
  }

  /** Forgets the strings. Those that the code keeps must not keep the event in memory. */
  clear(): void {
    if (this.#listed.length > 0) {
      for (const { string } of this.#listed) string.owner = undefined
      this.#listed.length = 0
    }
    if (this.#indexed === undefined) return
    for (const places of this.#indexed.values()) for (const string of places.values()) string.owner = undefined
    this.#indexed = undefined
  }
}

const known = new KnownStrings()

/** Forgets the strings of the previous event. */
export function forgetStrings(): void {
  known.clear()
}

/** The string at a location: the one that was returned or set before, if it still has this text. */
export function sharedText(container: Fields | FieldValue[], key: string | number, value: string): RString {
  const before = known.find(container, key)
  if (before !== undefined && before.text === value) return before
  const text = new RString(value)
  const place = new Place(container, key, text)
  text.owner = place
  known.add(place)
  return text
}

/** The value at a location of an event. Containers are copied; strings keep their location. */
export function rubyValueAt(
  container: Fields | FieldValue[],
  key: string | number,
  value: FieldValue | undefined,
): Value {
  if (typeof value === 'string') {
    const before = known.find(container, key)
    if (before !== undefined && before.text === value) return before
    const text = new RString(value)
    text.owner = new Place(container, key, text)
    return text
  }
  return rubyValue(value)
}

export function rubyValue(value: FieldValue | undefined): Value {
  switch (typeof value) {
    case 'string':
      return new RString(value)
    case 'number':
      return Number.isInteger(value) ? value : new RFloat(value)
    case 'bigint':
    case 'boolean':
      return value
    case 'undefined':
      return null
  }
  if (value === null) return null
  if (Array.isArray(value)) return rubyList(value)
  if (value instanceof Double) return new RFloat(value.value)
  if (value instanceof Timestamp) return new RTimestamp(value)
  return rubyHash(value as Fields)
}

function rubyList(list: FieldValue[]): Value[] {
  const out: Value[] = []
  for (let i = 0; i < list.length; i++) out.push(rubyValueAt(list, i, list[i]))
  return out
}

export function rubyHash(fields: Fields): RHash {
  const hash = new RHash()
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) hash.addText(name, rubyValueAt(fields, name, value))
  }
  return hash
}

/** Converts a Ruby value to a value of an event. A string that was set stays connected to its location. */
export function fieldValue(value: Value): FieldValue {
  if (value instanceof RString) return eventText(value)
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
  }
  if (value === null) return null
  if (value instanceof RFloat)
    return Number.isFinite(value.value)
      ? Number.isInteger(value.value)
        ? new Double(value.value)
        : value.value
      : String(value.value)
  if (Array.isArray(value)) {
    const list: FieldValue[] = []
    for (let i = 0; i < value.length; i++) {
      const item = value[i]!
      list.push(fieldValue(item))
      tie(item, list, i)
    }
    return list
  }
  if (value instanceof RHash) return fieldsOf(value)
  if (value instanceof RSymbol) return value.name
  if (value instanceof RTimestamp) return value.stamp
  if (value instanceof RTime) return value.toTimestamp()
  if (value instanceof RDecimal) return value.toFieldValue()
  const name = JAVA_NAMES[nameOf(realClassOf(value))] ?? 'org.jruby.RubyObject'
  throw raise(
    'Java::OrgLogstash::MissingConverterException',
    `Missing Converter handling for full class name=${name}, simple name=${name.split('.').pop()}`,
  )
}

const JAVA_NAMES: Readonly<Record<string, string>> = {
  Set: 'org.jruby.ext.set.RubySet',
  Rational: 'org.jruby.RubyRational',
  Range: 'org.jruby.RubyRange',
  Regexp: 'org.jruby.RubyRegexp',
  MatchData: 'org.jruby.RubyMatchData',
  Proc: 'org.jruby.RubyProc',
}

export function fieldsOf(hash: RHash): Fields {
  const fields = new Fields()
  hash.each(({ key, value }) => {
    const name = toS(key)
    fields[name] = fieldValue(value)
    tie(value, fields, name)
  })
  return fields
}

/** Connects the string to a location: changing the string then changes the event. */
export function tie(value: Value, container: Fields | FieldValue[], key: string | number): void {
  if (!(value instanceof RString) || value.frozen) return
  const place = new Place(container, key, value, value.owner)
  value.owner = place
  known.add(place)
}
