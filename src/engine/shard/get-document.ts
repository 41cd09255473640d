/** Reads documents by id: from the write buffer, a segment, or the view that searches see. */
import { hasBit } from '../../base/bit-set.ts'
import { type ParsedDocument, TERM } from '../document/parsed-document.ts'
import type { WriteBuffer } from '../segment/buffer/write-buffer.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import type { StoredDocument } from './operations.ts'
import type { DocumentState } from './refresh/buffered-ids.ts'
import type { PublishedView } from './view/published-view.ts'

/** The internal field that lists the ignored fields of a document. */
export const IGNORED_FIELD = '_ignored'

export function readDocument(reader: SegmentReader, doc: number): StoredDocument {
  return {
    version: reader.version(doc),
    seqNo: reader.seqNo(doc),
    primaryTerm: reader.primaryTerm(doc),
    routing: reader.routing(doc),
    source: reader.source(doc),
    ignored: ignoredFields(reader, doc),
    storedFields: reader.storedFields(doc),
  }
}

/** A document that no segment contains yet. */
export function readBuffered(
  buffer: WriteBuffer,
  { doc, version, seqNo, primaryTerm }: DocumentState & { doc: number },
  ignored: readonly string[],
): StoredDocument {
  const { source, storedFields } = buffer.read(doc)
  return {
    version,
    seqNo,
    primaryTerm,
    routing: buffer.routing(doc),
    source,
    ignored,
    storedFields: storedFields === undefined ? undefined : JSON.parse(Buffer.from(storedFields).toString()),
  }
}

/** The document as searches see it. */
export function readFromView(view: PublishedView, idBytes: Uint8Array): StoredDocument | undefined {
  for (let i = view.segments.length - 1; i >= 0; i--) {
    const { live } = view.segments[i]!
    const reader = view.heldSegments[i]!.use()
    const doc = reader.findId(idBytes)
    if (doc >= 0 && (live === undefined || hasBit(live, doc))) return readDocument(reader, doc)
  }
  return undefined
}

/** The ignored fields of a parsed document; undefined if there are none. `field` is the id of the internal field. */
export function ignoredNames(parsed: ParsedDocument, field: number): string[] | undefined {
  let names: string[] | undefined
  for (let entry = parsed.entryCount - 1; entry >= 0; entry--) {
    if (parsed.field[entry] !== field || parsed.kind[entry] !== TERM) continue
    names ??= []
    names.push(Buffer.from(parsed.bytes.subarray(parsed.a[entry]!, parsed.b[entry]!)).toString())
  }
  return names?.sort()
}

function ignoredFields(reader: SegmentReader, doc: number): string[] {
  const docValues = reader.sortedSetDocValues(IGNORED_FIELD)
  if (docValues === undefined) return []
  const names: string[] = []
  for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
    names.push(Buffer.from(docValues.term(docValues.ordinalAt(slot))).toString())
  }
  return names
}
