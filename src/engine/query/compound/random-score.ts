/** `random_score`: a pseudo-random number that is the same for the same seed. */
import { illegalArgument } from '../../../base/api-error.ts'
import { idFielddataDisallowed } from '../../../base/errors/search-errors.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { murmur3 } from '../../../base/murmur3.ts'
import { checkDocValues } from '../../mapping/doc-values-access.ts'
import { hasFractions, inNanoseconds } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { explained } from '../../scoring/explanation.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { NumericDocValues, SegmentView } from '../../segment/segment-reader-api.ts'
import type { ScoreFunction } from './score-functions.ts'

/** Without a field the document number is used. */
export function randomScore(seed: number | undefined, field: string | undefined): ScoreFunction {
  return {
    bind(context) {
      if ((seed !== undefined && field === undefined) || field === '_id') {
        throw idFielddataDisallowed()
      }
      const docValues = sourceDocValues(context, field)
      const chosen = seed ?? Math.trunc(context.nowMs)
      const salted = mix(chosen ^ ((hashCode(context.index.name) << 10) | context.shard))
      return (segment) => {
        const hash = hashOf(segment, field, docValues, salted)
        const value = (doc: number) => (hash(doc) & 0xffffff) / 2 ** 24
        const shown = `random score function (seed: ${chosen}, field: ${field ?? 'null'})`
        return { value, explain: (doc) => explained(Math.fround(value(doc)), shown) }
      }
    },
  }
}

/** The field that seeds the random numbers; undefined for `_seq_no` or the document number. */
function sourceDocValues(context: SearchExecutionContext, name: string | undefined): FieldType | undefined {
  if (name === undefined || name === '_seq_no' || name === '_version') return undefined
  const field = context.mapping.field(name)
  if (field === undefined) {
    const { name: index, uuid } = context.index
    throw illegalArgument(
      `Field [${name}] is not mapped on [[${index}/${uuid}]] and cannot be used as a source of random numbers.`,
    )
  }
  const docValues = field.asDocValues ?? field
  checkDocValues(docValues, context.index)
  return docValues
}

function hashOf(
  { reader, docBase }: SegmentView,
  name: string | undefined,
  docValues: FieldType | undefined,
  seed: number,
): (doc: number) => number {
  const ofText = (text: string) => murmur3Text(text, seed)
  if (name === undefined) return (doc) => mix((docBase + doc) ^ seed)
  if (name === '_seq_no') return (doc) => ofText(String(reader.seqNo(doc)))
  if (name === '_version') return (doc) => ofText(String(reader.version(doc)))
  const physical = storageName(docValues!)
  const terms = reader.sortedSetDocValues(physical)
  const numbers = reader.numericDocValues(physical)
  return (doc) => {
    if (terms?.has(doc)) {
      const bytes = terms.term(terms.ordinalAt(terms.start(doc)))
      return murmur3(bytes, 0, bytes.length, seed)
    }
    return numbers?.has(doc) ? ofText(valueText(docValues!, numbers, numbers.start(doc))) : seed
  }
}

/** The value as Java prints it, which is hashed. */
function valueText(field: FieldType, docValues: NumericDocValues, slot: number): string {
  if (hasFractions(field.traits)) return formatDouble(docValues.valueAt(slot))
  const whole = docValues.exact ? docValues.valueAt(slot) : docValues.bigAt(slot)
  return String(inNanoseconds(field.traits) ? BigInt(whole) / 1_000_000n : whole)
}

function murmur3Text(text: string, seed: number): number {
  const bytes = Buffer.from(text)
  return murmur3(bytes, 0, bytes.length, seed)
}

/** Mixes the bits of an integer. */
function mix(value: number): number {
  let k = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  k = Math.imul(k ^ (k >>> 13), 0xc2b2ae35)
  return k ^ (k >>> 16)
}

/** Java's hash of a string. */
function hashCode(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0
  return hash
}
