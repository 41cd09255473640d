/** The `_source` filter of gets and searches for documents that are not stored here. */
import { SourceFilter } from '../../engine/mapping/source/source-filter.ts'

/** Returns the filtered bytes of a document. */
export function sourceFilter(
  includes: readonly string[],
  excludes: readonly string[],
): (source: Uint8Array) => Uint8Array {
  const filter = new SourceFilter(includes, excludes)
  return (source) => filter.apply(source)
}
