/**
 * The first documents of a segment by the value of a field, read from its ordered index. If all or many documents
 * match, this finds the hits of a sort without reading the others.
 */
import { hasBit } from '../../../base/bit-set.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { OrderedKey } from '../../sort/sort-key.ts'

/**
 * At least `wanted` matching live root documents, if there are as many, and all that tie with the last of them;
 * ascending by document. With `after` only documents after that value count, including those that tie with it.
 */
export function firstInOrder(
  { reader, live }: SegmentView,
  { index, descending }: OrderedKey,
  wanted: number,
  after: number | bigint | undefined,
  scorer: Scorer | undefined,
): Int32Array {
  const roots = reader.nested?.roots
  const step = descending ? -1 : 1
  const from = after === undefined ? undefined : index.seek(after, descending)
  const behind = after === undefined ? undefined : index.seek(after, !descending)
  let end = descending ? -1 : index.length
  let position = from === undefined ? (descending ? index.length - 1 : 0) : descending ? from - 1 : from
  const firstCounted = behind === undefined ? position : descending ? behind - 1 : behind
  let found = new Int32Array(Math.min(Math.max(wanted, 16), index.length))
  let count = 0
  let counted = 0
  for (; position !== end; position += step) {
    const doc = index.docAt(position)
    if ((live !== undefined && !hasBit(live, doc)) || (roots !== undefined && !hasBit(roots, doc))) continue
    if (scorer !== undefined && !scorer.has!(doc)) continue
    if (count === found.length) found = grown(found)
    found[count++] = doc
    if ((position - firstCounted) * step < 0 || ++counted !== wanted) continue
    const last = index.valueAt(position)
    end = descending ? index.seek(last, false) - 1 : index.seek(last, true)
  }
  return found.subarray(0, count).sort()
}

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(list.length * 2)
  larger.set(list)
  return larger
}
