/**
 * Walks the JSON of one document along the mapping's tables and writes its entries.
 *
 * The source is copied once, and the reader resolves escapes in the copy; after that text is only a range of bytes.
 * Names are looked up by the hash that the reader computes anyway. Unmapped fields are collected as a mapping update,
 * which is tried in a second pass (so that a failed document leaves no trace in the mapping) and returned.
 */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { documentSyntaxError } from '../../../base/errors/json-errors.ts'
import { documentParsing, ExtraDataError } from '../../../base/errors/mapping-errors.ts'
import { END, JsonReader, START_OBJECT } from '../../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../../base/json/json-syntax-error.ts'
import { tokenName } from '../../../base/json/token-names.ts'
import { beginRegexesOfDocument } from '../../analysis/java-pattern.ts'
import { type ParsedDocument, ROOT } from '../../document/parsed-document.ts'
import { joinUpdates } from '../dynamic/dynamic-update.ts'
import { IndexMapping } from '../mapping.ts'
import type { DocumentParser, Mapping, MappingJson, ParseContext } from '../mapping-api.ts'
import { explainFailure } from './document-failure.ts'
import { DocumentPlaces } from './document-place.ts'
import { DocumentWalk } from './document-walk.ts'

/** A document may need several rounds if new fields lead to further new fields; more than this is a loop. */
const ROUNDS_MAX = 8

/**
 * Computes the values of scripted fields of a document: JSON texts by the path of the field. Undefined for a field whose script failed
 * and may do so.
 */
export type IndexScripts = (
  mapping: IndexMapping,
  source: Uint8Array,
) => ReadonlyMap<string, readonly string[] | undefined>

export class JsonDocumentParser implements DocumentParser {
  readonly #walk = new DocumentWalk()
  readonly #scripts: IndexScripts | undefined

  /** Without `scripts` scripted fields get no values. */
  constructor(scripts?: IndexScripts) {
    this.#scripts = scripts
  }

  parse(
    mapping: Mapping,
    source: Uint8Array,
    start: number,
    end: number,
    context: ParseContext,
    out: ParsedDocument,
  ): MappingJson | undefined {
    if (!(mapping instanceof IndexMapping)) throw new TypeError('a mapping of this engine is expected')
    beginRegexesOfDocument()
    let tried = mapping
    let update: MappingJson | undefined
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const more = this.#pass(tried, source, start, end, context, out)
      if (more === undefined) return update
      update = update === undefined ? more : joinUpdates(update, more)
      tried = tried.mergeUnchecked(more)
    }
    return update
  }

  #pass(
    mapping: IndexMapping,
    source: Uint8Array,
    start: number,
    end: number,
    context: ParseContext,
    out: ParsedDocument,
  ): MappingJson | undefined {
    const walk = this.#walk
    const { writer } = walk
    out.reset()
    const copyStart = out.reserve(end - start)
    out.bytes.set(start === 0 && end === source.length ? source : source.subarray(start, end), copyStart)
    writer.out = out
    writer.layout = mapping.layout
    writer.places = new DocumentPlaces(source, start, end, copyStart)
    writer.context = context
    writer.current = undefined
    walk.begin(mapping, context, out)
    try {
      this.#root(out, copyStart, copyStart + end - start)
      if (mapping.layout.scripted.length > 0 && walk.newFields.toJson() === undefined) {
        this.#runScripts(mapping, source.subarray(start, end))
      }
    } catch (error) {
      throw explainFailure(error, {
        id: context.id,
        reader: walk.reader,
        places: writer.places,
        field: writer.current,
        lastField: walk.lastField,
      })
    }
    out.endDocument(ROOT)
    return walk.newFields.toJson()
  }

  /** Scripts see the document as it will be indexed, so they run after all of it was parsed. */
  #runScripts(mapping: IndexMapping, source: Uint8Array): void {
    const { writer } = this.#walk
    const computed = this.#scripts?.(mapping, source)
    if (computed === undefined) return
    const { reader } = writer
    try {
      for (const { plan } of mapping.layout.scripted) {
        const values = computed.get(plan.path)
        if (values === undefined) writer.ignore(plan.path)
        for (const json of values ?? []) {
          // Entries refer to bytes of the document, so the value is appended to them.
          const bytes = Buffer.from(json)
          const start = writer.put(bytes)
          writer.reader = new JsonReader().reset(writer.out.bytes, start, start + bytes.length)
          writer.reader.next()
          writer.write(plan, ROOT)
        }
      }
    } finally {
      writer.reader = reader
    }
  }

  #root(out: ParsedDocument, start: number, end: number): void {
    const walk = this.#walk
    const reader = walk.reader.reset(out.bytes, start, end)
    const { root } = walk.mapping.layout
    if (start === end) throw documentParsing('[0:0]', 'failed to parse, document is empty')
    if (reader.next() !== START_OBJECT) throw documentParsing('', 'Malformed content, must start with an object')
    if (root.enabled) walk.object(root, ROOT)
    else reader.skipChildren()
    this.#checkTimestamp(out)
    const extra = this.#afterEnd()
    if (extra !== undefined) throw extra
  }

  /** Documents of a data stream have exactly one timestamp. */
  #checkTimestamp(out: ParsedDocument): void {
    const { context, mapping } = this.#walk
    const required = context.requireTimestamp || mapping.definition.settings.dataStreamTimestamp
    if (!required) return
    const schema = mapping.layout.plans.get('@timestamp')?.schema
    let count = 0
    for (let i = 0; i < out.entryCount; i++) if (out.field[i] === schema?.id && out.doc[i] === ROOT) count++
    if (count === 0) throw illegalArgument('data stream timestamp field [@timestamp] is missing')
    if (count > 1) throw illegalArgument('data stream timestamp field [@timestamp] encountered multiple values')
  }

  #afterEnd(): ApiError | undefined {
    const { reader, writer } = this.#walk
    try {
      if (reader.next() === END) return undefined
      return new ExtraDataError(tokenName(reader.token))
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      return documentSyntaxError(writer.places.diagnosis() ?? error, true)
    }
  }
}
