/** Hash */
import { ANY, atLeast, define, defineStatic, HashClass } from '../../runtime/classes.ts'
import { toArray, toHash, toInt } from '../../runtime/convert.ts'
import { equals, inspect, kindOf, truthy, yield1, yield2 } from '../../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../../runtime/errors.ts'
import { type HashEntry, hashKey, hashOf, RHash } from '../../runtime/hash.ts'
import { step } from '../../runtime/limits.ts'
import type { RProc, Value } from '../../runtime/model.ts'
import { str } from '../../runtime/string.ts'
import { digInto, flattened } from './array.ts'
import { enumerator } from './iterate.ts'

HashClass.allocate = (cls) => {
  const made = new RHash()
  if (cls !== HashClass) made.cls = cls
  return made
}
;(RHash.prototype as { cls: typeof HashClass }).cls = HashClass
define<RHash>(HashClass, 'initialize', [0, 2], (self, [value], block) => {
  self.defaultValue = value ?? null
  self.defaultProc = block
  return null
})
defineStatic(HashClass, '[]', ANY, (_self, args) => {
  if (args.length === 1 && args[0] instanceof RHash) return args[0].copy()
  if (args.length === 1 && Array.isArray(args[0]))
    return hashOf(args[0].map((pair) => [toArray(pair)[0]!, toArray(pair)[1] ?? null] as const))
  if (args.length % 2 === 1) throw argumentError('odd number of arguments for Hash')
  const hash = new RHash()
  for (let i = 0; i < args.length; i += 2) hash.set(args[i]!, args[i + 1]!)
  return hash
})

function changing(self: RHash): RHash {
  self.checkFrozen(() => inspect(self))
  return self
}

/** The value of a key, or the default. */
export function fetched(self: RHash, key: Value): Value {
  const found = self.get(key)
  if (found !== undefined) return found
  return self.defaultProc === null ? self.defaultValue : self.defaultProc.call([self, key], null)
}
define<RHash>(HashClass, '[]', 1, (self, [key]) => fetched(self, key!))
define<RHash>(HashClass, '[]= store', 2, (self, [key, value]) => {
  changing(self).set(key!, value!)
  return value!
})
define<RHash>(HashClass, 'fetch', [1, 2], (self, [key, fallback], block) => {
  const found = self.get(key!)
  if (found !== undefined) return found
  if (block !== null) return yield1(block, key!)
  if (fallback !== undefined) return fallback
  throw raise('KeyError', `key not found: ${inspect(key!)}`, { key: key!, receiver: self })
})
define<RHash>(HashClass, 'dig', atLeast(1), (self, [key, ...rest]) => digInto(fetched(self, key!), rest))
define<RHash>(HashClass, 'key? has_key? include? member?', 1, (self, [key]) => self.has(key!))
define<RHash>(HashClass, 'value? has_value?', 1, (self, [value]) =>
  self.list().some((entry) => equals(entry.value, value!)),
)
define<RHash>(
  HashClass,
  'key',
  1,
  (self, [value]) => self.list().find((entry) => equals(entry.value, value!))?.key ?? null,
)
define<RHash>(HashClass, 'keys', 0, (self) => self.list().map(({ key }) => key))
define<RHash>(HashClass, 'values', 0, (self) => self.list().map(({ value }) => value))
define<RHash>(HashClass, 'values_at', ANY, (self, keys) => keys.map((key) => fetched(self, key)))
define<RHash>(HashClass, 'fetch_values', ANY, (self, keys, block) =>
  keys.map((key) => {
    const found = self.get(key)
    if (found !== undefined) return found
    if (block !== null) return yield1(block, key)
    throw raise('KeyError', `key not found: ${inspect(key)}`, { key, receiver: self })
  }),
)
define<RHash>(HashClass, 'length size', 0, (self) => self.size)
define<RHash>(HashClass, 'count', [0, 1], (self, args, block) => {
  if (args.length > 0) return self.list().filter(({ key, value }) => equals([key, value], args[0]!)).length
  return block === null ? self.size : self.list().filter((entry) => truthy(pairTo(block, entry))).length
})
define<RHash>(HashClass, 'empty?', 0, (self) => self.size === 0)
define<RHash>(HashClass, 'to_h', 0, (self, _args, block) => {
  if (block === null) return self
  const out = new RHash()
  for (const entry of self.list()) {
    const pair = twoTo(block, entry)
    if (!Array.isArray(pair)) throw typeError(`wrong element type ${kindOf(pair)} (expected array)`)
    if (pair.length !== 2) throw argumentError(`element has wrong array length (expected 2, was ${pair.length})`)
    out.set(pair[0]!, pair[1]!)
  }
  return out
})
define<RHash>(HashClass, 'to_hash', 0, (self) => self)
define<RHash>(HashClass, 'to_a', 0, (self) => self.list().map(({ key, value }) => [key, value]))
define<RHash>(HashClass, 'inspect to_s', 0, (self) => str(inspect(self)))
define<RHash>(HashClass, '== eql?', 1, (self, [other]) => equals(self, other!))
define<RHash>(HashClass, 'hash', 0, (self) => String(hashKey(self)).length)
define<RHash>(HashClass, '<=', 1, (self, [other]) => isSubset(self, toHash(other!)))
define<RHash>(HashClass, '>=', 1, (self, [other]) => isSubset(toHash(other!), self))
define<RHash>(HashClass, '<', 1, (self, [other]) => self.size < toHash(other!).size && isSubset(self, toHash(other!)))
define<RHash>(HashClass, '>', 1, (self, [other]) => self.size > toHash(other!).size && isSubset(toHash(other!), self))

