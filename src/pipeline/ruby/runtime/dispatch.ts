/**
 * Method calls from JavaScript, and the operations that every value supports: truth, equality, comparison and
 * conversion to text.
 */
import { rubyFloat } from '../../event/ruby-text.ts'
import { classOf, FalseClass, invoke, NilClass, nameOf, realClassOf, TrueClass } from './classes.ts'
import { type RException, raise, typeError } from './errors.ts'
import { type HashKey, identityOf, RHash, userKeys } from './hash.ts'
import { step } from './limits.ts'
import { type RBasic, RClass, RFloat, type RMethod, RObject, type RProc, RRange, RSymbol, type Value } from './model.ts'
import { inspectText, RString, str } from './string.ts'

export function truthy(value: Value): boolean {
  return value !== null && value !== false
}

/** Calls a method by name, as Ruby code would. */
export function send(self: Value, name: string, args: Value[] = [], block: RProc | null = null): Value {
  const method = classOf(self).find(name)
  if (method === undefined) return missing(self, name, args, block)
  step()
  return invoke(method, self, args, block)
}

export function respondsTo(self: Value, name: string): boolean {
  const method = classOf(self).find(name)
  if (method !== undefined) return method.visibility !== 'private'
  const asks = classOf(self).find('respond_to_missing?')
  return asks !== undefined && !asks.isNative && truthy(asks.call(self, [symbolValue(name), false], null))
}

let symbolValue: (name: string) => Value = () => null
export function setSymbolMaker(make: (name: string) => Value): void {
  symbolValue = make
}

/** Handles a call of an undefined method: calls `method_missing` or raises an error. */
export function missing(self: Value, name: string, args: Value[], block: RProc | null, isVariable = false): Value {
  const fallback = classOf(self).find('method_missing')
  if (fallback !== undefined && !fallback.isNative) return fallback.call(self, [symbolValue(name), ...args], block)
  throw noMethod(self, name, isVariable)
}

export function noMethod(self: Value, name: string, isVariable = false): Error {
  const more = { name: symbolValue(name), receiver: self }
  if (isVariable)
    return raise('NameError', `undefined local variable or method \`${name}' for ${described(self)}`, more)
  return raise('NoMethodError', `undefined method \`${name}' for ${described(self)}`, more)
}

export function hiddenMethod(self: Value, method: RMethod): Error {
  return raise('NoMethodError', `${method.visibility} method \`${method.name}' called for ${described(self)}`, {
    name: symbolValue(method.name),
    receiver: self,
  })
}

/** In error messages, values with a longer text are replaced by their class. */
const DESCRIBED_MAX = 500

/** The receiver in an error message: `5:Integer`, `nil:NilClass`, `"a":String`. */
export function described(self: Value): string {
  if (self === null) return 'nil:NilClass'
  if (self instanceof RObject) return inspect(self).length > DESCRIBED_MAX ? anyToS(self) : inspect(self)
  let text: string
  try {
    text = inspect(self)
  } catch {
    text = anyToS(self)
  }
  if (text.length > DESCRIBED_MAX) text = anyToS(self)
  return text.startsWith('#<') && !(self instanceof RClass) ? text : `${text}:${nameOf(realClassOf(self))}`
}

export function anyToS(self: Value): string {
  const id = self !== null && typeof self === 'object' ? identityOf(self) : 0
  return `#<${nameOf(realClassOf(self))}:0x${id.toString(16).padStart(16, '0')}>`
}

