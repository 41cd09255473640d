/** Reads a page of search hits from the bytes of a response. Sources stay bytes, because they are written unchanged. */
import {
  END_ARRAY,
  END_OBJECT,
  FIELD_NAME,
  JsonReader,
  type JsonToken,
  START_ARRAY,
  START_OBJECT,
} from '../../base/json/json-reader.ts'

export interface Hit {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
  readonly version: number | bigint | undefined
  readonly seqNo: number | undefined
  readonly primaryTerm: number | undefined
  /** The bytes of `_source`; undefined if it is not stored. */
  readonly source: Buffer | undefined
}

export interface HitPage {
  readonly scrollId: string | undefined
  readonly total: number
  readonly timedOut: boolean
  readonly hits: readonly Hit[]
  /** Shard failures as in the response. */
  readonly shardFailures: readonly unknown[]
}

export function readHitPage(body: Buffer): HitPage {
  const reader = new JsonReader().reset(body)
  let scrollId: string | undefined
  let total = 0
  let timedOut = false
  let shardFailures: readonly unknown[] = []
  const hits: Hit[] = []
  expect(reader.next(), START_OBJECT)
  while (reader.next() === FIELD_NAME) {
    const name = reader.text()
    reader.next()
    if (name === '_scroll_id') scrollId = reader.text()
    else if (name === 'timed_out') timedOut = reader.value() === true
    else if (name === '_shards') shardFailures = (reader.value() as { failures?: unknown[] }).failures ?? []
    else if (name === 'hits') total = readHits(reader, body, hits)
    else reader.skipChildren()
  }
  // Parsing unescapes strings in place, but sources must be written unchanged.
  reader.restore()
  return { scrollId, total, timedOut, hits, shardFailures }
}

function readHits(reader: JsonReader, body: Buffer, hits: Hit[]): number {
  let total = 0
  expect(reader.token, START_OBJECT)
  while (reader.next() === FIELD_NAME) {
    const name = reader.text()
    reader.next()
    if (name === 'total') total = totalOf(reader.value())
    else if (name === 'hits') {
      expect(reader.token, START_ARRAY)
      while (reader.next() !== END_ARRAY) hits.push(readHit(reader, body))
    } else reader.skipChildren()
  }
  return total
}

function totalOf(value: unknown): number {
  return typeof value === 'number' ? value : (value as { value: number }).value
}

function readHit(reader: JsonReader, body: Buffer): Hit {
  let [index, id] = ['', '']
  let routing: string | undefined
  let version: number | bigint | undefined
  let seqNo: number | undefined
  let primaryTerm: number | undefined
  let source: Buffer | undefined
  expect(reader.token, START_OBJECT)
  while (reader.next() !== END_OBJECT) {
    const name = reader.text()
    reader.next()
    if (name === '_index') index = reader.text()
    else if (name === '_id') id = reader.text()
    else if (name === '_routing') routing = reader.text()
    else if (name === '_version') version = reader.integer()
    else if (name === '_seq_no') seqNo = reader.number()
    else if (name === '_primary_term') primaryTerm = reader.number()
    else if (name === '_source') {
      const start = reader.start
      reader.skipChildren()
      source = body.subarray(start, reader.position)
    } else reader.skipChildren()
  }
  return { index, id, routing, version, seqNo, primaryTerm, source }
}

function expect(token: JsonToken, wanted: JsonToken): void {
  if (token !== wanted) throw new Error('the answer to a search has an unexpected shape')
}
