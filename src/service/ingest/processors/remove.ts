/** remove: removes fields, or all fields except those to keep. */
import { JMap } from '../../../engine/painless/index.ts'
import { isMetadataName } from '../document/ctx-map.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import type { ConfigReader } from '../pipeline/config-reader.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { type CompiledText, compileText } from '../template/compiled-text.ts'

export const remove: ProcessorFactory = (reader) => {
  const fields = names(reader, 'field')
  const keep = names(reader, 'keep')
  if (fields !== undefined && keep !== undefined) {
    throw reader.error('keep', 'and [field] cannot both be used in the same processor')
  }
  if (fields === undefined && keep === undefined) throw reader.error('keep', 'or [field] must be specified')
  const ignoresMissing = reader.boolean('ignore_missing', false)
  if (fields !== undefined) {
    return (document) => {
      for (const field of fields) document.remove(field.constant ?? field.render(document), ignoresMissing)
    }
  }
  return (document) => keepOnly(document, new Set(keep!.map((name) => name.render(document))))
}

function names(reader: ConfigReader, option: string): CompiledText[] | undefined {
  const value = reader.take(option)
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined
  return (Array.isArray(value) ? value : [value]).map((name) => compileText(String(name), reader, option))
}

function keepOnly(document: IngestDocument, kept: ReadonlySet<string>): void {
  for (const path of pathsOf(document.ctx, '')) {
    if (!isMetadataName(path.split('.')[0]!) && !isKept(path, kept)) document.remove(path, true)
  }
}

/** The paths of all map members, parents before children. */
function pathsOf(map: JMap, prefix: string): string[] {
  return map.entries().flatMap(({ key, value }) => {
    const path = prefix + String(key)
    return value instanceof JMap ? [path, ...pathsOf(value, `${path}.`)] : [path]
  })
}

/** A kept field keeps its children and its parents. */
function isKept(path: string, kept: ReadonlySet<string>): boolean {
  for (const name of kept) {
    if (name === path || path.startsWith(`${name}.`) || name.startsWith(`${path}.`)) return true
  }
  return false
}
