/** LogStash::Event: the event API for code in configurations. */
import { Event, FieldWriteError } from '../../event/event.ts'
import { type FieldReference, fieldReference, InvalidFieldReferenceError } from '../../event/field-reference.ts'
import { type Fields, type FieldValue, isFields, sameValue } from '../../event/fields.ts'
import { jsonText, parseJson } from '../../event/json-text.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { errorClass } from '../core/exception.ts'
import { ANY, define, defineStatic, makeClass, makeModule, nameOf, realClassOf, setClass } from '../runtime/classes.ts'
import { toText } from '../runtime/convert.ts'
import { kindOf, toS } from '../runtime/dispatch.ts'
import { raise, typeError } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { RBasic, type Value } from '../runtime/model.ts'
import { RString, str } from '../runtime/string.ts'
import { LogStashModule, pipelineClock, RTimestamp } from './timestamp.ts'
import { fieldsOf, fieldValue, rubyHash, rubyValue, rubyValueAt, sharedText, tie } from './values.ts'

/** An event as Ruby sees it. */
export class REvent extends RBasic {
  readonly event: Event
  constructor(event: Event) {
    super()
    this.event = event
  }
}

const Java = makeModule('Java')
const JavaLang = makeModule('JavaLang', Java)
const OrgLogstash = makeModule('OrgLogstash', Java)
errorClass('ClassCastException', 'StandardError', JavaLang)
errorClass('MissingConverterException', 'StandardError', OrgLogstash)
errorClass('InvalidTagsTypeException', 'StandardError', makeModule('Event', OrgLogstash))
errorClass('InvalidFieldSetException', 'StandardError', makeModule('Accessors', OrgLogstash))

export const EventClass = makeClass('Event', undefined, LogStashModule)
setClass(REvent, EventClass)

const JRUBY: Readonly<Record<string, string>> = {
  NilClass: 'Nil',
  Integer: 'Fixnum',
  TrueClass: 'Boolean',
  FalseClass: 'Boolean',
}

function textArgument(value: Value): string {
  if (value instanceof RString) return value.text
  const name = nameOf(realClassOf(value))
  throw raise(
    'Java::JavaLang::ClassCastException',
    `class org.jruby.Ruby${JRUBY[name] ?? name} cannot be cast to class org.jruby.RubyString`,
  )
}

function reference(value: Value): FieldReference {
  const text = textArgument(value)
  try {
    return fieldReference(text)
  } catch (error) {
    if (error instanceof InvalidFieldReferenceError) throw raise('RuntimeError', `Invalid FieldReference: \`${text}\``)
    throw error
  }
}

/** The object or array that contains the referenced field; undefined if there is none. */
function parentOf(event: Event, { path, inMetadata }: FieldReference): Fields | FieldValue[] | undefined {
  let target: FieldValue | undefined = inMetadata ? event.metadata : event.fields
  for (let i = 0; i < path.length - 1; i++) {
    target = childOf(target, path[i]!)
    if (!Array.isArray(target) && !isFields(target)) return undefined
  }
  return target as Fields | FieldValue[]
}

function childOf(target: FieldValue | undefined, key: string): FieldValue | undefined {
  if (Array.isArray(target)) {
    if (!/^[+-]?\d+$/.test(key)) return undefined
    return target.at(Number(key))
  }
  return isFields(target) ? target[key] : undefined
}

define<REvent>(EventClass, 'get', 1, ({ event }, [name]) => {
  const ref = reference(name!)
  const { path } = ref
  if (path.length === 0) return rubyHash(event.metadata)
  const parent = path.length === 1 && !ref.inMetadata ? event.fields : parentOf(event, ref)
  if (parent === undefined) return null
  const last = path[path.length - 1]!
  const value = childOf(parent, last)
  if (value === undefined || value === null) return null
  const key = Array.isArray(parent) ? Number(last) : last
  return typeof value === 'string' ? sharedText(parent, key, value) : rubyValueAt(parent, key, value)
})

