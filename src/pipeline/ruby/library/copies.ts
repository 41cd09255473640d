/** Deep copies: Marshal for what this process dumped, and `deep_merge`. */
import { ANY, define, defineStatic, HashClass, makeModule } from '../runtime/classes.ts'
import { inspect } from '../runtime/dispatch.ts'
import { raise } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { charge } from '../runtime/limits.ts'
import { RObject, RProc, type Value } from '../runtime/model.ts'
import { RString } from '../runtime/string.ts'

/** A dump keeps a copy of its value. The bytes of Ruby's format are of no use without Ruby. */
class Dump extends RString {
  readonly value: Value

  constructor(value: Value) {
    super(`\x04\b${inspect(value)}`)
    this.encoding = 'ASCII-8BIT'
    this.value = value
  }
}

/** A copy of everything that can be changed. An object that occurs twice is one object in the copy, too. */
export function deepCopy(value: Value, known = new Map<Value, Value>()): Value {
  const before = known.get(value)
  if (before !== undefined) return before
  charge(1)
  if (value instanceof RProc) throw raise('TypeError', 'no _dump_data is defined for class Proc')
  if (Array.isArray(value)) {
    const copy: Value[] = []
    known.set(value, copy)
    for (const item of value) copy.push(deepCopy(item, known))
    return copy
  }
  if (value instanceof RString) {
    const copy = new RString(value.text)
    copy.encoding = value.encoding
    return copy
  }
  if (value instanceof RHash) {
    const copy = new RHash()
    known.set(value, copy)
    if (value.cls !== undefined) copy.cls = value.cls
    for (const { key, value: item } of value.entries()) copy.set(deepCopy(key, known), deepCopy(item, known))
    return copy
  }
  if (value instanceof RObject) {
    const copy = new RObject(value.cls!)
    known.set(value, copy)
    for (const [name, item] of value.ivars) copy.ivars.set(name, deepCopy(item, known))
    return copy
  }
  return value
}

const Marshal = makeModule('Marshal')
defineStatic(Marshal, 'dump', 1, (_self, [value]) => new Dump(deepCopy(value!)))
defineStatic(Marshal, 'load', ANY, (_self, [dump]) => {
  if (dump instanceof Dump) return deepCopy(dump.value)
  throw raise('TypeError', 'only what Marshal.dump made in this process can be loaded')
})

/** Hashes are merged, arrays are united, and other values are replaced if `wins`. */
function merge(target: RHash, source: RHash, wins: boolean): RHash {
  for (const { key, value } of source.entries()) {
    const old = target.get(key)
    if (old instanceof RHash && value instanceof RHash) merge(old, value, wins)
    else if (Array.isArray(old) && Array.isArray(value)) {
      const texts = new Set(old.map(inspect))
      old.push(...value.filter((item) => !texts.has(inspect(item))).map((item) => deepCopy(item)))
    } else if (old === undefined || old === null || wins) target.set(key, deepCopy(value))
  }
  return target
}

const hashOf = (value: Value | undefined): RHash => {
  if (value instanceof RHash) return value
  throw raise('TypeError', 'deep_merge needs a Hash')
}
define<RHash>(HashClass, 'deep_merge!', 1, (self, [other]) => merge(self, hashOf(other), true))
define<RHash>(HashClass, 'deep_merge', 1, (self, [other]) => merge(self, hashOf(other), false))
