/** One document as an in-memory segment, for scripts that are executed on a document that is not stored. */
import { ParsedDocument } from '../document/parsed-document.ts'
import { JsonDocumentParser } from '../mapping/documents/document-parser.ts'
import type { IndexMapping } from '../mapping/mapping.ts'
import { Arena } from '../memory/arena.ts'
import { WriteBuffer } from '../segment/buffer/write-buffer.ts'
import { openSegment } from '../segment/segment-reader.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { sealSegment } from '../segment/segment-writer.ts'

const ARENA_BYTES = 4 << 20

const parser = new JsonDocumentParser()

/** Parses the document; its new fields are added to a mapping that is discarded. */
export function singleDocument(
  known: IndexMapping,
  source: Uint8Array,
): { readonly segment: SegmentView; readonly mapping: IndexMapping; readonly doc: number } {
  const parsed = new ParsedDocument()
  const context = { id: '_id', routing: undefined }
  let mapping = known
  const update = parser.parse(mapping, source, 0, source.length, context, parsed)
  if (update !== undefined) {
    mapping = mapping.merge(update)
    parsed.reset()
    parser.parse(mapping, source, 0, source.length, context, parsed)
  }
  const buffer = new WriteBuffer()
  const meta = { idBytes: Buffer.from('_id'), routing: undefined, seqNo: 0, version: 1, primaryTerm: 1 }
  buffer.add(parsed, mapping.schemas, meta, source)
  const sealed = sealSegment(buffer, { nestedPaths: mapping.nestedPaths })
  const bytes = Buffer.concat(sealed.chunks)
  const file = {
    name: 'single',
    size: bytes.length,
    read: (offset: number, target: Uint8Array) => target.set(bytes.subarray(offset, offset + target.length)),
  }
  const reader = openSegment(file, Arena.create(Math.max(ARENA_BYTES, bytes.length * 4)))
  const segment = { reader, live: undefined, liveCount: reader.docCount, docBase: 0 }
  return { segment, mapping, doc: reader.docCount - 1 }
}
