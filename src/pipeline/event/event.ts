/** An event: its fields, its metadata, and whether it was dropped. */
import { type FieldReference, fieldReference } from './field-reference.ts'
import { copyFields, copyValue, Fields, type FieldValue, isFields } from './fields.ts'
import { expandTemplate } from './template.ts'
import { parseIsoTimestamp, Timestamp } from './timestamp.ts'

export class Event {
  readonly fields: Fields
  #metadata: Fields | undefined
  #cancelled = false

  private constructor(fields: Fields) {
    this.fields = fields
  }

  /** An event with one line of text as its message. */
  static ofMessage(message: string, timestamp: Timestamp): Event {
    const fields = new Fields()
    fields['message'] = message
    fields['@version'] = '1'
    fields['@timestamp'] = timestamp
    return new Event(fields)
  }

  /** An event with decoded fields, which the event takes over. Reserved fields are validated. */
  static ofFields(fields: Fields, now: Timestamp): Event {
    const event = new Event(fields)
    const metadata = fields['@metadata']
    if (metadata !== undefined) {
      fields['@metadata'] = undefined
      if (isFields(metadata)) event.#metadata = metadata
    }
    const tags = fields['tags']
    if (tags !== undefined && !isTags(tags)) {
      fields['tags'] = undefined
      fields['_tags'] = Array.isArray(tags) ? tags : [tags]
      event.tag('_tagsparsefailure')
    }
    if (fields['@version'] === undefined) fields['@version'] = '1'
    event.#takeTimestamp(fields['@timestamp'], now)
    return event
  }

  get metadata(): Fields {
    return (this.#metadata ??= new Fields())
  }

  /** The metadata, or undefined if there is none; unlike `metadata` it creates nothing. */
  get metadataOrNone(): Fields | undefined {
    return this.#metadata
  }

  get cancelled(): boolean {
    return this.#cancelled
  }

  cancel(): void {
    this.#cancelled = true
  }

  /** Takes a `cancel` back, as code in Ruby may. */
  uncancel(): void {
    this.#cancelled = false
  }

  get timestamp(): Timestamp | undefined {
    const value = this.fields['@timestamp']
    return value instanceof Timestamp ? value : undefined
  }

  /** The value at a reference; undefined if there is none or the path leads through a scalar. */
  get(reference: string | FieldReference): FieldValue | undefined {
    const { path, inMetadata } = typeof reference === 'string' ? fieldReference(reference) : reference
    if (path.length === 1 && !inMetadata) return this.fields[path[0]!]
    let value: FieldValue | undefined = inMetadata ? this.metadata : this.fields
    for (let i = 0; i < path.length; i++) {
      value = childOf(value, path[i]!)
      if (value === undefined) return undefined
    }
    return value
  }

  has(reference: string | FieldReference): boolean {
    return this.get(reference) !== undefined
  }

  /** Sets a value and creates the objects on its path. Throws if the path leads through a scalar. */
  set(reference: string | FieldReference, value: FieldValue): void {
    const parsed = typeof reference === 'string' ? fieldReference(reference) : reference
    const { path, inMetadata } = parsed
    if (path.length === 1 && !inMetadata) {
      const name = path[0]!
      if (name === '@timestamp') this.fields[name] = toTimestamp(value)
      else if (name === 'tags') this.fields[name] = checkTags(value)
      else this.fields[name] = value
      return
    }
    if (path.length === 0) {
      if (!isFields(value)) throw new FieldWriteError(`Could not set field '@metadata' to a value that is no object`)
      this.#metadata = value
      return
    }
    let target: Fields | FieldValue[] = inMetadata ? this.metadata : this.fields
    for (let i = 0; i < path.length - 1; i++) target = stepInto(target, path[i]!, parsed)
    setChild(target, path[path.length - 1]!, value, parsed)
  }

  /**
   * Sets a field only if it is absent. Values that an input adds must neither replace decoded data nor fail because of
   * a scalar on the path.
   */
  setDefault(reference: string | FieldReference, value: FieldValue): void {
    if (this.get(reference) !== undefined) return
    try {
      this.set(reference, value)
    } catch (error) {
      if (!(error instanceof FieldWriteError)) throw error
    }
  }

  /** Removes a field and returns its value. */
  remove(reference: string | FieldReference): FieldValue | undefined {
    const { path, inMetadata } = typeof reference === 'string' ? fieldReference(reference) : reference
    if (path.length === 0) {
      const old = this.#metadata
      this.#metadata = undefined
      return old
    }
    let target: FieldValue | undefined = inMetadata ? this.metadata : this.fields
    for (let i = 0; i < path.length - 1; i++) target = childOf(target, path[i]!)
    const name = path[path.length - 1]!
    const old = childOf(target, name)
    if (old === undefined) return undefined
    if (Array.isArray(target)) target.splice(arrayIndex(name, target.length)!, 1)
    else if (isFields(target)) target[name] = undefined
    return old
  }

  /** Adds a tag unless it exists. Plugins use it on failure. */
  tag(tag: string): void {
    const tags = this.fields['tags']
    if (tags === undefined || tags === null) this.fields['tags'] = [tag]
    else if (Array.isArray(tags)) {
      if (!tags.includes(tag)) tags.push(tag)
    } else this.fields['tags'] = tags === tag ? [tag] : [tags, tag]
  }

  /** Adds a tag without checking for duplicates, as `add_tag` does. */
  appendTag(tag: string): void {
    const tags = this.fields['tags']
    if (Array.isArray(tags)) tags.push(tag)
    else this.fields['tags'] = tags === undefined || tags === null ? [tag] : [tags, tag]
  }

  removeTag(tag: string): void {
    const tags = this.fields['tags']
    if (Array.isArray(tags)) this.fields['tags'] = tags.filter((item) => item !== tag)
    else if (tags !== undefined && tags !== null) this.fields['tags'] = tags === tag ? [] : [tags]
  }

  /** Appends to a field as `add_field` does: an existing value becomes an array. */
  append(reference: string | FieldReference, value: FieldValue): void {
    const old = this.get(reference)
    if (old === undefined || old === null) this.set(reference, value)
    else if (Array.isArray(old)) old.push(value)
    else this.set(reference, [old, value])
  }

  /** Substitutes the `%{…}` references of a template. */
  expand(template: string): string {
    return expandTemplate(template, this)
  }

  clone(): Event {
    const copy = new Event(copyFields(this.fields))
    if (this.#metadata !== undefined) copy.#metadata = copyFields(this.#metadata)
    return copy
  }

  /** Takes over a decoded `@timestamp`. An unreadable one is kept in a field of its own. */
  #takeTimestamp(value: FieldValue | undefined, now: Timestamp): void {
    const { fields } = this
    if (value instanceof Timestamp) return
    if (value === undefined || value === null) {
      fields['@timestamp'] = now
      return
    }
    const parsed = typeof value === 'string' ? parseIsoTimestamp(value) : undefined
    fields['@timestamp'] = parsed ?? now
    if (parsed !== undefined) return
    fields['_@timestamp'] = value
    this.tag('_timestampparsefailure')
  }

  /**
   * Merges decoded fields as the json filter does: reserved fields are validated, other fields are replaced. Names are
   * references, so `[a][b]` is nested. A malformed reference throws.
   */
  merge(decoded: Fields, now: Timestamp): void {
    for (const name in decoded) {
      const value = decoded[name]!
      if (name === '@timestamp') this.#takeTimestamp(value, now)
      else if (name === '@metadata') {
        if (isFields(value)) this.#metadata = value
      } else if (name === 'tags' && !isTags(value)) {
        this.fields['_tags'] = Array.isArray(value) ? value : [value]
        this.fields['tags'] = []
        this.tag('_tagsparsefailure')
      } else if (name.includes('[') || name.includes(']')) this.set(name, value)
      else this.fields[name] = value
    }
  }
}

/** A write that the structure of the event does not allow. The plugin tags the event. */
export class FieldWriteError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FieldWriteError'
  }
}

