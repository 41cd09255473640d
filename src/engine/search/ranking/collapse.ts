/** `collapse`: keeps only the best of the documents with the same value. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { SortValue } from '../../sort/sort-key.ts'

/** The field; throws if it cannot be collapsed on. */
export function collapseField(context: SearchExecutionContext, name: string | undefined): FieldType {
  if (name === undefined) throw illegalArgument('no collapse field specified')
  const field = context.mapping.field(name)
  if (field === undefined) throw illegalArgument(`no mapping found for \`${name}\` in order to collapse on`)
  const isTerm = field.shape === 'term' && field.traits.family !== 'ip' && field.traits.family !== 'features'
  const isNumber = field.traits.family === 'number'
  if ((!isTerm && !isNumber) || field.isRuntime) {
    throw illegalArgument(`collapse is not supported for the field [${name}] of the type [${field.type}]`)
  }
  if (!field.hasDocValues) {
    throw illegalArgument(`cannot collapse on field \`${name}\` without \`doc_values\``)
  }
  return field
}

/** Equal groups have equal names. */
export function groupName(value: SortValue): string {
  if (value === null) return ''
  return value instanceof Uint8Array ? `t${Buffer.from(value).toString('latin1')}` : `n${value}`
}

/** Reads the group of a document; documents without a value form one group. */
export function groupReader(field: FieldType, { reader }: SegmentView): (doc: number) => SortValue {
  const name = storageName(field)
  const terms = reader.sortedSetDocValues(name)
  const numbers = reader.numericDocValues(name)
  const docValues = terms ?? numbers
  return (doc) => {
    if (!docValues?.has(doc)) return null
    const slot = docValues.start(doc)
    if (docValues.end(doc) - slot > 1) {
      throw illegalArgument(`failed to extract doc:${doc}, the grouping field must be single valued`)
    }
    if (terms !== undefined) return terms.term(terms.ordinalAt(slot)).slice()
    return numbers!.exact ? numbers!.valueAt(slot) : numbers!.bigAt(slot)
  }
}

/** The best document of each group of a segment. */
export class GroupCollector {
  readonly #groupOf: (doc: number) => SortValue
  readonly #stride: number
  readonly #best = new Map<string, { doc: number; score: number; keys: Float64Array }>()

  constructor(groupOf: (doc: number) => SortValue, stride: number) {
    this.#groupOf = groupOf
    this.#stride = stride
  }

  collect(docs: Int32Array, count: number, base: number, scores: Float32Array, keys: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!
      const name = groupName(this.#groupOf(doc))
      const own = keys.subarray(i * this.#stride, (i + 1) * this.#stride)
      const known = this.#best.get(name)
      // Documents ascend: with equal keys the earlier one stays.
      if (known !== undefined && compareKeys(known.keys, own) <= 0) continue
      this.#best.set(name, { doc, score: scores[doc - base]!, keys: own.slice() })
    }
  }

  drain(): { docs: Int32Array; scores: Float32Array } {
    const ranked = [...this.#best.values()].sort((a, b) => compareKeys(a.keys, b.keys) || a.doc - b.doc)
    return {
      docs: Int32Array.from(ranked, ({ doc }) => doc),
      scores: Float32Array.from(ranked, ({ score }) => score),
    }
  }
}

function compareKeys(a: Float64Array, b: Float64Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}
