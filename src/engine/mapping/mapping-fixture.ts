/** Test helpers of this folder: a mapping with the built-in analyzers, and documents as readable entries. */
import { ApiError, errorObject } from '../../base/api-error.ts'
import { globalAnalysis } from '../analysis/registry/analysis-registry.ts'
import { BINARY, GEO, LONG, NUMBER, ParsedDocument, STORED, TERM, TEXT } from '../document/parsed-document.ts'
import { JsonDocumentParser } from './documents/document-parser.ts'
import { type IndexMapping, parseMapping } from './mapping.ts'
import type { MappingJson, ParseContext } from './mapping-api.ts'
import { type MappingContext, mappingLimits } from './mapping-context.ts'

export function testContext(settings: Record<string, string> = {}): MappingContext {
  return { analysis: globalAnalysis, limits: mappingLimits(settings) }
}

export function testMapping(properties: MappingJson, rest: MappingJson = {}, settings: Record<string, string> = {}) {
  return parseMapping({ ...rest, properties }, testContext(settings))
}

/** The chain of an error as `type: reason` lines; fails if nothing is thrown. */
export function failureOf(action: () => unknown): string[] {
  try {
    action()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const lines: string[] = []
    let at: Record<string, unknown> | undefined = errorObject(error)
    while (at !== undefined) {
      lines.push(`${at['type']}: ${at['reason']}`)
      at = at['caused_by'] as Record<string, unknown> | undefined
    }
    return lines
  }
  throw new Error('expected a failure')
}

export interface Parsed {
  readonly entries: string[]
  readonly update: MappingJson | undefined
  readonly mapping: IndexMapping
  readonly out: ParsedDocument
}

const parser = new JsonDocumentParser()

/**
 * Parses a document, merging its mapping update first, and shows its entries as `field=value` with `@doc` for nested
 * ones.
 */
export function parseDocument(mapping: IndexMapping, json: string, context: Partial<ParseContext> = {}): Parsed {
  const source = Buffer.from(json)
  const out = new ParsedDocument()
  const full: ParseContext = { id: '1', routing: undefined, ...context }
  const update = parser.parse(mapping, source, 0, source.length, full, out)
  if (update === undefined) return { entries: entriesOf(mapping, out), update, mapping, out }
  const merged = mapping.merge(update)
  parser.parse(merged, source, 0, source.length, full, out)
  return { entries: entriesOf(merged, out), update, mapping: merged, out }
}

function entriesOf(mapping: IndexMapping, out: ParsedDocument): string[] {
  const entries: string[] = []
  for (let i = 0; i < out.entryCount; i++) {
    const doc = out.doc[i] === 0 ? '' : `@${out.doc[i]}`
    entries.push(`${mapping.schemas[out.field[i]!]!.name}=${shown(out, i)}${doc}`)
  }
  return entries
}

function shown(out: ParsedDocument, i: number): string {
  const a = out.a[i]!
  const b = out.b[i]!
  switch (out.kind[i]) {
    case TERM:
      return Buffer.from(out.bytes.subarray(a, b)).toString()
    case TEXT:
      return `"${Buffer.from(out.bytes.subarray(a, b)).toString()}"`
    case STORED:
      return `stored ${Buffer.from(out.bytes.subarray(a, b)).toString()}`
    case NUMBER:
      return String(a)
    case LONG:
      return `${out.longs[b]}n`
    case GEO:
      return `${a}/${b}`
    case BINARY:
      return Buffer.from(out.bytes.subarray(a, b)).toString('hex')
    default:
      return '?'
  }
}
