/** Array: products, combinations and permutations. Their number is accounted for before they are created. */
import { ANY, ArrayClass, define } from '../../runtime/classes.ts'
import { toArray, toInt } from '../../runtime/convert.ts'
import { kindOf, respondsTo, yield1 } from '../../runtime/dispatch.ts'
import { typeError } from '../../runtime/errors.ts'
import { charge, step } from '../../runtime/limits.ts'
import type { RProc, Value } from '../../runtime/model.ts'
import { enumerator, listOf } from './iterate.ts'

type List = Value[]

define<List>(ArrayClass, 'product', ANY, (self, lists) => {
  const all = [self, ...lists.map(toArray)]
  charge(all.reduce((count, list) => count * list.length, 1) * all.length)
  return all.reduce<Value[][]>((rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])), [[]])
})
define<List>(ArrayClass, 'zip', ANY, (self, lists, block) => {
  const others = lists.map((list) => (Array.isArray(list) ? list : listOf(enumerable(list))))
  charge(self.length * (others.length + 1))
  const rows: List[] = []
  for (let i = 0; i < self.length; i++) {
    const row: List = [self[i]!]
    for (const list of others) row.push(list[i] ?? null)
    rows.push(row)
  }
  if (block === null) return rows
  for (const row of rows) yield1(block, row)
  return null
})

function enumerable(value: Value): Value {
  if (respondsTo(value, 'each')) return value
  throw typeError(`wrong argument type ${kindOf(value)} (must respond to :each)`)
}

function* chosen(list: List, size: number, from = 0): Generator<List> {
  step()
  if (size === 0) yield []
  else
    for (let i = from; i <= list.length - size; i++)
      for (const rest of chosen(list, size - 1, i + 1)) yield [list[i]!, ...rest]
}

function* arranged(list: List, size: number): Generator<List> {
  step()
  if (size === 0) yield []
  else
    for (let i = 0; i < list.length; i++)
      for (const rest of arranged([...list.slice(0, i), ...list.slice(i + 1)], size - 1)) yield [list[i]!, ...rest]
}

function* repeated(list: List, size: number, inOrder: boolean, from = 0): Generator<List> {
  step()
  if (size === 0) yield []
  else
    for (let i = inOrder ? from : 0; i < list.length; i++)
      for (const rest of repeated(list, size - 1, inOrder, i)) yield [list[i]!, ...rest]
}

function rows(name: string, make: (self: List, size: number) => Iterable<List>, isSizeOptional = false): void {
  define<List>(ArrayClass, name, isSizeOptional ? [0, 1] : 1, (self, args, block: RProc | null) => {
    if (block === null) return enumerator(self, name, args)
    const size = args[0] === undefined ? self.length : toInt(args[0])
    if (size < 0 || (size > self.length && !name.startsWith('repeated'))) return self
    for (const row of make([...self], size)) {
      charge(row.length)
      yield1(block, row)
    }
    return self
  })
}
rows('combination', (self, size) => chosen(self, size))
rows('permutation', (self, size) => arranged(self, size), true)
rows('repeated_combination', (self, size) => repeated(self, size, true))
rows('repeated_permutation', (self, size) => repeated(self, size, false))
