/** The bulk lines that update, delete or copy a hit. */
import { illegalArgument } from '../../base/api-error.ts'
import type { ByteWriter } from '../shards/bulk/byte-writer.ts'
import type { ReindexDestination } from './by-query-request.ts'
import type { Hit, HitPage } from './hit-page.ts'

/** Appends the bulk lines for a hit. Returns false if there is nothing to write, which counts as a noop. */
export type HitChange = (page: HitPage, hit: number, out: ByteWriter) => boolean

const text = (value: string) => Buffer.from(value)
const ROUTING = text(',"routing":')
const SEQ_NO = text(',"if_seq_no":')
const PRIMARY_TERM = text(',"if_primary_term":')
const VERSION = text(',"version":')
const END = text('}}\n')
const NEWLINE = 0x0a

/** `{"index":{"_index":"name","_id":` for one action, remembered for the last name. */
class Opening {
  readonly #action: string
  #index: string | undefined
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(action: string) {
    this.#action = action
  }

  of(index: string): Uint8Array {
    if (index !== this.#index) {
      this.#index = index
      this.#bytes = text(`{"${this.#action}":{"_index":${JSON.stringify(index)},"_id":`)
    }
    return this.#bytes
  }
}

/** Deletes hits unless they changed since the search. */
export function deletion(): HitChange {
  const opening = new Opening('delete')
  return (page, hit, out) => {
    address(opening, page, hit, out)
    return true
  }
}

/** Indexes the source of hits again, or another one, unless they changed since the search. */
export function update(): (page: HitPage, hit: number, out: ByteWriter, source?: Uint8Array) => true {
  const opening = new Opening('index')
  return (page, hit, out, source) => {
    const bytes = source ?? sourceOf(page, hit)
    address(opening, page, hit, out)
    out.bytes(bytes)
    out.byte(NEWLINE)
    return true
  }
}

/** The action line for the document of a hit, on the condition that it did not change. */
function address(opening: Opening, page: HitPage, hit: number, out: ByteWriter): void {
  const { body, ids, routings, seqNos, primaryTerms } = page
  out.bytes(opening.of(page.indices[hit]!))
  out.range(body, ids.start(hit), ids.end(hit))
  if (routings.start(hit) >= 0) {
    out.bytes(ROUTING)
    out.range(body, routings.start(hit), routings.end(hit))
  }
  out.bytes(SEQ_NO)
  out.range(body, seqNos.start(hit), seqNos.end(hit))
  out.bytes(PRIMARY_TERM)
  out.range(body, primaryTerms.start(hit), primaryTerms.end(hit))
  out.bytes(END)
}

/** Writes hits to the destination of a reindex. */
export function copy(destination: ReindexDestination): HitChange {
  const { index, opType, versionType, routing } = destination
  const opening = new Opening(opType)
  const versions = versionType === 'internal' ? undefined : text(`,"version_type":"${versionType}"`)
  const keepsRouting = routing === undefined || routing === 'keep'
  const fixed =
    keepsRouting || routing === 'discard' ? undefined : text(`,"routing":${JSON.stringify(routing.slice(1))}`)
  return (page, hit, out) => {
    const { body, ids, routings } = page
    const source = sourceOf(page, hit)
    out.bytes(opening.of(index!))
    out.range(body, ids.start(hit), ids.end(hit))
    if (fixed !== undefined) out.bytes(fixed)
    else if (keepsRouting && routings.start(hit) >= 0) {
      out.bytes(ROUTING)
      out.range(body, routings.start(hit), routings.end(hit))
    }
    if (versions !== undefined) {
      out.bytes(VERSION)
      out.range(body, page.versions.start(hit), page.versions.end(hit))
      out.bytes(versions)
    }
    out.bytes(END)
    out.bytes(source)
    out.byte(NEWLINE)
    return true
  }
}

/** Writes a document that a script changed to the destination of a reindex, or deletes it there. */
export function writeChanged(
  op: string,
  { index, id, routing, version }: Hit,
  source: Uint8Array,
  { opType, versionType, routing: wanted }: ReindexDestination,
  out: ByteWriter,
): void {
  const meta: Record<string, unknown> = { _index: index, _id: id }
  if (op === 'delete') {
    if (routing !== undefined) meta['routing'] = routing
    out.text(`${JSON.stringify({ delete: meta })}\n`)
    return
  }
  const kept = wanted === undefined || wanted === 'keep' ? routing : wanted === 'discard' ? undefined : wanted.slice(1)
  if (kept !== undefined) meta['routing'] = kept
  if (versionType !== 'internal') Object.assign(meta, { version: Number(version), version_type: versionType })
  out.text(`${JSON.stringify({ [opType]: meta })}\n`)
  out.bytes(source)
  out.byte(NEWLINE)
}

/** A bulk line ends at the first newline, so newlines between the values of a source are replaced. */
function sourceOf(page: HitPage, hit: number): Uint8Array {
  const source = requireSource(page, hit)
  if (!page.hasLineBreaks) return source
  // Inside strings newlines are escaped, so every raw newline is white space.
  return source.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte))
}

export function requireSource(page: HitPage, hit: number): Buffer {
  const source = page.source(hit)
  if (source === undefined) throw illegalArgument(`[${page.indices[hit]}][${page.id(hit)}] didn't store _source`)
  return source
}
