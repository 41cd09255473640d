/** Metadata fields in `fields`. Patterns do not match them. */
import { illegalArgument } from '../../../base/api-error.ts'
import { fetchFailed } from '../../../base/errors/search-errors.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'

type Read = (reader: SegmentReader, root: number, index: string) => readonly unknown[]

const READABLE: Readonly<Record<string, Read>> = {
  _id: (reader, root) => [reader.id(root)],
  _ignored: (reader, root) => ignoredFields(reader, root) ?? [],
  _index: (_reader, _root, index) => [index],
  _routing: (reader, root) => {
    const routing = reader.routing(root)
    return routing === undefined ? [] : [routing]
  },
  _version: (reader, root) => [reader.version(root)],
}

const INTERNAL: ReadonlySet<string> = new Set(['_field_names', '_nested_path', '_seq_no', '_source'])

/** The metadata fields among the names; throws for one that users cannot read. */
export function metadataNames(names: readonly string[]): string[] {
  for (const name of names) {
    if (!INTERNAL.has(name)) continue
    const cause = illegalArgument(`Cannot fetch values for internal field [${name}].`)
    throw fetchFailed(name, cause)
  }
  return names.filter((name) => Object.hasOwn(READABLE, name))
}

/** Adds the values of the requested metadata fields. */
export function addMetadata(
  names: readonly string[],
  reader: SegmentReader,
  root: number,
  index: string,
  values: Record<string, unknown[]>,
): void {
  for (const name of names) {
    const found = READABLE[name]!(reader, root, index)
    if (found.length > 0) values[name] = [...found]
  }
}

/** The ignored fields of the document. */
export function ignoredFields(reader: SegmentReader, doc: number): readonly string[] | undefined {
  const docValues = reader.sortedSetDocValues('_ignored')
  if (!docValues?.has(doc)) return undefined
  const names: string[] = []
  for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
    names.push(Buffer.from(docValues.term(docValues.ordinalAt(slot))).toString())
  }
  return names
}
