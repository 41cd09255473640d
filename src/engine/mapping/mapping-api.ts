/** The interface of a mapping for the engine and the service. Implemented by `mapping.ts`. */
import type { FieldSchema } from '../document/field-schema.ts'
import type { ParsedDocument } from '../document/parsed-document.ts'
import type { FieldType } from './field-type.ts'

export type MappingJson = Record<string, unknown>

/** Immutable. A change creates a new mapping in which the physical field ids keep their meaning. */
export interface Mapping {
  /** Increases with each change. */
  readonly version: number
  /** As `GET /{index}/_mapping` shows it (inside `mappings`). */
  toJson(): MappingJson
  /** Applies `PUT _mapping` or a dynamic update. Throws mapper_parsing_exception or illegal_argument_exception. */
  merge(update: MappingJson): Mapping
  /** A field by full path; aliases resolve to their target. */
  field(name: string): FieldType | undefined
  /** Every leaf field, including multi-fields, and aliases under their own names. */
  fieldNames(): Iterable<string>
  /** Object or nested object at this path. */
  objectKind(path: string): 'object' | 'nested' | undefined
  readonly schemas: readonly FieldSchema[]
  readonly nestedPaths: readonly string[]
  readonly routingRequired: boolean
  readonly sourceEnabled: boolean
  /** The stored source under `_source.includes/excludes`; the same bytes if nothing is filtered. */
  storedSource(source: Uint8Array): Uint8Array
}

export interface ParseContext {
  id: string
  routing: string | undefined
  /** Per-item dynamic templates of a bulk request: field path to template name. */
  dynamicTemplates?: Readonly<Record<string, string>> | undefined
  /** The data stream rule: `@timestamp` must have exactly one value. */
  requireTimestamp?: boolean
}

/** Parses JSON to entries. One per thread; it holds the reader and scratch memory. */
export interface DocumentParser {
  /**
   * Fills `out` from the document in `source[start, end)`, which is not changed. Returns the mapping update that the
   * document needs, after which it must be parsed again; undefined if none. Throws document_parsing_exception and
   * related errors with line, column and preview.
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