/** Integral floats have an exponent from 1e15 on; others do not. */
function floatText(value: number): string {
  const isLarge = Math.abs(value) >= 1e15 && Math.abs(value) < 1e16 && Number.isInteger(value)
  if (!isLarge) return rubyFloat(value)
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${exponent}`
}

/** `to_s`. */
export function toS(value: Value): string {
  if (value instanceof RString) return value.text
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
  }
  if (value === null) return ''
  if (value instanceof RSymbol) return value.name
  if (value instanceof RFloat) return floatText(value.value)
  if (Array.isArray(value) || value instanceof RHash) return inspect(value)
  const result = send(value, 'to_s')
  return result instanceof RString ? result.text : anyToS(value)
}

/** The containers that are being printed, to detect one that contains itself. */
const showing = new Set<object>()

/** `inspect`. */
export function inspect(value: Value): string {
  if (value instanceof RString)
    return inspectText(value.text, value.encoding === 'ASCII-8BIT' || value.encoding === 'US-ASCII')
  if (value === null) return 'nil'
  if (typeof value !== 'object') return String(value)
  if (value instanceof RFloat) return floatText(value.value)
  if (value instanceof RSymbol) return inspectSymbol(value.name)
  if (Array.isArray(value)) return guarded(value, '[...]', () => `[${value.map(inspect).join(', ')}]`)
  if (value instanceof RHash) return guarded(value, '{...}', () => inspectHash(value))
  const result = send(value, 'inspect')
  return result instanceof RString ? result.text : anyToS(value)
}

function guarded(value: object, short: string, show: () => string): string {
  if (showing.has(value)) return short
  showing.add(value)
  try {
    return show()
  } finally {
    showing.delete(value)
  }
}

function inspectHash(hash: RHash): string {
  if (hash.size === 0) return '{}'
  return `{${hash
    .list()
    .map(({ key, value }) => `${inspect(key)}=>${inspect(value)}`)
    .join(', ')}}`
}

/** Prints an object of a class written in Ruby as `#<Name @a=1>`. */
export function inspectObject(self: RObject | RException): string {
  const head = anyToS(self).slice(0, -1)
  if (self.ivars.size === 0) return `${head}>`
  return guarded(
    self,
    `${head} ...>`,
    () => `${head} ${[...self.ivars].map(([name, value]) => `${name}=${inspect(value)}`).join(', ')}>`,
  )
}

export function inspectSymbol(name: string): string {
  if (
    /^(?:(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*[?!=]?|\[\]=?|[+\-*/%<>~!^&|]|\*\*|<=>|===?|=~|!=|!~|<<|>>|<=|>=|[+-]@)$/u.test(
      name,
    )
  )
    return `:${name}`
  return `:${inspectText(name)}`
}

/** `==` */
export function equals(a: Value, b: Value): boolean {
  if (a === b) return !(a instanceof RFloat && Number.isNaN(a.value))
  if (a === null || b === null || typeof a === 'boolean' || typeof b === 'boolean') {
    return a !== null && typeof a === 'object' && !Array.isArray(a) && a instanceof RObject
      ? truthy(send(a, '==', [b]))
      : false
  }
  if (a instanceof RString) return b instanceof RString && sameText(a, b)
  if (typeof a === 'number' || typeof a === 'bigint') {
    if (typeof b === 'number' || typeof b === 'bigint') return a === b
    if (b instanceof RFloat) return Number(a) === b.value && (typeof a === 'number' || BigInt(b.value) === a)
    return b instanceof RObject || (typeof b === 'object' && !Array.isArray(b) && nameOf(realClassOf(b)) === 'Rational')
      ? truthy(send(b, '==', [a]))
      : false
  }
  if (a instanceof RFloat) {
    if (b instanceof RFloat) return a.value === b.value
    if (typeof b === 'number') return a.value === b
    if (typeof b === 'bigint') return Number.isFinite(a.value) && Number.isInteger(a.value) && BigInt(a.value) === b
    return false
  }
  if (a instanceof RSymbol) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equals(item, b[i]!))
  if (a instanceof RHash) return b instanceof RHash && sameHash(a, b, equals)
  if (a instanceof RRange)
    return b instanceof RRange && a.isExclusive === b.isExclusive && equals(a.from, b.from) && equals(a.to, b.to)
  return truthy(send(a, '==', [b]))
}

function sameText(a: RString, b: RString): boolean {
  if (a.text !== b.text) return false
  return a.encoding === b.encoding || !/[^\0-\x7f]/.test(a.text)
}

function sameHash(a: RHash, b: RHash, same: (x: Value, y: Value) => boolean): boolean {
  if (a.size !== b.size) return false
  for (const { key, value } of a.entries()) {
    const other = b.get(key)
    if (other === undefined || !same(value, other)) return false
  }
  return true
}

/** `eql?`: equal, and of the same class. */
export function eql(a: Value, b: Value): boolean {
  if (a instanceof RFloat || b instanceof RFloat)
    return a instanceof RFloat && b instanceof RFloat && a.value === b.value
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => eql(item, b[i]!))
  if (a instanceof RHash) return b instanceof RHash && sameHash(a, b, equals)
  if (a instanceof RObject) return truthy(send(a, 'eql?', [b]))
  if (a !== null && typeof a === 'object' && !(a instanceof RString) && !(a instanceof RSymbol))
    return realClassOf(a) === realClassOf(b) && equals(a, b)
  return equals(a, b)
}

