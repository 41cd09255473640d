/**
 * Reads the hits of a search as the items of a bulk request, for by-query operations: the page of hits goes to the thread that
 * writes the documents as it came from the search, and only the counts come back.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import type { BulkRequest, HitPart } from '../shard-host.ts'
import { type BulkOutcome, CREATED, DELETED, NOT_FOUND } from './bulk-answer.ts'
import { BulkItems, DELETE, INDEX, newExtras } from './bulk-items.ts'
import { RawJson } from './raw-json.ts'
import { Turns } from './turns.ts'

const text = (value: string) => Buffer.from(value)
const INDEX_NAME = text('_index')
const ID = text('_id')
const ROUTING = text('_routing')
const SEQ_NO = text('_seq_no')
const PRIMARY_TERM = text('_primary_term')
const SOURCE = text('_source')

const BACKSLASH = 0x5c

type HitSource = Pick<BulkRequest, 'body' | 'requireAlias' | 'requireDataStream'>

/** The items write or delete the documents of the hits, on the condition that those did not change. */
export async function readHits(request: HitSource, { action, at, limit }: HitPart): Promise<BulkItems> {
  const { buffer, byteOffset, byteLength } = request.body
  const reader = new HitReader(Buffer.from(buffer, byteOffset, byteLength), at, request, action === 'delete')
  const turns = new Turns()
  while (reader.items.count < limit && reader.next()) if (turns.isOver(false)) await turns.next()
  return reader.items
}

class HitReader {
  readonly items = new BulkItems()
  readonly #body: Buffer
  readonly #json: RawJson
  readonly #request: HitSource
  readonly #isDelete: boolean
  // Most hits have the same index as the previous one.
  #nameStart = 0
  #nameEnd = 0
  #target = -1

  constructor(body: Buffer, at: number, request: HitSource, isDelete: boolean) {
    this.#body = body
    this.#json = new RawJson(body, at)
    this.#request = request
    this.#isDelete = isDelete
    this.#json.enterArray()
  }

  /** Adds an item for the next hit; false after the last one. */
  next(): boolean {
    const json = this.#json
    if (!json.nextItem()) return false
    const { items } = this
    const item = items.push()
    items.action[item] = this.#isDelete ? DELETE : INDEX
    items.routingStart[item] = -1
    items.sourceStart[item] = -1
    items.sourceEnd[item] = -1
    const extras = newExtras()
    items.extra[item] = items.extras.push(extras) - 1
    json.enterObject()
    while (json.nextMember()) {
      const start = json.at
      json.skipValue()
      const end = json.at
      if (json.isNamed(ID)) {
        items.idStart[item] = start + 1
        items.idEnd[item] = this.#unescaped(start, end)
      } else if (json.isNamed(SOURCE)) {
        items.sourceStart[item] = start
        items.sourceEnd[item] = end
      } else if (json.isNamed(INDEX_NAME)) items.target[item] = this.#targetOf(start, end)
      else if (json.isNamed(SEQ_NO)) extras.ifSeqNo = this.#number(start, end)
      else if (json.isNamed(PRIMARY_TERM)) extras.ifPrimaryTerm = this.#number(start, end)
      else if (json.isNamed(ROUTING)) {
        items.routingStart[item] = start + 1
        items.routingEnd[item] = this.#unescaped(start, end)
      }
    }
    if (!this.#isDelete && items.sourceStart[item]! < 0) {
      const id = decodeUtf8(this.#body, items.idStart[item]!, items.idEnd[item]!)
      throw illegalArgument(`[${items.targets[items.target[item]!]!.name}][${id}] didn't store _source`)
    }
    return true
  }

  /** Unescapes the JSON string in place, and returns its end. */
  #unescaped(start: number, end: number): number {
    const body = this.#body
    for (let i = start + 1; i < end - 1; i++) {
      if (body[i] !== BACKSLASH) continue
      return start + 1 + body.write(JSON.parse(body.toString('utf8', start, end)) as string, start + 1)
    }
    return end - 1
  }

  #number(start: number, end: number): number {
    const body = this.#body
    let value = 0
    for (let i = start; i < end; i++) value = value * 10 + body[i]! - 0x30
    return value
  }

  #targetOf(start: number, end: number): number {
    const body = this.#body
    if (this.#target >= 0 && isSame(body, this.#nameStart, this.#nameEnd, start, end)) return this.#target
    this.#nameStart = start
    this.#nameEnd = end
    const { requireAlias, requireDataStream } = this.#request
    this.#target = this.items.targetNumber({
      name: JSON.parse(body.toString('utf8', start, end)) as string,
      requireAlias: requireAlias && !this.#isDelete,
      requireDataStream: requireDataStream && !this.#isDelete,
      isDelete: this.#isDelete,
    })
    return this.#target
  }
}

function isSame(body: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false
  for (let i = 0; i < aEnd - aStart; i++) if (body[aStart + i] !== body[bStart + i]) return false
  return true
}

/** The answer if every item was written: `{"errors":false,"counts":[created,updated,deleted,noops],"indices":[names]}`. */
export function encodeCounts({ count, targets }: BulkItems, { result, dropped, skipped }: BulkOutcome): Uint8Array {
  let [created, deleted, noops] = [0, 0, 0]
  for (let item = 0; item < count; item++) {
    if (skipped.size > 0 && skipped.has(item)) noops++
    else if (dropped.size > 0 && dropped.has(item)) continue
    else if (result[item] === CREATED) created++
    else if (result[item] === DELETED || result[item] === NOT_FOUND) deleted++
  }
  // A document that a pipeline dropped counts as updated.
  const updated = count - created - deleted - noops
  // The buffer of its own can be transferred to another thread.
  const names = JSON.stringify([...new Set(targets.map(({ name }) => name))])
  return new TextEncoder().encode(
    `{"errors":false,"counts":[${created},${updated},${deleted},${noops}],"indices":${names}}`,
  )
}