define<REvent>(EventClass, 'set', 2, ({ event }, [name, value]) => {
  const ref = reference(name!)
  setField(event, ref, value!)
  return value!
})

function setField(event: Event, ref: FieldReference, value: Value): void {
  const { path, inMetadata } = ref
  if (!inMetadata && path.length === 1 && path[0] === '@timestamp') {
    if (!(value instanceof RTimestamp))
      throw typeError(
        `wrong argument type ${kindOf(value) === 'nil' ? 'NilClass' : kindOf(value)} (expected LogStash::Timestamp)`,
      )
    event.fields['@timestamp'] = value.stamp
    return
  }
  const stored = fieldValue(value)
  if (!inMetadata && path[0] === 'tags' && (path.length > 1 || !isTags(stored))) {
    throw raise(
      'Java::OrgLogstash::Event::InvalidTagsTypeException',
      `Could not set the reserved tags field '[${path.join('][')}]' to value '${toS(value)}'. The tags field only accepts string or array of string.`,
    )
  }
  try {
    event.set(ref, stored)
  } catch (error) {
    if (!(error instanceof FieldWriteError)) throw error
    throw raise('Java::OrgLogstash::Accessors::InvalidFieldSetException', scalarMessage(event, ref, value))
  }
  if (value instanceof RString) {
    const parent = parentOf(event, ref)
    if (parent !== undefined && path.length > 0)
      tie(value, parent, Array.isArray(parent) ? Number(path[path.length - 1]) : path[path.length - 1]!)
  }
}

function isTags(value: FieldValue): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((tag) => typeof tag === 'string'))
  )
}

/** Logstash's error message for a field below a value that is not an object. */
function scalarMessage(event: Event, { path, inMetadata }: FieldReference, value: Value): string {
  let target: FieldValue | undefined = inMetadata ? event.metadata : event.fields
  let key = path[0]!
  for (let i = 0; i < path.length - 1 && (Array.isArray(target) || isFields(target)); i++) {
    target = childOf(target, path[i]!)
    key = path[i + 1]!
  }
  return `Could not set field '${key}' on object '${toS(rubyValue(target))}' to value '${toS(value)}'.This is probably due to trying to set a field like [foo][bar] = someValuewhen [foo] is not either a map or a string`
}

define<REvent>(EventClass, 'remove', 1, ({ event }, [name]) => {
  const ref = reference(name!)
  return rubyValue(event.remove(ref))
})
define<REvent>(EventClass, 'include?', 1, ({ event }, [name]) => {
  const ref = reference(name!)
  if (ref.path.length === 0) return true
  const parent = parentOf(event, ref)
  const value = childOf(parent, ref.path[ref.path.length - 1]!)
  return Array.isArray(parent) ? value !== undefined && value !== null : value !== undefined
})
define<REvent>(EventClass, 'tag', 1, ({ event }, [tag]) => {
  event.tag(textArgument(tag!))
  return null
})
define<REvent>(EventClass, 'cancel', 0, ({ event }) => {
  event.cancel()
  return true
})
define<REvent>(EventClass, 'uncancel', 0, ({ event }) => {
  event.uncancel()
  return false
})
define<REvent>(EventClass, 'cancelled?', 0, ({ event }) => event.cancelled)
define<REvent>(EventClass, 'clone dup', 0, ({ event }) => new REvent(event.clone()))
define<REvent>(EventClass, 'overwrite', 1, (self, [other]) => {
  const { event } = otherEvent(other!)
  for (const name in self.event.fields) self.event.fields[name] = undefined
  for (const name in event.fields) self.event.fields[name] = event.fields[name]
  if (event.cancelled) self.event.cancel()
  else self.event.uncancel()
  return self
})
define<REvent>(EventClass, 'append', 1, (self, [other]) => {
  mergeFields(self.event.fields, otherEvent(other!).event.fields)
  return self
})

function otherEvent(value: Value): REvent {
  if (value instanceof REvent) return value
  throw typeError(`wrong argument type ${kindOf(value)} (expected LogStash::Event)`)
}

