/**
 * Writes hits that contain only their document directly as bytes, with the stored source. A page is mostly a copy of
 * stored bytes, and an object per hit would cost more than the copy.
 */

import { encodeJson, formatFloat, RawJson } from '../../../base/json/json-writer.ts'
import { giveBackAnswerMemory, takeAnswerMemory, takeSharedAnswerMemory } from '../../../base/memory/answer-memory.ts'
import { copyLent } from '../../../base/memory/lent-bytes.ts'
import { poison } from '../../../base/memory/poison.ts'
import { breakers } from '../../../base/memory/process-memory.ts'
import { shortLivedCopy } from '../../../base/memory/short-lived-copies.ts'
import { queriesWithInnerHits } from '../../../engine/search/fetch/inner-hits.ts'
import { queriesWithName } from '../../../engine/search/fetch/matched-queries.ts'
import type { SegmentView } from '../../../engine/segment/segment-reader-api.ts'
import type { SearchBody } from '../request/search-body.ts'
import type { AnsweredShard } from '../shards/shard-search.ts'
import type { RankedHit } from './hits-page.ts'

/**
 * Pages of at least this size get their own buffer, and their documents bypass the cache of stored blocks, because they
 * are mostly part of a scan.
 */
const LONG_FROM = 100

/** The array of hits as JSON; undefined if there are none, or if one of them is a nested object. */
export function plainHits(page: readonly RankedHit[], body: SearchBody): RawJson | undefined {
  if (page.length === 0 || page.some(isNested)) return undefined
  const output = new HitOutput(page.length, body.source?.enabled ?? true)
  for (const { answered, hit } of page) {
    const segment = answered.context.view.segments[hit.segment]!
    output.begin(answered)
    output.id(segment, hit.doc)
    output.versions(segment, hit.doc, body)
    output.score(hit.score)
    output.document(segment, hit.doc)
    output.sort(answered, hit.sort)
  }
  return output.end()
}

function isNested({ answered, hit }: RankedHit): boolean {
  const { nested } = answered.context.view.segments[hit.segment]!.reader
  return nested !== undefined && nested.pathOf[hit.doc] !== 0
}

/** Whether hits show only stored data in its stored form. */
export function wantsPlainHits(body: SearchBody): boolean {
  const { source } = body
  const clauses = [body.query, body.postFilter, ...body.rescores.map(({ query }) => query)]
  const queries = clauses.filter((query) => query !== undefined)
  return (
    (source === undefined ||
      (source.includes.length === 0 && source.excludes.length === 0 && source.withoutVectors !== true)) &&
    body.storedFields === undefined &&
    body.fields.length === 0 &&
    body.scriptFields.length === 0 &&
    body.docvalueFields.length === 0 &&
    body.collapse === undefined &&
    (body.highlight === undefined || body.highlight.length === 0) &&
    body.explain !== true &&
    body.profile !== true &&
    queries.every((query) => queriesWithName([query]).length === 0 && queriesWithInnerHits(query).length === 0)
  )
}

const ID_BYTES_MAX = 512 * 3
/** Bytes reserved around the hits for the rest of the response. */
const ROOM_BYTES = 4096
/** The size of a page is estimated after this many hits. */
const SAMPLE_HITS = 64

const NO_BYTES: Buffer = Buffer.alloc(0)
const QUOTE = 0x22
const VERSION = Buffer.from(',"_version":')
const SEQ_NO = Buffer.from(',"_seq_no":')
const PRIMARY_TERM = Buffer.from(',"_primary_term":')
const SCORE = Buffer.from(',"_score":')
const NO_SCORE = Buffer.from(',"_score":null')
const SOURCE = Buffer.from(',"_source":')
const SORT = Buffer.from(',"sort":[')
const COMMA = 0x2c
const DIGIT_ZERO = 0x30
const WORD_BYTES = 8

/** Bytes per hit of the last long page; the next one is often similar. */
let typicalHitBytes = 1024
/** The part of a page in shared memory that was not copied there yet. Its bytes are still in the processor's cache when they are. */
const stage: Buffer = Buffer.allocUnsafeSlow(64 * 1024)
/** The buffer in which short pages are written. */
let scratch: Buffer = Buffer.allocUnsafe(64 * 1024)
const SCRATCH_BYTES_MAX = 1 << 20
let lastIndex = ''
let lastStart: Buffer = NO_BYTES

