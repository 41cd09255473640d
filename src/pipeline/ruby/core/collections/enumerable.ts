/** Enumerable: the methods that arrays, hashes, ranges, sets and enumerators share. */
import { ANY, define, Enumerable } from '../../runtime/classes.ts'
import { toInt } from '../../runtime/convert.ts'
import { equals, kindOf, order, orderOf, send, truthy, yield1, yield2 } from '../../runtime/dispatch.ts'
import { argumentError, typeError } from '../../runtime/errors.ts'
import { RHash } from '../../runtime/hash.ts'
import { step } from '../../runtime/limits.ts'
import { RFloat, type RProc, RSymbol, type Value } from '../../runtime/model.ts'
import { RString } from '../../runtime/string.ts'
import { checkedCount, uniqueBy } from './array.ts'
import { enumerator, iterate, listOf, nativeBlock, REnumerator, tester } from './iterate.ts'
import { sorted, sortedBy } from './sort.ts'

type Arity = Parameters<typeof define>[2]

/** Defines a method that takes a block and returns an enumerator without one. */
function blocked(names: string, arity: Arity, call: (self: Value, block: RProc, args: Value[]) => Value): void {
  for (const name of names.split(' ')) {
    define(Enumerable, name, arity, (self, args, block) =>
      block === null ? enumerator(self, name, args) : call(self, block, args),
    )
  }
}

/** A copy of a list that may be returned to the code. */
function freshList(self: Value): Value[] {
  return Array.isArray(self) ? [...self] : listOf(self)
}

define(Enumerable, 'to_a entries', ANY, (self) => freshList(self))
define(Enumerable, 'count', [0, 1], (self, args, block) => {
  if (args.length > 0) return listOf(self).filter((item) => equals(item, args[0]!)).length
  return block === null ? listOf(self).length : listOf(self).filter(tester([], block)).length
})
blocked('map collect', 0, (self, block) => {
  const out: Value[] = []
  if (Array.isArray(self)) for (let i = 0; i < self.length; i++) out.push(yield1(block, self[i]!))
  else eachResult(self, block, (result) => out.push(result))
  return out
})
blocked('flat_map collect_concat', 0, (self, block) => {
  const out: Value[] = []
  eachResult(self, block, (result) => {
    if (Array.isArray(result)) for (const one of result) out.push(one)
    else out.push(result)
  })
  return out
})

/**
 * The results of the block for all items. Multiple values of one step, as from `each_with_index`, are passed as
 * separate arguments.
 */
function eachResult(self: Value, block: RProc, take: (result: Value) => void): void {
  if (!(self instanceof REnumerator)) {
    iterate(self, (item) => take(yield1(block, item)))
    return
  }
  const each = nativeBlock((args) => {
    step()
    take(args.length === 1 ? yield1(block, args[0]!) : block.call(args, null))
    return null
  })
  send(self.receiver, self.method, self.args, each)
}
blocked('filter_map', 0, (self, block) => {
  const out: Value[] = []
  iterate(self, (item) => {
    const result = yield1(block, item)
    if (truthy(result)) out.push(result)
  })
  return out
})
blocked('select filter find_all', 0, (self, block) => listOf(self).filter((item) => truthy(yield1(block, item))))
blocked('reject', 0, (self, block) => listOf(self).filter((item) => !truthy(yield1(block, item))))
blocked('find detect', [0, 1], (self, block) => {
  let found: Value = null
  iterate(self, (item) => {
    if (!truthy(yield1(block, item))) return false
    found = item
    return true
  })
  return found
})
define(Enumerable, 'find_index', [0, 1], (self, args, block) => {
  if (args.length === 0 && block === null) return enumerator(self, 'find_index')
  let at = -1
  let found: Value = null
  iterate(self, (item) => {
    at++
    if (args.length > 0 ? !equals(item, args[0]!) : !truthy(yield1(block!, item))) return false
    found = at
    return true
  })
  return found
})
blocked('partition', 0, (self, block) => {
  const [yes, no]: [Value[], Value[]] = [[], []]
  iterate(self, (item) => void (truthy(yield1(block, item)) ? yes : no).push(item))
  return [yes, no]
})
blocked('group_by', 0, (self, block) => {
  const groups = new RHash()
  iterate(self, (item) => {
    const key = yield1(block, item)
    const group = groups.get(key)
    if (Array.isArray(group)) group.push(item)
    else groups.set(key, [item])
  })
  return groups
})
define(Enumerable, 'tally', [0, 1], (self) => {
  const counts = new RHash()
  iterate(self, (item) => counts.set(item, ((counts.get(item) as number | undefined) ?? 0) + 1))
  return counts
})
blocked('each_with_index each_with_index', ANY, (self, block) => {
  let i = 0
  iterate(self, (item) => void yield2(block, item, i++))
  return self
})
blocked('each_with_object', 1, (self, block, [memo]) => {
  iterate(self, (item) => void yield2(block, item, memo!))
  return memo!
})
blocked('each_entry', 0, (self, block) => {
  iterate(self, (item) => void yield1(block, item))
  return self
})
blocked('reverse_each', 0, (self, block) => {
  for (const item of freshList(self).reverse()) yield1(block, item)
  return self
})