function isTags(value: FieldValue): boolean {
  return (
    typeof value === 'string' ||
    value === null ||
    (Array.isArray(value) && value.every((tag) => typeof tag === 'string'))
  )
}

function checkTags(value: FieldValue): FieldValue {
  if (isTags(value)) return value
  throw new FieldWriteError('Could not set field tags to a value that is neither a string nor an array of strings')
}

function toTimestamp(value: FieldValue): Timestamp {
  if (value instanceof Timestamp) return value
  throw new FieldWriteError('wrong argument type for @timestamp (expected a timestamp)')
}

function childOf(value: FieldValue | undefined, name: string): FieldValue | undefined {
  if (value === undefined || value === null || typeof value !== 'object') return undefined
  if (Array.isArray(value)) {
    const index = arrayIndex(name, value.length)
    return index === undefined ? undefined : value[index]
  }
  return isFields(value) ? value[name] : undefined
}

/** A whole number, counted from the end if negative; undefined outside the array. */
function arrayIndex(name: string, length: number): number | undefined {
  if (!/^-?\d+$/.test(name)) return undefined
  const index = Number(name) < 0 ? length + Number(name) : Number(name)
  return index >= 0 && index < length ? index : undefined
}

function stepInto(target: Fields | FieldValue[], name: string, reference: FieldReference): Fields | FieldValue[] {
  const child = childOf(target, name)
  if (child === undefined || child === null) {
    const made = new Fields()
    setChild(target, name, made, reference)
    return made
  }
  if (Array.isArray(child) || isFields(child)) return child
  throw new FieldWriteError(`Could not set field '${reference.text}': '${name}' holds a value that is no object`)
}

/** Maximum growth of an array by one write, because an index from event data must not exhaust memory. */
const PADDING_MAX = 100_000

/** Writing past the end extends an array. A name that is not a number has no effect, as in Logstash. */
function setChild(target: Fields | FieldValue[], name: string, value: FieldValue, reference: FieldReference): void {
  if (!Array.isArray(target)) {
    target[name] = value
    return
  }
  if (!/^-?\d+$/.test(name)) return
  const index = arrayIndex(name, target.length) ?? Number(name)
  if (index < 0 || index > target.length + PADDING_MAX) {
    throw new FieldWriteError(`Could not set field '${reference.text}': no such element`)
  }
  while (target.length < index) target.push(null)
  target[index] = value
}

export { copyValue }