function isSubset(small: RHash, large: RHash): boolean {
  return small.list().every(({ key, value }) => {
    const other = large.get(key)
    return other !== undefined && equals(value, other)
  })
}

/** Calls a block with a key and its value: as two arguments, or as one array if the block has one parameter. */
export function pairTo(block: RProc, { key, value }: HashEntry): Value {
  step()
  if (block.call2 !== undefined) return block.call2(key, value)
  if (block.isLambda && block.arity === 2) return block.call([key, value], null)
  return block.call1 !== undefined ? block.call1([key, value]) : block.call([[key, value]], null)
}

/** Calls a block with two arguments. A block with one parameter receives only the key. */
function twoTo(block: RProc, { key, value }: HashEntry): Value {
  return yield2(block, key, value)
}

define<RHash>(HashClass, 'each each_pair', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'each')
  self.iterating++
  try {
    self.each((entry) => void pairTo(block, entry))
  } finally {
    self.iterating--
  }
  return self
})
define<RHash>(HashClass, 'each_key', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'each_key')
  for (const { key } of self.list()) yield1(block, key)
  return self
})
define<RHash>(HashClass, 'each_value', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'each_value')
  for (const { value } of self.list()) yield1(block, value)
  return self
})
define<RHash>(HashClass, 'any?', [0, 1], (self, args, block) => {
  if (args.length > 0) return self.list().some(({ key, value }) => equals(args[0]!, [key, value]))
  return block === null ? self.size > 0 : self.list().some((entry) => truthy(pairTo(block, entry)))
})
define<RHash>(
  HashClass,
  'all?',
  [0, 1],
  (self, _args, block) => block === null || self.list().every((entry) => truthy(pairTo(block, entry))),
)
define<RHash>(HashClass, 'find detect', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'find')
  const found = self.list().find((entry) => truthy(pairTo(block, entry)))
  return found === undefined ? null : [found.key, found.value]
})
define<RHash>(HashClass, 'map collect', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'map')
  const out: Value[] = []
  for (const entry of self.list()) out.push(pairTo(block, entry))
  return out
})

/** Methods that keep a subset of the entries, in a new hash or in place. */
function filtering(names: string, keeps: boolean): void {
  for (const name of names.split(' ')) {
    define<RHash>(HashClass, name, 0, (self, _args, block) => {
      if (block === null) return enumerator(self, name)
      return kept(self, (entry) => truthy(twoTo(block, entry)) === keeps)
    })
  }
}
function kept(self: RHash, test: (entry: HashEntry) => boolean): RHash {
  const out = new RHash()
  for (const entry of self.list()) if (test(entry)) out.set(entry.key, entry.value)
  return out
}
filtering('select filter', true)
filtering('reject', false)
function filteringHere(name: string, keeps: boolean, givesNil: boolean): void {
  define<RHash>(HashClass, name, 0, (self, _args, block) => {
    if (block === null) return enumerator(self, name)
    changing(self)
    const before = self.size
    for (const entry of self.list()) if (truthy(twoTo(block, entry)) !== keeps) self.delete(entry.key)
    return givesNil && self.size === before ? null : self
  })
}
filteringHere('select!', true, true)
filteringHere('filter!', true, true)
filteringHere('keep_if', true, false)
filteringHere('reject!', false, true)
filteringHere('delete_if', false, false)

define<RHash>(HashClass, 'partition', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'partition')
  const [yes, no]: [Value[], Value[]] = [[], []]
  for (const entry of self.list()) (truthy(pairTo(block, entry)) ? yes : no).push([entry.key, entry.value])
  return [yes, no]
})

define<RHash>(HashClass, 'delete', 1, (self, [key], block) => {
  const old = changing(self).delete(key!)
  return old ?? (block === null ? null : yield1(block, key!))
})
define<RHash>(HashClass, 'clear', 0, (self) => {
  changing(self).clear()
  return self
})
define<RHash>(HashClass, 'shift', 0, (self) => {
  const first = changing(self).list()[0]
  if (first === undefined) return null
  self.delete(first.key)
  return [first.key, first.value]
})
define<RHash>(HashClass, 'first', [0, 1], (self, [count]) => {
  const pairs = self.list().map(({ key, value }) => [key, value])
  return count === undefined ? (pairs[0] ?? null) : pairs.slice(0, toInt(count))
})
define<RHash>(HashClass, 'replace initialize_copy', 1, (self, [other]) => {
  const entries = toHash(other!).list()
  changing(self).clear()
  for (const { key, value } of entries) self.set(key, value)
  return self
})