/** Merges hashes recursively. Other values become lists without duplicates. */
function mergeFields(target: Fields, add: Fields): void {
  for (const name in add) {
    const value = add[name]
    const old = target[name]
    if (value === undefined) continue
    if (old === undefined || old === null) target[name] = value
    else if (isFields(old) && isFields(value)) mergeFields(old, value)
    else if (Array.isArray(value))
      target[name] = Array.isArray(old) ? union(old, value) : [old, ...value.filter((item) => !sameValue(item, old))]
    else if (Array.isArray(old)) target[name] = union(old, [value])
    else if (!sameValue(old, value)) target[name] = [old, value]
  }
}

function union(a: FieldValue[], b: FieldValue[]): FieldValue[] {
  const out: FieldValue[] = []
  for (const item of [...a, ...b]) if (!out.some((one) => sameValue(one, item))) out.push(item)
  return out
}

define<REvent>(EventClass, 'to_hash', 0, ({ event }) => rubyHash(event.fields))
define<REvent>(EventClass, 'to_hash_with_metadata', 0, ({ event }) => {
  const hash = rubyHash(event.fields)
  const metadata = event.metadataOrNone
  if (metadata !== undefined && Object.values(metadata).some((value) => value !== undefined))
    hash.set(str('@metadata'), rubyHash(metadata))
  return hash
})
define<REvent>(EventClass, 'to_json', ANY, ({ event }) => str(jsonText(event.fields)))
define<REvent>(EventClass, 'to_s', 0, ({ event }) =>
  str(`${event.timestamp === undefined ? '' : `${event.timestamp} `}${event.expand('%{host} %{message}')}`),
)
define<REvent>(EventClass, 'inspect', 0, () => str('#<LogStash::Event>'))
define<REvent>(EventClass, 'timestamp', 0, ({ event }) =>
  event.timestamp === undefined ? null : new RTimestamp(event.timestamp),
)
define<REvent>(EventClass, 'timestamp=', 1, ({ event }, [value]) => {
  setField(event, fieldReference('@timestamp'), value!)
  return value!
})
define<REvent>(EventClass, 'sprintf', 1, ({ event }, [template]) => str(event.expand(toText(template!))))

/** Creates an event from a hash, which is copied. */
export function eventOf(hash: RHash): Event {
  return Event.ofFields(fieldsOf(hash), new Timestamp(pipelineClock.nowMs()))
}
defineStatic(EventClass, 'new', [0, 1], (_self, [hash]) => {
  if (hash === undefined || hash === null) return new REvent(eventOf(new RHash()))
  if (!(hash instanceof RHash)) throw typeError(`wrong argument type ${kindOf(hash)} (expected Hash)`)
  return new REvent(eventOf(hash))
})
defineStatic(EventClass, 'from_json', 1, (_self, [json]) => {
  const text = toText(json!)
  if (text.trim() === '') return []
  let parsed: FieldValue
  try {
    parsed = parseJson(text)
  } catch (error) {
    throw raise('LogStash::Json::ParserError', (error as Error).message)
  }
  const list = Array.isArray(parsed) ? parsed : [parsed]
  return list.map((item) => {
    if (!isFields(item))
      throw raise('LogStash::Json::ParserError', 'incompatible json object type, only hash map or arrays are supported')
    return new REvent(Event.ofFields(item, new Timestamp(pipelineClock.nowMs())))
  })
})

const JsonModule = makeModule('Json', LogStashModule)
errorClass('ParserError', 'StandardError', JsonModule)
errorClass('GeneratorError', 'StandardError', JsonModule)
defineStatic(JsonModule, 'load', [1, 2], (_self, [json]) => {
  try {
    return rubyValue(parseJson(toText(json!)))
  } catch (error) {
    if (error instanceof SyntaxError) throw raise('LogStash::Json::ParserError', error.message)
    throw error
  }
})
defineStatic(JsonModule, 'dump', [1, 2], (_self, [value]) => str(jsonText(fieldValue(value!))))