class HitOutput {
  readonly #hits: number
  readonly #isLong: boolean
  readonly #showSource: boolean
  /** The shared memory of the page, if it is written there. */
  #shared: Buffer | undefined
  /** How much of the page was copied there, in whole words. */
  #copied = 0
  /** The rest of the page. */
  #bytes: Buffer
  #length: number
  #begun = 0
  #answered: AnsweredShard | undefined
  #start = NO_BYTES

  constructor(hits: number, showSource: boolean) {
    this.#hits = hits
    this.#isLong = hits >= LONG_FROM
    this.#showSource = showSource
    this.#length = this.#isLong ? ROOM_BYTES : 0
    const expected = Math.ceil(hits * typicalHitBytes * 1.05) + 4 * ROOM_BYTES
    this.#shared = this.#isLong ? takeSharedAnswerMemory(expected) : undefined
    this.#bytes = !this.#isLong ? scratch : this.#shared === undefined ? takeAnswerMemory(expected) : stage
  }

  begin(answered: AnsweredShard): void {
    if (answered !== this.#answered) {
      this.#answered = answered
      this.#start = startOf(answered.shard.index.name)
    }
    if (this.#begun === SAMPLE_HITS && this.#shared === undefined)
      this.#reserve(((this.#length - ROOM_BYTES) / SAMPLE_HITS) * this.#hits * 1.05)
    this.#reserve(this.#start.length + ID_BYTES_MAX)
    const at = this.#length
    this.#copy(this.#start)
    // The first hit is preceded by a bracket, later ones by a comma.
    if (this.#begun++ === 0) this.#bytes[at] = 0x5b
  }

  id({ reader }: SegmentView, doc: number): void {
    const end = reader.writeId(doc, this.#bytes, this.#length)
    if (end >= 0) this.#length = end
    else this.#text(JSON.stringify(reader.id(doc)).slice(1, -1))
    this.#bytes[this.#length++] = QUOTE
  }

  versions({ reader }: SegmentView, doc: number, { version, seqNoPrimaryTerm }: SearchBody): void {
    if (version === true) this.#number(VERSION, reader.version(doc))
    if (seqNoPrimaryTerm !== true) return
    this.#number(SEQ_NO, reader.seqNo(doc))
    this.#number(PRIMARY_TERM, reader.primaryTerm(doc))
  }

  score(score: number): void {
    if (Number.isNaN(score)) this.#copy(NO_SCORE)
    else {
      this.#copy(SCORE)
      this.#ascii(formatFloat(score))
    }
  }

  /** Writes what is stored with the document: routing, ignored fields, source. */
  document({ reader }: SegmentView, doc: number): void {
    const routing = reader.routing(doc)
    if (routing !== undefined) this.#text(`,"_routing":${JSON.stringify(routing)}`)
    const ignored = reader.sortedSetDocValues('_ignored')
    if (ignored?.has(doc)) {
      const names: string[] = []
      for (let slot = ignored.start(doc); slot < ignored.end(doc); slot++) {
        names.push(Buffer.from(ignored.term(ignored.ordinalAt(slot))).toString())
      }
      this.#text(`,"_ignored":${JSON.stringify(names)}`)
    }
    if (!this.#showSource) return
    const source = reader.sourceView(doc, !this.#isLong)
    if (source === undefined) return
    this.#reserve(source.length + ID_BYTES_MAX)
    this.#copy(SOURCE)
    copyLent(source, this.#bytes, this.#length)
    this.#length += source.length
  }

  sort({ result, order }: AnsweredShard, values: RankedHit['hit']['sort']): void {
    if (order.shown > 0) {
      this.#copy(SORT)
      for (let i = 0; i < order.shown; i++) {
        if (i > 0) this.#bytes[this.#length++] = COMMA
        this.#value(result.keys[i]!.format(values[i]!))
      }
      this.#bytes[this.#length++] = 0x5d
    }
    this.#bytes[this.#length++] = 0x7d
  }

  end(): RawJson {
    this.#reserve(ROOM_BYTES + 1)
    this.#bytes[this.#length++] = 0x5d
    if (!this.#isLong) return new RawJson(this.#shortPage())
    const length = this.#copied + this.#length
    typicalHitBytes = (length - ROOM_BYTES) / this.#hits
    if (this.#shared !== undefined) {
      this.#copyToShared(this.#length)
      poison(stage)
    }
    return new RawJson((this.#shared ?? this.#bytes).subarray(ROOM_BYTES, length), ROOM_BYTES)
  }

  #shortPage(): Buffer {
    const written = this.#bytes.subarray(0, this.#length)
    const page = shortLivedCopy(written)
    poison(written)
    return page
  }

  #value(value: unknown): void {
    this.#reserve(ID_BYTES_MAX)
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) this.#digits(value)
    else this.#text(typeof value === 'string' ? JSON.stringify(value) : encodeJson(value).toString())
  }

  /** A member whose value is a whole number. The id has left room for it. */
  #number(name: Buffer, value: number): void {
    this.#copy(name)
    this.#digits(value)
  }

  #digits(value: number): void {
    let digits = 1
    for (let limit = 10; value >= limit; limit *= 10) digits++
    let rest = value
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      const shorter = Math.floor(rest / 10)
      this.#bytes[at] = DIGIT_ZERO + (rest - shorter * 10)
      rest = shorter
    }
    this.#length += digits
  }

  #ascii(text: string): void {
    const out = this.#bytes
    let at = this.#length
    for (let i = 0; i < text.length; i++) out[at++] = text.charCodeAt(i)
    this.#length = at
  }

  /** For short pieces a loop is faster than a call that copies memory. The caller ensures that there is room. */
  #copy(bytes: Uint8Array): void {
    const out = this.#bytes
    let at = this.#length
    for (let i = 0; i < bytes.length; i++) out[at++] = bytes[i]!
    this.#length = at
  }

  #text(text: string): void {
    this.#reserve(text.length * 3 + ID_BYTES_MAX)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    if (this.#shared !== undefined) {
      this.#stageRest(more)
      return
    }
    const enough = Math.ceil(Math.max(this.#bytes.length * 1.5, this.#length + more + ROOM_BYTES))
    if (enough > SCRATCH_BYTES_MAX) breakers().request.check(enough, '<search_response>')
    const larger = this.#isLong ? takeAnswerMemory(enough) : Buffer.allocUnsafeSlow(enough)
    larger.set(this.#bytes.subarray(0, this.#length))
    if (this.#isLong) giveBackAnswerMemory(this.#bytes)
    else if (enough <= SCRATCH_BYTES_MAX) scratch = larger
    this.#bytes = larger
  }

  /** Makes room in the stage. */
  #stageRest(more: number): void {
    const whole = this.#length - (this.#length % WORD_BYTES)
    const staged = this.#bytes
    this.#copyToShared(whole)
    const rest = this.#length - whole
    // A long document has room of its own, which is not kept.
    this.#bytes = rest + more <= stage.length ? stage : longStage(rest + more)
    this.#bytes.set(staged.subarray(whole, this.#length))
    this.#length = rest
    this.#copied += whole
  }

  /** Copies the first bytes of the stage to the shared memory of the page. */
  #copyToShared(count: number): void {
    const needed = this.#copied + count + ROOM_BYTES
    if (needed > this.#shared!.length) this.#growShared(needed)
    this.#shared!.set(this.#bytes.subarray(0, count), this.#copied)
  }

  #growShared(needed: number): void {
    const enough = Math.ceil(needed * 1.5)
    breakers().request.check(enough, '<search_response>')
    const larger = takeSharedAnswerMemory(enough) ?? Buffer.from(new SharedArrayBuffer(enough))
    larger.set(this.#shared!.subarray(0, this.#copied))
    giveBackAnswerMemory(this.#shared!)
    this.#shared = larger
  }
}

function longStage(bytes: number): Buffer {
  if (bytes > SCRATCH_BYTES_MAX) breakers().request.check(bytes, '<search_response>')
  return Buffer.allocUnsafeSlow(bytes)
}

/** The common beginning of all hits of an index, cached for the last index. */
function startOf(index: string): Buffer {
  if (index !== lastIndex) {
    lastIndex = index
    lastStart = Buffer.from(`,{"_index":${JSON.stringify(index)},"_id":"`)
  }
  return lastStart
}