function positive(value: Value, what: string): number {
  const size = toInt(value)
  if (size <= 0) throw argumentError(`invalid ${what} size`)
  return size
}
define(Enumerable, 'each_slice', 1, (self, [count], block) => {
  const size = positive(count!, 'slice')
  if (block === null) return enumerator(self, 'each_slice', [count!])
  let slice: Value[] = []
  iterate(self, (item) => {
    slice.push(item)
    if (slice.length < size) return
    const full = slice
    slice = []
    yield1(block, full)
  })
  if (slice.length > 0) yield1(block, slice)
  return self
})
define(Enumerable, 'each_cons', 1, (self, [count], block) => {
  const size = positive(count!, '')
  if (block === null) return enumerator(self, 'each_cons', [count!])
  const window: Value[] = []
  iterate(self, (item) => {
    window.push(item)
    if (window.length > size) window.shift()
    if (window.length === size) yield1(block, [...window])
  })
  return self
})

define(Enumerable, 'inject reduce', [0, 2], (self, args, block) => {
  const last = args[args.length - 1]
  const usesName = block === null || args.length === 2
  const name = usesName
    ? last instanceof RSymbol
      ? last.name
      : last instanceof RString
        ? last.text
        : undefined
    : undefined
  if (usesName && name === undefined) throw typeError(`${kindOf(last ?? null)} is not a symbol nor a string`)
  let memo: Value | undefined = usesName ? (args.length === 2 ? args[0] : undefined) : args[0]
  iterate(self, (item) => {
    if (memo === undefined) memo = item
    else memo = name === undefined ? yield2(block!, memo, item) : send(memo, name, [item])
  })
  return memo ?? null
})
define(Enumerable, 'sum', [0, 1], (self, args, block) => summed(self, args[0] ?? 0, block))

/** Floats are added with compensated (Kahan-Babuska) summation. */
function summed(self: Value, start: Value, block: RProc | null): Value {
  let total = start
  let compensation = 0
  let isFloat = false
  iterate(self, (raw) => {
    const item = block === null ? raw : yield1(block, raw)
    if (typeof total === 'number' && typeof item === 'number' && Number.isSafeInteger(total + item)) total += item
    else if ((total instanceof RFloat || item instanceof RFloat) && isPlainNumber(total) && isPlainNumber(item)) {
      isFloat = true
      const [sum, next] = [floatOf(total), floatOf(item)]
      const raised = sum + next
      if (Number.isFinite(raised))
        compensation += Math.abs(sum) >= Math.abs(next) ? sum - raised + next : next - raised + sum
      total = new RFloat(raised)
    } else total = send(total, '+', [item])
  })
  return isFloat && total instanceof RFloat && Number.isFinite(total.value)
    ? new RFloat(total.value + compensation)
    : total
}

