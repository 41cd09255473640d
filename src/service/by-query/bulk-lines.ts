/** The bulk lines that update, delete or copy a hit. */
import { illegalArgument } from '../../base/api-error.ts'
import type { ReindexDestination } from './by-query-request.ts'
import type { Hit } from './hit-page.ts'

const NEWLINE = Buffer.from('\n')

/** Deletes the hit unless it changed since the search. */
export function deleteLines(hit: Hit, out: Buffer[]): boolean {
  out.push(action('delete', { ...address(hit), ...unchanged(hit) }))
  return true
}

/** Indexes the hit's source again unless it changed since the search. */
export function updateLines(hit: Hit, out: Buffer[]): boolean {
  out.push(action('index', { ...address(hit), ...unchanged(hit) }), sourceOf(hit), NEWLINE)
  return true
}

/** Writes the hit to the destination of a reindex. */
export function copyLines(hit: Hit, destination: ReindexDestination, out: Buffer[]): boolean {
  const { index, opType, versionType } = destination
  const meta: Record<string, unknown> = { _index: index, _id: hit.id }
  const routing = copiedRouting(hit.routing, destination.routing)
  if (routing !== undefined) meta['routing'] = routing
  if (versionType !== 'internal') Object.assign(meta, { version: Number(hit.version), version_type: versionType })
  out.push(action(opType, meta), sourceOf(hit), NEWLINE)
  return true
}

function copiedRouting(routing: string | undefined, wanted: string | undefined): string | undefined {
  if (wanted === undefined || wanted === 'keep') return routing
  return wanted === 'discard' ? undefined : wanted.slice(1)
}

function address({ index, id, routing }: Hit): Record<string, unknown> {
  return { _index: index, _id: id, ...(routing === undefined ? {} : { routing }) }
}

function unchanged({ seqNo, primaryTerm }: Hit): Record<string, unknown> {
  return { if_seq_no: seqNo, if_primary_term: primaryTerm }
}

function action(name: string, meta: Record<string, unknown>): Buffer {
  return Buffer.from(`${JSON.stringify({ [name]: meta })}\n`)
}

/** A bulk line ends at the first newline, so newlines between the values of a source are replaced. */
function sourceOf(hit: Hit): Buffer {
  const source = requireSource(hit)
  if (!source.includes(0x0a) && !source.includes(0x0d)) return source
  // Inside strings newlines are escaped, so every raw newline is white space.
  return Buffer.from(source.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)))
}

export function requireSource({ index, id, source }: Hit): Buffer {
  if (source === undefined) throw illegalArgument(`[${index}][${id}] didn't store _source`)
  return source
}
