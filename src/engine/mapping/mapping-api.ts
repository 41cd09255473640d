/** What the rest of the engine and the service see of a mapping. Implemented by `mapping.ts`. */
import type { FieldSchema } from '../document/field-schema.ts'
import type { ParsedDocument } from '../document/parsed-document.ts'
import type { FieldType } from './field-type.ts'

export type MappingJson = Record<string, unknown>

/** Immutable. A change makes a new one; physical field ids of the old one keep their meaning in the new one. */
export interface Mapping {
  /** Grows with each change. */
  readonly version: number
  /** As `GET /{index}/_mapping` shows it (inside `mappings`). */
  toJson(): MappingJson
  /** Applies `PUT _mapping` or a dynamic update. Throws mapper_parsing_exception or illegal_argument_exception. */
  merge(update: MappingJson): Mapping
  /** A field by full path; aliases resolve to their target. */
  field(name: string): FieldType | undefined
  /** Every leaf field, multi-fields included, aliases under their own names. */
  fieldNames(): Iterable<string>
  /** Object or nested object at this path. */
  objectKind(path: string): 'object' | 'nested' | undefined
  readonly schemas: readonly FieldSchema[]
  readonly nestedPaths: readonly string[]
  readonly routingRequired: boolean
  readonly sourceEnabled: boolean
  /** What is kept of a source under `_source.includes/excludes`; the bytes themselves when nothing is filtered. */
  storedSource(source: Uint8Array): Uint8Array
}

export interface ParseContext {
  id: string
  routing: string | undefined
  /** Per-item dynamic templates of a bulk request: field path to template name. */
  dynamicTemplates?: Readonly<Record<string, string>> | undefined
  /** The data stream rule: `@timestamp` must hold exactly one value. */
  requireTimestamp?: boolean
}

/** Makes entries from JSON bytes. One per thread; holds the reader and scratch memory. */
export interface DocumentParser {
  /**
   * Fills `out` from the document in `source[start, end)`, which is left untouched.
   * Returns the mapping update the document needs, to be merged first and the document parsed again; undefined when none.
   * Throws document_parsing_exception and its kin with line, column and preview.
   */
  parse(
    mapping: Mapping,
    source: Uint8Array,
    start: number,
    end: number,
    context: ParseContext,
    out: ParsedDocument,
  ): MappingJson | undefined
}