function isPlainNumber(value: Value): boolean {
  return value instanceof RFloat || typeof value === 'number' || typeof value === 'bigint'
}

function floatOf(value: Value): number {
  return value instanceof RFloat ? value.value : Number(value)
}

function quantifier(name: string, judge: (list: Value[], test: (item: Value) => boolean) => boolean): void {
  define(Enumerable, name, [0, 1], (self, args, block) => judge(listOf(self), tester(args, block)))
}
define(Enumerable, 'any?', [0, 1], (self, args, block) => {
  const test = tester(args, block)
  let found = false
  iterate(self, (item) => (found = test(item)))
  return found
})
define(Enumerable, 'all?', [0, 1], (self, args, block) => {
  const test = tester(args, block)
  let all = true
  iterate(self, (item) => !(all = test(item)))
  return all
})
quantifier('none?', (list, test) => !list.some(test))
quantifier('one?', (list, test) => list.filter(test).length === 1)
define(Enumerable, 'include? member?', 1, (self, [item]) => {
  let found = false
  iterate(self, (one) => (found = equals(one, item!)))
  return found
})

define(Enumerable, 'first', [0, 1], (self, [count]) => {
  const out: Value[] = []
  const wanted = count === undefined ? 1 : checkedCount(count)
  if (wanted > 0) {
    iterate(self, (item) => {
      out.push(item)
      return out.length >= wanted
    })
  }
  return count === undefined ? (out[0] ?? null) : out
})
define(Enumerable, 'take', 1, (self, [count]) => {
  const size = toInt(count!)
  if (size < 0) throw argumentError('attempt to take negative size')
  return Array.isArray(self) ? self.slice(0, size) : send(self, 'first', [size])
})
define(Enumerable, 'drop', 1, (self, [count]) => {
  const size = toInt(count!)
  if (size < 0) throw argumentError('attempt to drop negative size')
  return freshList(self).slice(size)
})
blocked('take_while', 0, (self, block) => {
  const out: Value[] = []
  iterate(self, (item) => {
    if (!truthy(yield1(block, item))) return true
    out.push(item)
    return false
  })
  return out
})
blocked('drop_while', 0, (self, block) => {
  const list = listOf(self)
  const at = list.findIndex((item) => !truthy(yield1(block, item)))
  return at < 0 ? [] : list.slice(at)
})

define(Enumerable, 'sort', 0, (self, _args, block) => sorted(listOf(self), block))
blocked('sort_by', 0, (self, block) => sortedBy(listOf(self), block))

function extreme(name: string, direction: 1 | -1): void {
  define(Enumerable, name, [0, 1], (self, [count], block) => {
    const by = (a: Value, b: Value) => direction * (block === null ? order(a, b) : orderOf(yield2(block, a, b), a, b))
    const list = listOf(self)
    if (count !== undefined && count !== null) {
      const wanted = checkedCount(count)
      return [...list].sort(by).slice(0, wanted)
    }
    return best(list, by)
  })
  blocked(`${name}_by`, [0, 1], (self, block, [count]) => {
    const keyed = listOf(self).map((item) => ({ item, key: yield1(block, item) }))
    const by = (a: { key: Value }, b: { key: Value }) => direction * order(a.key, b.key)
    if (count !== undefined)
      return keyed
        .sort(by)
        .slice(0, checkedCount(count))
        .map(({ item }) => item)
    let found = keyed[0]
    for (const one of keyed) if (found !== undefined && by(one, found) < 0) found = one
    return found?.item ?? null
  })
}

