/** Reads a page of search hits from the bytes of a response. Ids, routings and sources stay bytes, because they are written unchanged. */
import { decodeUtf8 } from '../../base/json/json-bytes.ts'
import { RawJson } from '../shards/bulk/raw-json.ts'

/** A hit as scripts see it. */
export interface Hit {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
  readonly version: number | bigint | undefined
}

const NAMES = {
  index: Buffer.from('_index'),
  id: Buffer.from('_id'),
  routing: Buffer.from('_routing'),
  version: Buffer.from('_version'),
  seqNo: Buffer.from('_seq_no'),
  primaryTerm: Buffer.from('_primary_term'),
  source: Buffer.from('_source'),
}

/** Ranges of the response. An absent value starts at -1. */
class Ranges {
  #ends = new Int32Array(64)
  #starts = new Int32Array(64).fill(-1)

  set(hit: number, start: number, end: number): void {
    if (hit >= this.#starts.length) {
      const starts = new Int32Array(hit * 2).fill(-1)
      starts.set(this.#starts)
      const ends = new Int32Array(hit * 2)
      ends.set(this.#ends)
      this.#starts = starts
      this.#ends = ends
    }
    this.#starts[hit] = start
    this.#ends[hit] = end
  }

  start(hit: number): number {
    return this.#starts[hit] ?? -1
  }

  end(hit: number): number {
    return this.#ends[hit]!
  }
}

export class HitPage {
  readonly body: Buffer
  /** The number of hits, which is known when they were read. */
  count = 0
  /** Where the array of hits starts in the response; -1 without one. */
  hitsAt = -1
  isEmpty = true
  scrollId: string | undefined
  total = 0
  timedOut = false
  /** Shard failures as in the response. */
  shardFailures: readonly unknown[] = []
  /** The names of the indices, one per hit; neighbours share one string. */
  readonly indices: string[] = []
  /** JSON strings with their quotes. */
  readonly ids = new Ranges()
  readonly routings = new Ranges()
  /** Numbers. */
  readonly versions = new Ranges()
  readonly seqNos = new Ranges()
  readonly primaryTerms = new Ranges()
  readonly sources = new Ranges()
  #hasLineBreaks: boolean | undefined
  // The last index name, which most hits share, is recognized without decoding it.
  #nameStart = 0
  #nameEnd = 0

  constructor(body: Buffer) {
    this.body = body
  }

  /** Whether a source may contain line breaks, which end the line of a bulk body. */
  get hasLineBreaks(): boolean {
    this.#hasLineBreaks ??= this.body.includes(0x0a) || this.body.includes(0x0d)
    return this.#hasLineBreaks
  }

  /** The bytes of `_source`; undefined if it is not stored. */
  source(hit: number): Buffer | undefined {
    const start = this.sources.start(hit)
    return start < 0 ? undefined : this.body.subarray(start, this.sources.end(hit))
  }

  /** Adds the index of the next hit, a JSON string. */
  addIndex(start: number, end: number): void {
    const { body, indices } = this
    if (indices.length > 0 && body.compare(body, this.#nameStart, this.#nameEnd, start, end) === 0) {
      indices.push(indices.at(-1)!)
      return
    }
    this.#nameStart = start
    this.#nameEnd = end
    indices.push(JSON.parse(body.toString('utf8', start, end)) as string)
  }

  hit(hit: number): Hit {
    const version = this.#text(this.versions, hit)
    return {
      index: this.indices[hit]!,
      id: this.id(hit),
      routing: this.#value(this.routings, hit),
      version: version === undefined ? undefined : exactInteger(version),
    }
  }

  id(hit: number): string {
    return this.#value(this.ids, hit)!
  }

  /** A JSON string, decoded. */
  #value(ranges: Ranges, hit: number): string | undefined {
    const text = this.#text(ranges, hit)
    if (text === undefined) return undefined
    return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
  }

  #text(ranges: Ranges, hit: number): string | undefined {
    const start = ranges.start(hit)
    return start < 0 ? undefined : decodeUtf8(this.body, start, ranges.end(hit))
  }
}

function exactInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

/** Reads a response. `headOnly` leaves the hits unread, for which the response may be read again, and what follows them. */
export function readHitPage(body: Buffer, headOnly = false): HitPage {
  const page = new HitPage(body)
  const json = new RawJson(body)
  json.enterObject()
  while ((!headOnly || page.hitsAt < 0) && json.nextMember()) {
    const name = body.toString('latin1', json.nameStart, json.nameEnd)
    if (name === '_scroll_id') page.scrollId = json.value() as string
    else if (name === 'timed_out') page.timedOut = json.value() === true
    else if (name === '_shards') page.shardFailures = (json.value() as { failures?: unknown[] }).failures ?? []
    else if (name === 'hits') readHits(json, page, headOnly)
    else json.skipValue()
  }
  return page
}

function readHits(json: RawJson, page: HitPage, headOnly: boolean): void {
  json.enterObject()
  while (json.nextMember()) {
    const name = page.body.toString('latin1', json.nameStart, json.nameEnd)
    if (name === 'total') page.total = totalOf(json.value())
    else if (name === 'hits') {
      page.hitsAt = json.at
      json.enterArray()
      page.isEmpty = !json.nextItem()
      if (page.isEmpty) continue
      if (headOnly) return
      do readHit(json, page, page.count++)
      while (json.nextItem())
    } else json.skipValue()
  }
}

function totalOf(value: unknown): number {
  return typeof value === 'number' ? value : (value as { value: number }).value
}

function readHit(json: RawJson, page: HitPage, hit: number): void {
  json.enterObject()
  while (json.nextMember()) {
    const start = json.at
    json.skipValue()
    const end = json.at
    if (json.isNamed(NAMES.id)) page.ids.set(hit, start, end)
    else if (json.isNamed(NAMES.source)) page.sources.set(hit, start, end)
    else if (json.isNamed(NAMES.index)) page.addIndex(start, end)
    else if (json.isNamed(NAMES.seqNo)) page.seqNos.set(hit, start, end)
    else if (json.isNamed(NAMES.primaryTerm)) page.primaryTerms.set(hit, start, end)
    else if (json.isNamed(NAMES.routing)) page.routings.set(hit, start, end)
    else if (json.isNamed(NAMES.version)) page.versions.set(hit, start, end)
  }
}