/** `===` as `case` uses it. */
export function caseEquals(test: Value, value: Value): boolean {
  if (test instanceof RString || typeof test === 'number') return equals(test, value)
  if (test instanceof RClass && metaHasNoOwn(test)) return classOf(value).isSubclassOf(test)
  return truthy(send(test, '===', [value]))
}

function metaHasNoOwn(cls: RClass): boolean {
  return classOf(cls).find('===')?.isNative === true
}

/** `<=>`; null if the values cannot be compared. */
export function compare(a: Value, b: Value): number | null {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  if (a instanceof RString && b instanceof RString) return compareText(a.text, b.text)
  if (isNumber(a) && isNumber(b)) {
    const left = a instanceof RFloat ? a.value : a
    const right = b instanceof RFloat ? b.value : b
    return left < right ? -1 : left > right ? 1 : left === right ? 0 : null
  }
  if (Array.isArray(a)) return Array.isArray(b) ? compareArrays(a, b) : null
  const result = send(a, '<=>', [b])
  return typeof result === 'number' ? Math.sign(result) : result instanceof RFloat ? Math.sign(result.value) : null
}

export function isNumber(value: Value): value is number | bigint | RFloat {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof RFloat
}

function compareArrays(a: Value[], b: Value[]): number | null {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compare(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return Math.sign(a.length - b.length)
}

/** Compares by code points, which is the order of UTF-8 bytes but not of UTF-16 units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y)
      return (x >= 0xd800 && x <= 0xdbff) !== (y >= 0xd800 && y <= 0xdbff)
        ? x >= 0xd800 && x <= 0xdbff
          ? 1
          : -1
        : x < y
          ? -1
          : 1
  }
  return a.length < b.length ? -1 : 1
}

/** Compares for `sort`, `max` and similar methods. Values that cannot be compared are an error. */
export function order(a: Value, b: Value): number {
  const result = compare(a, b)
  if (result === null)
    throw raise('ArgumentError', `comparison of ${nameOf(realClassOf(a))} with ${comparedWith(b)} failed`)
  return result
}

/** In the message, special constants and floats are printed, and other values are named by class. */
export function comparedWith(value: Value): string {
  return value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    value instanceof RFloat ||
    value instanceof RSymbol
    ? inspect(value)
    : nameOf(realClassOf(value))
}

/** Converts the result of a comparison block to an order. */
export function orderOf(result: Value, a: Value, b: Value): number {
  if (typeof result === 'number') return result
  if (typeof result === 'bigint') return result > 0n ? 1 : -1
  if (result instanceof RFloat) return result.value
  throw raise('ArgumentError', `comparison of ${nameOf(realClassOf(a))} with ${comparedWith(b)} failed`)
}

function noBlock(): Error {
  return raise('LocalJumpError', 'no block given (yield)')
}

/** Calls a block with one value. Raises an error if there is no block. */
export function yield1(block: RProc, value: Value): Value {
  step()
  if (block === null) throw noBlock()
  return block.call1 !== undefined ? block.call1(value) : block.call([value], null)
}

export function yield2(block: RProc, first: Value, second: Value): Value {
  step()
  if (block === null) throw noBlock()
  return block.call2 !== undefined ? block.call2(first, second) : block.call([first, second], null)
}

/** The name of a value in the message of a failed conversion. */
export function kindOf(value: Value): string {
  return value === null ? 'nil' : value === true ? 'true' : value === false ? 'false' : nameOf(realClassOf(value))
}

export function noConversion(value: Value, to: string): Error {
  return typeError(`no implicit conversion of ${kindOf(value)} into ${to}`)
}

userKeys.of = (value: RBasic): HashKey => {
  if (!(value instanceof RObject)) {
    const method = value.cls.find('hash_key')
    if (method === undefined) return value
    const key = method.call(value, [], null)
    return key instanceof RString ? key.text : (key as HashKey)
  }
  const method = value.cls.find('hash')
  if (method === undefined || method.isNative) return value
  return `\0o${toS(method.call(value, [], null))}`
}

export function text(value: string): RString {
  return str(value)
}

export function isNilOrBoolean(cls: RClass): boolean {
  return cls === NilClass || cls === TrueClass || cls === FalseClass
}
