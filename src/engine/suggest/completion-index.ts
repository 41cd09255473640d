/**
 * The suggestions of one segment sorted by their analyzed forms, so that a prefix is a range. Built on the first
 * request and kept as long as the segment is open.
 */

import { JsonReader } from '../../base/json/json-reader.ts'
import { newMembers } from '../../base/json/members.ts'
import { graphPaths } from '../analysis/token-graph.ts'
import { type CompletionSettings, CompletionType, type StoredSuggestion } from '../mapping/field-types/completion.ts'
import type { CompletionContext } from '../mapping/field-types/completion-contexts.ts'
import { type SourceObject, valuesAt } from '../mapping/source/source-values.ts'
import { storageName } from '../mapping/storage-name.ts'
import type { QueryAnalyzer, QueryToken } from '../scoring/query.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../values/geo-encoding.ts'
import { encodeGeohash } from '../values/geohash.ts'

export { CompletionType }

export interface CompletionEntry {
  /** The analyzed input. */
  readonly form: string
  readonly input: string
  readonly doc: number
  readonly weight: number
  readonly contexts: Readonly<Record<string, readonly string[]>>
}

const indexes = new WeakMap<SegmentReader, Map<string, readonly CompletionEntry[]>>()

export function completionEntries(
  reader: SegmentReader,
  type: CompletionType,
  analyzer: QueryAnalyzer | undefined,
): readonly CompletionEntry[] {
  let fields = indexes.get(reader)
  if (fields === undefined) indexes.set(reader, (fields = new Map()))
  let entries = fields.get(type.name)
  if (entries === undefined) fields.set(type.name, (entries = readEntries(reader, type, analyzer)))
  return entries
}

function readEntries(
  reader: SegmentReader,
  type: CompletionType,
  analyzer: QueryAnalyzer | undefined,
): CompletionEntry[] {
  const docValues = reader.binaryDocValues(storageName(type))
  const entries: CompletionEntry[] = []
  if (docValues === undefined) return entries
  for (let doc = 0; doc < reader.docCount; doc++) {
    if (!docValues.has(doc)) continue
    for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
      const stored = parseStored(docValues.bytesAt(slot))
      const contexts = allContexts(reader, doc, stored, type.completion.contexts)
      for (const input of stored.input) {
        for (const form of analyzedForms(input, analyzer, type.completion)) {
          entries.push({ form, input, doc, weight: stored.weight, contexts })
        }
      }
    }
  }
  return entries.sort((a, b) => (a.form < b.form ? -1 : a.form > b.form ? 1 : a.doc - b.doc))
}

function parseStored(bytes: Uint8Array): StoredSuggestion {
  const reader = new JsonReader().reset(Uint8Array.from(bytes))
  reader.next()
  return reader.value() as StoredSuggestion
}

const SEPARATOR = '\u001f'
const HOLE = '\u001e'

/**
 * The tokens of a text as one string, or as several if words have synonyms. Removed words leave a mark if the field
 * preserves position increments.
 */
export function analyzedForms(
  text: string,
  analyzer: QueryAnalyzer | undefined,
  settings: CompletionSettings,
): string[] {
  if (analyzer === undefined) return [text]
  const tokens = analyzer.tokens(text)
  const hasSynonyms = tokens.some(({ position }, i) => position === tokens[i - 1]?.position)
  if (!hasSynonyms) return [formOf(tokens, settings)]
  return [...new Set(graphPaths(tokens).map((path) => formOf(path, settings)))]
}

function formOf(tokens: readonly QueryToken[], settings: CompletionSettings): string {
  const between = settings.preserveSeparators ? SEPARATOR : ''
  let form = ''
  let end = 0
  for (const { term, position, positionLength } of tokens) {
    const gap = settings.preservePositionIncrements ? Math.max(0, position - end) : 0
    const parts = [...new Array<string>(gap).fill(HOLE), term]
    form += (form === '' ? '' : between) + parts.join(between)
    end = position + positionLength
  }
  return form
}

/** The contexts given in the document, and those taken from field values. */
function allContexts(
  reader: SegmentReader,
  doc: number,
  { contexts: given }: StoredSuggestion,
  contexts: readonly CompletionContext[],
): Record<string, readonly string[]> {
  const all: Record<string, readonly string[]> = newMembers()
  for (const context of contexts) {
    const values = [...(given?.[context.name] ?? [])]
    if (context.path !== undefined) values.push(...pathValues(reader, doc, context.path, context))
    if (values.length > 0) all[context.name] = [...new Set(values)]
  }
  return { ...all }
}

function pathValues(reader: SegmentReader, doc: number, path: string, context: CompletionContext): string[] {
  const values: string[] = []
  if (context.type === 'geo') {
    const points = reader.geoDocValues(path)
    if (!points?.has(doc)) return values
    for (let slot = points.start(doc); slot < points.end(doc); slot++) {
      const lon = decodeLongitude(points.longitudeAt(slot))
      values.push(encodeGeohash(lon, decodeLatitude(points.latitudeAt(slot)), context.precision))
    }
    return values
  }
  const terms = reader.sortedSetDocValues(path)
  // A text keeps its values in the source alone.
  if (terms === undefined) return sourceTexts(reader, doc, path)
  if (!terms.has(doc)) return values
  for (let slot = terms.start(doc); slot < terms.end(doc); slot++) {
    values.push(Buffer.from(terms.term(terms.ordinalAt(slot))).toString())
  }
  return values
}

function sourceTexts(reader: SegmentReader, doc: number, path: string): string[] {
  const source = reader.source(doc)
  if (source === undefined) return []
  const json = new JsonReader().reset(Uint8Array.from(source))
  json.next()
  const found = valuesAt(json.value() as SourceObject, path).flat(Number.POSITIVE_INFINITY)
  return found.filter((value) => typeof value === 'string')
}
