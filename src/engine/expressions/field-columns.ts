/** Columns of doubles for expressions: one number of a field for each document of a block. */
import type { DocValuesReader, NumberBlock } from '../painless/index.ts'
import type { Choice, FieldNumber } from './variables.ts'

/** Fills `into[0, count)` for `docs[0, count)`, ascending. */
export type FillColumn = (docs: Int32Array, count: number, into: Float64Array) => void

export function fieldColumn(reader: DocValuesReader, { choice, member }: FieldNumber): FillColumn {
  const choose = CHOICES[choice]
  if (reader.canReadBlocks !== true || reader.readBlock === undefined) return oneByOne(reader, choice, member)
  const block: NumberBlock = { offsets: new Int32Array(0), values: new Float64Array(0) }
  let offsets = block.offsets
  return (docs, count, into) => {
    if (offsets.length <= count) {
      offsets = new Int32Array(Math.max(count + 1, 1024))
      Object.assign(block, { offsets })
    }
    reader.readBlock!(docs, count, block)
    const { values } = block
    for (let i = 0; i < count; i++) {
      const from = offsets[i]!
      const to = offsets[i + 1]!
      const value = choose(values, from, to)
      into[i] = member === undefined || from === to ? value : member(value)
    }
  }
}

/** For points, and for values that can only be read document by document. */
function oneByOne(reader: DocValuesReader, choice: Choice, member: FieldNumber['member']): FillColumn {
  const choose = CHOICES[choice]
  let values = new Float64Array(8)
  return (docs, count, into) => {
    for (let i = 0; i < count; i++) {
      const found = reader.advance(docs[i]!)
      if (values.length < found) values = new Float64Array(found)
      if (choice !== 'count' && choice !== 'empty') {
        for (let at = 0; at < found; at++) values[at] = choice === 'lon' ? reader.longitudeAt(at) : reader.doubleAt(at)
      }
      const value = choose(values, 0, found)
      into[i] = member === undefined || found === 0 ? value : member(value)
    }
  }
}

type Choose = (values: Float64Array, from: number, to: number) => number

const first: Choose = (values, from, to) => (from === to ? 0 : values[from]!)

/** Values of a document are in ascending order. */
const CHOICES: Readonly<Record<Choice, Choose>> = {
  min: first,
  lat: first,
  lon: first,
  max: (values, from, to) => (from === to ? 0 : values[to - 1]!),
  sum,
  avg: (values, from, to) => (from === to ? 0 : sum(values, from, to) / (to - from)),
  median(values, from, to) {
    if (from === to) return 0
    const middle = from + ((to - from - 1) >> 1)
    return (to - from) % 2 === 1 ? values[middle]! : (values[middle]! + values[middle + 1]!) / 2
  },
  count: (_, from, to) => to - from,
  empty: (_, from, to) => (from === to ? 1 : 0),
}

function sum(values: Float64Array, from: number, to: number): number {
  let total = 0
  for (let i = from; i < to; i++) total += values[i]!
  return total
}