function best(list: Value[], by: (a: Value, b: Value) => number): Value {
  if (list.length === 0) return null
  let found = list[0]!
  for (let i = 1; i < list.length; i++) if (by(list[i]!, found) < 0) found = list[i]!
  return found
}
extreme('min', 1)
extreme('max', -1)
define(Enumerable, 'minmax', 0, (self, _args, block) => [send(self, 'min', [], block), send(self, 'max', [], block)])
blocked('minmax_by', 0, (self, block) => [send(self, 'min_by', [], block), send(self, 'max_by', [], block)])

define(Enumerable, 'uniq', 0, (self, _args, block) =>
  uniqueBy(listOf(self), (item) => (block === null ? item : yield1(block, item))),
)
define(Enumerable, 'compact', 0, (self) => listOf(self).filter((item) => item !== null))
define(Enumerable, 'to_h', ANY, (self, _args, block) => {
  const hash = new RHash()
  let index = 0
  iterate(self, (item) => {
    const pair = block === null ? item : yield1(block, item)
    const at = Array.isArray(self) && block === null ? ` at ${index++}` : ''
    if (!Array.isArray(pair)) throw typeError(`wrong element type ${kindOf(pair)}${at} (expected array)`)
    if (pair.length !== 2) {
      const what = at === '' ? 'element has wrong array length' : `wrong array length${at}`
      throw argumentError(`${what} (expected 2, was ${pair.length})`)
    }
    hash.set(pair[0]!, pair[1]!)
  })
  return hash
})
define(Enumerable, 'zip', ANY, (self, lists, block) => send(listOf(self), 'zip', lists, block))
blocked('cycle', [0, 1], (self, block, [times]) => {
  const list = freshList(self)
  const rounds = times === undefined || times === null ? Number.POSITIVE_INFINITY : toInt(times)
  if (list.length === 0) return null
  for (let i = 0; i < rounds; i++) {
    step()
    for (const item of list) yield1(block, item)
  }
  return null
})

/** Splits a list wherever a test of two neighbours is true. */
function chunks(list: Value[], splits: (before: Value, after: Value) => boolean): Value[] {
  const out: Value[][] = []
  list.forEach((item, i) => {
    if (i === 0 || splits(list[i - 1]!, item)) out.push([item])
    else out[out.length - 1]!.push(item)
  })
  return out
}
blocked('slice_when', 0, (self, block) =>
  enumerator(
    chunks(listOf(self), (a, b) => truthy(yield2(block, a, b))),
    'each',
  ),
)
blocked('chunk_while', 0, (self, block) =>
  enumerator(
    chunks(listOf(self), (a, b) => !truthy(yield2(block, a, b))),
    'each',
  ),
)
blocked('chunk', 0, (self, block) => {
  const out: Value[][] = []
  for (const item of listOf(self)) {
    const key = yield1(block, item)
    const last = out[out.length - 1]
    if (last !== undefined && equals(last[0]!, key)) (last[1] as Value[]).push(item)
    else out.push([key, [item]])
  }
  return enumerator(out, 'each')
})
define(Enumerable, 'slice_before slice_after', [0, 1], (self, args, block) => {
  const test = tester(args, block)
  return enumerator(
    chunks(listOf(self), (_before, after) => test(after)),
    'each',
  )
})
define(Enumerable, 'slice_after', [0, 1], (self, args, block) => {
  const test = tester(args, block)
  return enumerator(
    chunks(listOf(self), (before) => test(before)),
    'each',
  )
})
define(Enumerable, 'grep', 1, (self, [pattern], block) =>
  listOf(self)
    .filter((item) => truthy(send(pattern!, '===', [item])))
    .map((item) => (block === null ? item : yield1(block, item))),
)
define(Enumerable, 'grep_v', 1, (self, [pattern], block) =>
  listOf(self)
    .filter((item) => !truthy(send(pattern!, '===', [item])))
    .map((item) => (block === null ? item : yield1(block, item))),
)
define(Enumerable, 'lazy', 0, (self) => {
  const made = enumerator(self, 'each')
  made.isLazy = true
  return made
})
