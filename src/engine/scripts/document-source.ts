/** `params._source`: the stored document, read at most once per document and only if a script uses it. */

import { JsonReader } from '../../base/json/json-reader.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'

const json = new JsonReader()

/** The source of a document; for a nested object the source of its root document. Empty if none is stored. */
export function documentSource(reader: SegmentReader, doc: number): unknown {
  const { nested } = reader
  let root = doc
  if (nested !== undefined) while (nested.pathOf[root] !== 0) root++
  const source = reader.sourceView(root, true)
  if (source === undefined) return {}
  // The reader modifies the bytes that it reads.
  json.reset(copyOfLent(source))
  json.next()
  return plainValue(json, true)
}
