/** Parses the documents of a shard's log again, when the shard is opened. */
import { ApiError } from '../../base/api-error.ts'
import type { ParsedDocument } from '../../engine/document/parsed-document.ts'
import type { JsonDocumentParser } from '../../engine/mapping/documents/document-parser.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import type { Reparsed, ReplayParser } from '../../engine/shard/flush/recovery.ts'
import type { OpenIndex } from './open-index.ts'

/** The current mapping has all fields of the documents. */
export class IndexReplayParser implements ReplayParser {
  readonly #index: OpenIndex
  readonly #parser: JsonDocumentParser
  readonly #growMapping: (update: MappingJson) => Promise<void>

  constructor(index: OpenIndex, parser: JsonDocumentParser, growMapping: (update: MappingJson) => Promise<void>) {
    this.#index = index
    this.#parser = parser
    this.#growMapping = growMapping
  }

  parse(
    source: Uint8Array,
    id: string,
    routing: string | undefined,
    out: ParsedDocument,
  ): Reparsed | Promise<Reparsed> {
    out.reset()
    const context = { id, routing }
    try {
      const update = this.#parser.parse(this.#index.mapping, source, 0, source.length, context, out)
      return update === undefined ? this.#reparsed(source) : this.#parseAfterGrowth(update, source, id, routing, out)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The document was accepted by an earlier, less strict mapping.
      out.reset()
      const lenient = this.#index.lenientMapping()
      this.#parser.parse(lenient, source, 0, source.length, context, out)
      return { ...this.#reparsed(source), schemas: lenient.schemas }
    }
  }

  async #parseAfterGrowth(
    update: MappingJson,
    source: Uint8Array,
    id: string,
    routing: string | undefined,
    out: ParsedDocument,
  ): Promise<Reparsed> {
    await this.#growMapping(update)
    return await this.parse(source, id, routing, out)
  }

  #reparsed(source: Uint8Array): Reparsed {
    const { mapping, storesWholeSource } = this.#index
    const kept = storesWholeSource ? source : mapping.sourceEnabled ? mapping.storedSource(source) : undefined
    return { schemas: mapping.schemas, storedSource: kept }
  }
}