function mergeInto(target: RHash, others: Value[], block: RProc | null): RHash {
  for (const other of others) {
    for (const { key, value } of toHash(other).list()) {
      const old = block === null ? undefined : target.get(key)
      target.set(key, old === undefined ? value : block!.call([key, old, value], null))
    }
  }
  return target
}
define<RHash>(HashClass, 'merge', ANY, (self, others, block) => {
  const copy = self.copy()
  copy.defaultValue = self.defaultValue
  copy.defaultProc = self.defaultProc
  return mergeInto(copy, others, block)
})
define<RHash>(HashClass, 'merge! update', ANY, (self, others, block) => mergeInto(changing(self), others, block))
define<RHash>(HashClass, 'slice', ANY, (self, keys) => {
  const out = new RHash()
  for (const key of keys) {
    const found = self.entry(key)
    if (found !== undefined) out.set(found.key, found.value)
  }
  return out
})
define<RHash>(HashClass, 'except', ANY, (self, keys) => {
  const copy = self.copy()
  for (const key of keys) copy.delete(key)
  return copy
})
define<RHash>(HashClass, 'compact', 0, (self) => kept(self, ({ value }) => value !== null))
define<RHash>(HashClass, 'compact!', 0, (self) => {
  const before = changing(self).size
  for (const { key, value } of self.list()) if (value === null) self.delete(key)
  return self.size === before ? null : self
})
define<RHash>(HashClass, 'invert', 0, (self) => hashOf(self.list().map(({ key, value }) => [value, key] as const)))
define<RHash>(HashClass, 'transform_values', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'transform_values')
  return hashOf(self.list().map(({ key, value }) => [key, yield1(block, value)] as const))
})
define<RHash>(HashClass, 'transform_values!', 0, (self, _args, block) => {
  changing(self)
  for (const { key, value } of self.list()) self.set(key, yield1(block!, value))
  return self
})
function renamed(self: RHash, [table]: Value[], block: RProc | null): RHash {
  const names = table instanceof RHash ? table : undefined
  return hashOf(
    self
      .list()
      .map(({ key, value }) => [names?.get(key) ?? (block === null ? key : yield1(block, key)), value] as const),
  )
}
define<RHash>(HashClass, 'transform_keys', [0, 1], (self, args, block) =>
  block === null && args.length === 0 ? enumerator(self, 'transform_keys') : renamed(self, args, block),
)
define<RHash>(HashClass, 'transform_keys!', [0, 1], (self, args, block) => {
  const made = renamed(changing(self), args, block)
  self.clear()
  for (const { key, value } of made.list()) self.set(key, value)
  return self
})
define<RHash>(HashClass, 'default', [0, 1], (self, [key]) =>
  key !== undefined && self.defaultProc !== null ? self.defaultProc.call([self, key], null) : self.defaultValue,
)
define<RHash>(HashClass, 'default=', 1, (self, [value]) => {
  changing(self).defaultValue = value!
  self.defaultProc = null
  return value!
})
define<RHash>(HashClass, 'default_proc', 0, (self) => self.defaultProc)
define<RHash>(HashClass, 'default_proc=', 1, (self, [proc]) => {
  self.defaultProc = proc as RProc | null
  self.defaultValue = null
  return proc!
})
define<RHash>(HashClass, 'compare_by_identity', 0, (self) => {
  const entries = self.list()
  self.clear()
  self.byIdentity = true
  for (const { key, value } of entries) self.set(key, value)
  return self
})
define<RHash>(HashClass, 'compare_by_identity?', 0, (self) => self.byIdentity)
define<RHash>(HashClass, 'assoc', 1, (self, [key]) => {
  const found = self.entry(key!)
  return found === undefined ? null : [found.key, found.value]
})
define<RHash>(HashClass, 'rassoc', 1, (self, [value]) => {
  const found = self.list().find((entry) => equals(entry.value, value!))
  return found === undefined ? null : [found.key, found.value]
})
define<RHash>(HashClass, 'flatten', [0, 1], (self, [depth]) =>
  flattened(
    self.list().map(({ key, value }) => [key, value]),
    depth === undefined ? 1 : toInt(depth),
  ),
)
define<RHash>(HashClass, 'to_proc', 0, (self) => enumerator(self, '[]'))
define<RHash>(HashClass, 'rehash', 0, (self) => self)
define<RHash>(HashClass, 'deconstruct_keys', 1, (self) => self)
define<RHash>(HashClass, 'freeze', 0, (self) => {
  self.frozen = true
  return self
})
