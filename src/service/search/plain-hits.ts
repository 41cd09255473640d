/**
 * Hits that carry nothing but their document: written as bytes, the document as it is stored. A page of a thousand documents is
 * mostly copied from one place to another, and objects for every hit would cost more than that.
 */
import { encodeJson, formatFloat, RawJson } from '../../base/json/json-writer.ts'
import { queriesWithInnerHits } from '../../engine/search/inner-hits.ts'
import { queriesWithName } from '../../engine/search/matched-queries.ts'
import type { SegmentView } from '../../engine/segment/segment-reader-api.ts'
import type { RankedHit } from './hits-page.ts'
import type { SearchBody } from './search-body.ts'
import type { AnsweredShard } from './shard-search.ts'

/** Pages of so many hits and more are worth it. */
const PLAIN_FROM = 100

/** The array of hits as JSON text; undefined when a hit has to carry more, or when there are few. */
export function plainHits(page: readonly RankedHit[], body: SearchBody): RawJson | undefined {
  if (page.length < PLAIN_FROM || !isPlain(body)) return undefined
  const output = new HitOutput()
  for (const [i, { answered, hit }] of page.entries()) {
    const segment = answered.context.view.segments[hit.segment]!
    output.begin(answered, i === 0)
    output.id(segment, hit.doc)
    output.score(hit.score)
    output.document(segment, hit.doc)
    output.sort(answered, hit.sort)
  }
  return new RawJson(output.end())
}

function isPlain(body: SearchBody): boolean {
  const { source } = body
  const queries = [body.query, body.postFilter].filter((query) => query !== undefined)
  return (
    (source === undefined || (source.enabled && source.includes.length === 0 && source.excludes.length === 0)) &&
    body.storedFields === undefined &&
    body.fields.length === 0 &&
    body.docvalueFields.length === 0 &&
    body.version !== true &&
    body.seqNoPrimaryTerm !== true &&
    body.collapse === undefined &&
    (body.highlight === undefined || body.highlight.length === 0) &&
    body.explain !== true &&
    body.profile !== true &&
    queries.every((query) => queriesWithName(query).length === 0 && queriesWithInnerHits(query).length === 0)
  )
}

const ID_BYTES_MAX = 512 * 3

class HitOutput {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0
  #answered: AnsweredShard | undefined
  #start = Buffer.alloc(0)

  begin(answered: AnsweredShard, isFirst: boolean): void {
    if (answered !== this.#answered) {
      this.#answered = answered
      this.#start = Buffer.from(`,{"_index":${JSON.stringify(answered.shard.index.name)},"_id":"`)
    }
    this.#reserve(this.#start.length + ID_BYTES_MAX)
    this.#bytes.set(this.#start, this.#length)
    // The array begins where later hits have a comma.
    if (isFirst) this.#bytes[this.#length] = 0x5b
    this.#length += this.#start.length
  }

  id({ reader }: SegmentView, doc: number): void {
    const end = reader.writeId(doc, this.#bytes, this.#length)
    if (end >= 0) this.#length = end
    else this.#text(JSON.stringify(reader.id(doc)).slice(1, -1))
  }

  score(score: number): void {
    this.#text(Number.isNaN(score) ? '","_score":null' : `","_score":${formatFloat(score)}`)
  }

  /** What comes with the document: its routing, the fields that were ignored, its source. */
  document({ reader }: SegmentView, doc: number): void {
    const routing = reader.routing(doc)
    if (routing !== undefined) this.#text(`,"_routing":${JSON.stringify(routing)}`)
    const ignored = reader.termColumn('_ignored')
    if (ignored?.has(doc)) {
      const names: string[] = []
      for (let slot = ignored.start(doc); slot < ignored.end(doc); slot++) {
        names.push(Buffer.from(ignored.term(ignored.ordinalAt(slot))).toString())
      }
      this.#text(`,"_ignored":${JSON.stringify(names)}`)
    }
    const source = reader.sourceView(doc)
    if (source === undefined) return
    this.#text(',"_source":')
    this.#reserve(source.length)
    this.#bytes.set(source, this.#length)
    this.#length += source.length
  }

  sort({ result, order }: AnsweredShard, values: RankedHit['hit']['sort']): void {
    if (order.shown === 0) {
      this.#text('}')
      return
    }
    let text = ',"sort":['
    for (let i = 0; i < order.shown; i++) {
      if (i > 0) text += ','
      text += jsonText(result.keys[i]!.format(values[i]!))
    }
    this.#text(`${text}]}`)
  }

  end(): Buffer {
    this.#text(']')
    return this.#bytes.subarray(0, this.#length)
  }

  #text(text: string): void {
    this.#reserve(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

function jsonText(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' ? JSON.stringify(value) : encodeJson(value).toString()
}
