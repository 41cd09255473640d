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
import { END, START_OBJECT } from '../../../base/json/json-reader.ts'
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

export class JsonDocumentParser implements DocumentParser {
  readonly #walk = new DocumentWalk()

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
    writer.current = undefined
    walk.begin(mapping, context, out)
    try {
      this.#root(out, copyStart, copyStart + end - start)
    } catch (error) {
      throw explainFailure(error, {
        id: context.id,
        reader: walk.reader,
        places: writer.places,
        field: writer.current,
        lastField: walk.lastField,
      })
    }
    return walk.newFields.toJson()
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
    out.endDocument(ROOT)
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
