import type { BinaryDocValues } from '../segment-reader-api.ts'

/** The values of a document in a binary field as Elasticsearch has them: in the order of their bytes, each once. */
export function distinctBytes(column: BinaryDocValues, doc: number): Uint8Array[] {
  if (!column.has(doc)) return []
  const values: Uint8Array[] = []
  for (let slot = column.start(doc); slot < column.end(doc); slot++) values.push(column.bytesAt(slot))
  values.sort(Buffer.compare)
  return values.filter((value, i) => i === 0 || Buffer.compare(value, values[i - 1]!) !== 0)
}
