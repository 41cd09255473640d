import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'

/** The documents for which a script runs: live ones, either root documents or the nested objects of the query. */
export function scriptDocuments(context: SearchExecutionContext, segment: SegmentView): Uint32Array | undefined {
  const { reader, live } = segment
  const { nested } = reader
  const { explained, nestedScope } = context
  if (explained?.segment === segment && nestedScope === undefined) return onlyDocument(explained.doc, reader.docCount)
  if (nested === undefined) return live
  const scope = nestedScope === undefined ? nested.roots.slice() : objectsAt(nested, nestedScope, reader.docCount)
  if (live !== undefined) for (let i = 0; i < scope.length; i++) scope[i] = scope[i]! & (live[i] ?? 0)
  return scope
}

function onlyDocument(doc: number, docCount: number): Uint32Array {
  const bits = new Uint32Array((docCount + 31) >> 5)
  bits[doc >> 5] = 1 << (doc & 31)
  return bits
}

function objectsAt(
  { paths, pathOf }: { readonly paths: readonly string[]; readonly pathOf: Uint16Array },
  path: string,
  docCount: number,
): Uint32Array {
  const bits = new Uint32Array((docCount + 31) >> 5)
  const number = paths.indexOf(path) + 1
  for (let doc = 0; doc < docCount; doc++) {
    if (number > 0 && pathOf[doc] === number) bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
  }
  return bits
}
