/** `params._source`: the stored document, read once per document and only where a script asks for it. */
import { JsonReader } from '../../base/json/json-reader.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'

const json = new JsonReader()

/** The source of a document; of a nested object that of the document around it. Empty where none is stored. */
export function documentSource(reader: SegmentReader, doc: number): unknown {
  const { nested } = reader
  let root = doc
  if (nested !== undefined) while (nested.pathOf[root] !== 0) root++
  const source = reader.sourceView(root, true)
  if (source === undefined) return {}
  // The reader writes into the bytes it reads.
  json.reset(Uint8Array.from(source))
  json.next()
  return plainValue(json, true)
}
