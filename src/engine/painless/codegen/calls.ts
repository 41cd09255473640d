/** Code of calls to library methods, constructors and functions of the context. */
import type { Ir } from '../analysis/ir.ts'
import type { ApiMethod } from '../api/api-lines.ts'
import { isPrimitive } from '../api/lookup.ts'
import { constructorOf, staticField, staticMethod } from '../runtime/registry.ts'
import { boxed } from './conversions.ts'
import { emitCode } from './emits.ts'
import { type Emitter, literal } from './generator-base.ts'
import { unsupported } from './unsupported.ts'

/** Types whose values may be JavaScript primitives. Their methods are looked up by the value. */
const DISPATCHED = new Set([
  'java.lang.Object', 'java.lang.CharSequence', 'java.lang.Comparable', 'java.lang.Number', 'java.lang.String',
  'java.lang.Boolean', 'java.lang.Byte', 'java.lang.Short', 'java.lang.Character', 'java.lang.Integer', 'java.lang.Long',
  'java.lang.Float', 'java.lang.Double', 'java.lang.Exception',
]) // biome-ignore format: a list

/** Methods whose result changes from call to call. */
const UNSTABLE = /^(now|random\w*|ofEpochMilliNow|currentTimeMillis|nanoTime)$/

const argumentCodes = (e: Emitter, args: readonly Ir[]) => args.map((arg) => e.expression(arg))

export function callCode(e: Emitter, node: Extract<Ir, { op: 'call' }>): string {
  const { method, at } = node
  const target = boxed(e.expression(node.target), node.target.type)
  const args = argumentCodes(e, node.args)
  const name = `${method.name}_${method.params.length}`
  const { type } = node.target
  const dispatched =
    DISPATCHED.has(type) || isPrimitive(type) || /Exception$/.test(type) || method.owner === 'java.lang.Object'
  const invoke = (receiver: string, values: readonly string[]) =>
    dispatched
      ? `R.call${Math.min(values.length, 4)}(${[receiver, literal(name), ...values].join(',')})`
      : `${receiver}.${name}(${values.join(',')})`
  if (isPrimitive(type)) return `(p=${at},${invoke(target, args)})`
  const text = literal(nullText(method))
  if (args.length === 0) return invoke(`R.nonNull(${target},p=${at},${text})`, args)
  // As in Java, a null receiver fails after the arguments were evaluated.
  const receiver = e.temporary()
  const names = args.map(() => e.temporary())
  const evaluated = names.map((own, i) => `${own}=${args[i]}`).join(',')
  return `(${receiver}=${target},p=${at},${evaluated},${invoke(`R.nonNull(${receiver},0,${text})`, names)})`
}

const SHORT_IN_JVM: Record<string, string> = {
  'java.lang.Object': 'Object',
  'java.lang.String': 'String',
  def: 'Object',
}

/** The JVM's message for a method call on null. */
function nullText(method: ApiMethod): string {
  const params = method.params.map((type) => SHORT_IN_JVM[type] ?? type.replace(/^def/, 'Object'))
  return `Cannot invoke "${method.owner}.${method.name}(${params.join(', ')})" because "<local1>" is null`
}

export function staticCallCode(e: Emitter, node: Extract<Ir, { op: 'staticCall' }>): string {
  const { method, at } = node
  const implementation = staticMethod(method.owner, method.name, method.params.length)
  if (implementation === undefined) throw unsupported(`${method.owner}.${method.name}/${method.params.length}`, at)
  if (UNSTABLE.test(method.name)) e.observed.deterministic = false
  const args = argumentCodes(e, node.args).join(',')
  const name = e.constant(implementation)
  if (method.owner === 'java.lang.Math') e.freeConstants.add(e.constants.length - 1)
  return `(p=${at},${name}(${args}))`
}

export function newObjectCode(e: Emitter, node: Extract<Ir, { op: 'newObject' }>): string {
  const { at, type } = node
  const implementation = constructorOf(type, node.args.length)
  if (implementation === undefined) throw unsupported(`new ${type}/${node.args.length}`, at)
  if (type === 'java.util.Random' || type === 'java.util.Date') e.observed.deterministic = false
  const code = `${e.constant(implementation)}(${argumentCodes(e, node.args).join(',')})`
  return /(Exception|Error)$/.test(type) ? `R.made((p=${at},${code}),p)` : `(p=${at},${code})`
}

export function staticFieldCode(e: Emitter, node: Extract<Ir, { op: 'staticField' }>): string {
  const { field, at } = node
  const value = staticField(field.owner, field.name)
  if (value === undefined) throw unsupported(`${field.owner}.${field.name}`, at)
  return `(p=${at},${e.constant(value.value)})`
}

/** Functions of the context: `emit`, `field`, the scoring functions. */
export function contextCallCode(e: Emitter, node: Extract<Ir, { op: 'contextCall' }>): string {
  const { function: fn, at } = node
  if (fn.name === 'field') {
    const [name] = node.args
    if (name?.op === 'constant') {
      e.observed.fields.add(String(name.value))
      e.observed.wholeDates.add(String(name.value))
    } else e.observed.readsUnknownFields = true
  }
  if (!/^(emit|parse)$/.test(fn.name)) e.needsDocument = true
  if (fn.name === 'randomScore') e.observed.deterministic = false
  const emitted = fn.name === 'emit' && node.args.length === 1 ? emitCode(e, node.args[0]!, at) : undefined
  if (emitted !== undefined) return emitted
  const args = argumentCodes(e, node.args)
  // A function that caches results of its constant arguments gets the number of a slot for the cache.
  const kept = fn.constants === undefined ? [] : [String(e.constants.push(null) - 1)]
  return `(p=${at},${e.contextFunction(`${fn.name}_${fn.params.length}`)}(${[...kept, ...args].join(',')}))`
}
