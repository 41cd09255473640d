/**
 * The buffered terms of one field, in order of arrival. Nothing is sorted here: a token costs a table lookup and a
 * push, and terms are sorted once, when the segment is written.
 */
import { immenseToken, TERM_BYTES_MAX } from '../../../base/errors/term-errors.ts'
import type { FieldSchema, IndexAnalyzer, PortableAnalyzer, TokenSink } from '../../document/field-schema.ts'
import { IntList, type PackedList } from './growable.ts'
import type { ListMemory } from './list-memory.ts'
import { type PackedTerms, TermTable } from './term-table.ts'
import { type PackedTexts, TextList } from './text-list.ts'

/** What the thread that unpacks a buffer provides: memory for further data, and analyzers. */
export interface Revival {
  readonly memory?: ListMemory
  analyzer(portable: PortableAnalyzer): IndexAnalyzer
}

export interface PackedTermField {
  readonly kind: 'term'
  readonly schema: FieldSchema
  /** Texts in place of tokens, with the analyzer that produces them. */
  readonly texts: PackedTexts | undefined
  readonly analyzer: PortableAnalyzer | undefined
  readonly table: PackedTerms
  readonly tokens: PackedList<Int32Array>
  readonly positions: PackedList<Int32Array> | undefined
  readonly features: PackedList<Int32Array> | undefined
  readonly groupDocs: PackedList<Int32Array>
  readonly groupStarts: PackedList<Int32Array>
  readonly groupLengths: PackedList<Int32Array>
}

/** Terms of a text or keyword field. The tokens of one document form a group. */
export class TermFieldBuffer implements TokenSink {
  readonly schema: FieldSchema
  readonly table: TermTable
  /** The term of each token. */
  readonly tokens: IntList
  /** The position of each token, if the field has positions. */
  readonly positions: IntList | undefined
  /** The number of each token, if the field has features. */
  readonly features: IntList | undefined
  /** The document of each group, and the start of its tokens. */
  readonly groupDocs: IntList
  readonly groupStarts: IntList
  /** Tokens that count for the document's length (those with a position increment). */
  readonly groupLengths: IntList
  #texts: TextList | undefined
  #position = -1
  #length = 0

  constructor(schema: FieldSchema, memory?: ListMemory, table = new TermTable(memory)) {
    this.schema = schema
    this.#texts = schema.analyzer?.portable === undefined ? undefined : new TextList(memory)
    this.table = table
    this.tokens = new IntList(64, memory)
    this.positions = schema.inverted === 'positions' ? new IntList(64, memory) : undefined
    this.features = schema.inverted === 'features' ? new IntList(64, memory) : undefined
    this.groupDocs = new IntList(64, memory)
    this.groupStarts = new IntList(64, memory)
    this.groupLengths = new IntList(64, memory)
  }

  static unpack(packed: PackedTermField, revival: Revival): TermFieldBuffer {
    if (packed.texts !== undefined) {
      const schema = { ...packed.schema, analyzer: revival.analyzer(packed.analyzer!) }
      const field = new TermFieldBuffer(schema, revival.memory)
      field.#texts = TextList.unpack(packed.texts)
      return field
    }
    const field = new TermFieldBuffer(packed.schema, undefined, TermTable.unpack(packed.table))
    field.tokens.adopt(packed.tokens)
    if (packed.positions !== undefined) field.positions!.adopt(packed.positions)
    if (packed.features !== undefined) field.features!.adopt(packed.features)
    field.groupDocs.adopt(packed.groupDocs)
    field.groupStarts.adopt(packed.groupStarts)
    field.groupLengths.adopt(packed.groupLengths)
    return field
  }

  pack(): PackedTermField {
    return {
      kind: 'term',
      schema: withoutAnalyzer(this.schema),
      texts: this.#texts?.pack(),
      analyzer: this.schema.analyzer?.portable,
      table: this.table.pack(),
      tokens: this.tokens.pack(),
      positions: this.positions?.pack(),
      features: this.features?.pack(),
      groupDocs: this.groupDocs.pack(),
      groupStarts: this.groupStarts.pack(),
      groupLengths: this.groupLengths.pack(),
    }
  }

  release(): void {
    this.#texts?.release()
    this.table.release()
    this.tokens.release()
    this.positions?.release()
    this.features?.release()
    this.groupDocs.release()
    this.groupStarts.release()
    this.groupLengths.release()
  }

  get memoryBytes(): number {
    return (
      this.table.memoryBytes +
      this.tokens.memoryBytes +
      (this.positions?.memoryBytes ?? 0) +
      (this.features?.memoryBytes ?? 0) +
      (this.#texts?.memoryBytes ?? 0) +
      this.groupDocs.memoryBytes * 3
    )
  }

  addTerm(doc: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#texts !== undefined) this.analyzeTexts()
    this.#openGroup(doc)
    this.tokens.push(this.table.intern(bytes, start, end))
    this.positions?.push(++this.#position)
    this.groupLengths.array[this.groupLengths.length - 1] = ++this.#length
  }

  /** The number of the feature is in the four bytes behind its term. */
  addFeature(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.addTerm(doc, bytes, start, end)
    this.features!.push(bytes[end]! | (bytes[end + 1]! << 8) | (bytes[end + 2]! << 16) | (bytes[end + 3]! << 24))
  }

  addText(doc: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#texts === undefined) this.#analyze(doc, bytes, start, end)
    else this.#texts.add(doc, bytes, start, end)
  }

  /** Analyzes pending texts. Must be called before tokens are read. */
  analyzeTexts(): void {
    const texts = this.#texts
    if (texts === undefined) return
    texts.each((doc, bytes, start, end) => this.#analyze(doc, bytes, start, end))
    texts.release()
    this.#texts = undefined
  }

  #analyze(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.#openGroup(doc)
    this.schema.analyzer!.analyze(bytes, start, end, this)
    this.#position += this.schema.positionGap
    this.groupLengths.array[this.groupLengths.length - 1] = this.#length
  }

  token(bytes: Uint8Array, start: number, end: number, positionIncrement: number): void {
    this.#position += positionIncrement
    if (positionIncrement > 0) this.#length++
    if (end - start > TERM_BYTES_MAX) throw immenseToken(this.schema.name, bytes, start, end)
    this.tokens.push(this.table.intern(bytes, start, end))
    this.positions?.push(this.#position)
  }

  endOfValue(positionIncrement: number): void {
    this.#position += positionIncrement
  }

  #openGroup(doc: number): void {
    const groups = this.groupDocs
    if (groups.length > 0 && groups.array[groups.length - 1] === doc) return
    groups.push(doc)
    this.groupStarts.push(this.tokens.length)
    this.groupLengths.push(0)
    this.#position = -1
    this.#length = 0
  }
}

/** An analyzer is code and cannot be sent to another thread; packed values have already been analyzed. */
export function withoutAnalyzer(schema: FieldSchema): FieldSchema {
  const { id, name, inverted, norms, docValues, ordered, positionGap } = schema
  return { id, name, inverted, norms, docValues, ordered, positionGap, analyzer: undefined }
}
