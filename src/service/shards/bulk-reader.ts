/**
 * Splits a bulk body into its items. A mistake here fails the whole request, before anything is applied.
 *
 * Lines are found with `indexOf`; action lines are read with the JSON reader; source lines are only measured, except
 * those of updates, whose members are part of the request.
 */
import { ApiError, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { bulkBodyMalformed, idTooLong, unknownVersionType } from '../../base/errors/document-errors.ts'
import { notABoolean } from '../../base/errors/http-errors.ts'
import { jsonSyntaxError, notNumeric } from '../../base/errors/json-errors.ts'
import {
  END,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  JsonReader,
  NULL,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../base/json/json-syntax-error.ts'
import { RequestReader, TOKEN_NAMES } from '../../engine/query/request-reader.ts'
import { readSourceFilter } from '../../engine/search/source-selection.ts'
import { type BulkAction, type BulkExtras, BulkItems, CREATE, DELETE, INDEX, UPDATE } from './bulk-items.ts'
import type { BulkRequest, SourceFilter } from './shard-host.ts'
import { Turns } from './turns.ts'
import { parseUpdateRequest, updateProblems } from './update-request.ts'
import {
  conditionProblems,
  ID_BYTES_MAX,
  indexProblems,
  knownPrimaryTerm,
  knownSeqNo,
  parseVersionType,
  updateConditionProblems,
} from './write-rules.ts'

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Reads the whole body, giving way to others every now and then. Strings of action lines are unescaped in place; source
 * lines stay as they came.
 */
export async function readBulk(request: BulkRequest): Promise<BulkItems> {
  return await new BulkReader(request).read()
}

class BulkReader {
  readonly #request: BulkRequest
  readonly #body: Buffer
  readonly #items = new BulkItems()
  readonly #reader = new JsonReader()
  readonly #targetNumbers = new Map<string, number>()
  readonly #problems: string[] = []

  // What the current action line said.
  #action: BulkAction = INDEX
  #idStart = -1
  #idEnd = -1
  #routingStart = -1
  #routingEnd = -1
  #indexName: string | undefined
  #requireAlias = false
  #requireDataStream = false
  #extras: BulkExtras | undefined

  // The name most items share, to find its target without building a string.
  #lastNameStart = -1
  #lastNameEnd = -1
  #lastName: string | undefined
  #lastTarget = -1

  constructor(request: BulkRequest) {
    this.#request = request
    const { buffer, byteOffset, byteLength } = request.body
    this.#body = Buffer.from(buffer, byteOffset, byteLength)
  }

  async read(): Promise<BulkItems> {
    const body = this.#body
    const turns = new Turns()
    let from = 0
    let line = 0
    for (;;) {
      if (turns.isOver()) await turns.next()
      const end = this.#lineEnd(from)
      if (end < 0) break
      line++
      const isAction = end > from && this.#readAction(line, from, end)
      from = end + 1
      if (!isAction) continue
      if (this.#action === DELETE) {
        this.#addItem(-1, -1)
        continue
      }
      const sourceEnd = this.#lineEnd(from)
      // An action at the end without its source is dropped, as Elasticsearch does.
      if (sourceEnd < 0) break
      line++
      const trimmed = sourceEnd > from && body[sourceEnd - 1] === CARRIAGE_RETURN ? sourceEnd - 1 : sourceEnd
      this.#addItem(from, trimmed)
      from = sourceEnd + 1
    }
    if (this.#items.count === 0) throw validationFailed('no requests added')
    if (this.#problems.length > 0) throw validationFailed(...this.#problems)
    return this.#items
  }

  /** The place of the newline that ends the line at `from`; -1 at the end of the body. */
  #lineEnd(from: number): number {
    if (from >= this.#body.length) return -1
    const end = this.#body.indexOf(NEWLINE, from)
    if (end < 0) throw illegalArgument('The bulk request must be terminated by a newline [\\n]')
    return end
  }

  /** Reads the action line; false when it holds nothing but white space. */
  #readAction(line: number, from: number, end: number): boolean {
    const reader = this.#reader.reset(this.#body, from, end)
    try {
      const first = reader.next()
      if (first === END) return false
      if (first !== START_OBJECT) {
        throw malformed(line, `expected START_OBJECT but found [${TOKEN_NAMES[first]}]`)
      }
      const second = reader.next()
      if (second !== FIELD_NAME) throw malformed(line, `expected FIELD_NAME but found [${TOKEN_NAMES[second]}]`)
      this.#action = this.#actionOf(line)
      this.#readMetadata(line, from, end)
      // A second key is let pass, but what follows must still be JSON.
      if (reader.next() === END_OBJECT) reader.next()
    } catch (error) {
      throw error instanceof JsonSyntaxError ? jsonSyntaxError(error) : error
    }
    return true
  }

  #actionOf(line: number): BulkAction {
    const name = this.#reader.text()
    switch (name) {
      case 'index':
        return INDEX
      case 'create':
        return CREATE
      case 'update':
        return UPDATE
      case 'delete':
        return DELETE
      default:
        throw malformed(line, `expected field [create], [delete], [index] or [update] but found [${name}]`)
    }
  }

  #readMetadata(line: number, lineStart: number, lineEnd: number): void {
    const reader = this.#reader
    this.#idStart = -1
    this.#routingStart = -1
    this.#indexName = undefined
    this.#requireAlias = this.#request.requireAlias
    this.#requireDataStream = this.#request.requireDataStream
    this.#extras = undefined

    const token = reader.next()
    if (token === END_OBJECT) return
    if (token !== START_OBJECT) {
      throw malformed(line, `expected START_OBJECT or END_OBJECT but found [${TOKEN_NAMES[token]}]`)
    }
    while (reader.next() !== END_OBJECT) {
      const nameLength = reader.end - reader.start
      // `_id` is in nearly every line; the others are told apart by their text.
      if (nameLength === 3 && this.#nameIsId()) {
        const value = reader.next()
        if (value === NULL) continue
        if (value < STRING) throw notSimple(line, '_id', value)
        this.#idStart = reader.start
        this.#idEnd = reader.end
        continue
      }
      const name = reader.text()
      const value = reader.next()
      if (value === NULL) continue
      if (value >= STRING) this.#readValue(line, name, lineStart, lineEnd)
      else if (value === START_OBJECT && (name === '_source' || name === 'dynamic_templates')) {
        this.#readObject(name)
      } else throw notSimple(line, name, value)
    }
  }

  #nameIsId(): boolean {
    const { bytes, start } = this.#reader
    return bytes[start] === 0x5f && bytes[start + 1] === 0x69 && bytes[start + 2] === 0x64
  }

  #readValue(line: number, name: string, lineStart: number, lineEnd: number): void {
    const reader = this.#reader
    switch (name) {
      case '_index':
        this.#indexName = this.#nameText()
        return
      case 'routing':
        if (reader.end === reader.start) return
        this.#routingStart = reader.start
        this.#routingEnd = reader.end
        return
      case 'op_type':
        if (this.#action === INDEX && reader.text() === 'create') this.#action = CREATE
        return
      case 'version':
        this.#extra().version = this.#long(lineStart, lineEnd)
        return
      case 'version_type': {
        const type = parseVersionType(reader.text())
        if (type === undefined) throw unknownVersionType(reader.text())
        this.#extra().versionType = type
        return
      }
      case 'if_seq_no':
        this.#extra().ifSeqNo = knownSeqNo(this.#long(lineStart, lineEnd))
        return
      case 'if_primary_term':
        this.#extra().ifPrimaryTerm = knownPrimaryTerm(this.#long(lineStart, lineEnd))
        return
      case 'retry_on_conflict':
        this.#extra().retryOnConflict = this.#long(lineStart, lineEnd)
        return
      case 'pipeline':
        this.#extra().pipeline = reader.text()
        return
      case 'require_alias':
        this.#requireAlias = this.#boolean()
        return
      case 'require_data_stream':
        this.#requireDataStream = this.#boolean()
        return
      case 'list_executed_pipelines':
        this.#boolean()
        return
      case '_source':
        this.#extra().sourceFilter = this.#sourceFilter(lineStart, lineEnd)
        return
      default:
        throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${name}]`)
    }
  }

  #readObject(name: string): void {
    const value = this.#reader.value() as Record<string, unknown>
    if (name === 'dynamic_templates') {
      this.#extra().dynamicTemplates = Object.fromEntries(
        Object.entries(value).map(([path, template]) => [path, String(template)]),
      )
      return
    }
    const list = (patterns: unknown) =>
      patterns === undefined ? [] : Array.isArray(patterns) ? patterns.map(String) : [String(patterns)]
    this.#extra().sourceFilter = {
      enabled: true,
      includes: list(value['includes'] ?? value['include']),
      excludes: list(value['excludes'] ?? value['exclude']),
    }
  }

  #sourceFilter(lineStart: number, lineEnd: number): SourceFilter {
    const { token } = this.#reader
    if (token === TRUE || token === FALSE || token === STRING) {
      const enabled = token !== FALSE
      return { enabled, includes: token === STRING ? [this.#reader.text()] : [], excludes: [] }
    }
    // A number: the place in the complaint comes from reading the line again.
    const line = new RequestReader(this.#body.subarray(lineStart, lineEnd))
    while (line.next() !== FIELD_NAME || line.name !== '_source');
    line.next()
    try {
      return readSourceFilter(line)
    } catch (error) {
      throw error instanceof ApiError ? bulkBodyMalformed(error) : error
    }
  }

  /** A number, cut down to an integer, or a string that holds one. */
  #long(lineStart: number, lineEnd: number): number {
    const { token, end } = this.#reader
    const text = this.#reader.text()
    if (token === TRUE || token === FALSE) {
      const line = this.#body.toString('utf8', lineStart, lineEnd)
      throw notNumeric(token === TRUE ? 'VALUE_TRUE' : 'VALUE_FALSE', line, end - lineStart + 1)
    }
    if (token !== STRING) return Math.trunc(Number(text))
    if (!/^[+-]?\d+$/.test(text)) throw illegalArgument(`For input string: "${text}"`)
    return Number(text)
  }

  #boolean(): boolean {
    const text = this.#reader.text()
    if (text === 'true') return true
    if (text === 'false') return false
    throw notABoolean(text)
  }

  #nameText(): string {
    const { bytes, start, end } = this.#reader
    if (this.#lastName !== undefined && sameBytes(bytes, this.#lastNameStart, this.#lastNameEnd, start, end)) {
      return this.#lastName
    }
    this.#lastNameStart = start
    this.#lastNameEnd = end
    this.#lastName = this.#reader.text()
    return this.#lastName
  }

  #extra(): BulkExtras {
    this.#extras ??= {
      version: undefined,
      versionType: 'internal',
      ifSeqNo: undefined,
      ifPrimaryTerm: undefined,
      retryOnConflict: 0,
      pipeline: undefined,
      dynamicTemplates: undefined,
      sourceFilter: undefined,
      update: undefined,
    }
    return this.#extras
  }

  #addItem(sourceStart: number, sourceEnd: number): void {
    const items = this.#items
    const name = this.#indexName ?? this.#request.defaultIndex
    if (name === undefined) this.#problems.push('index is missing')
    if (this.#action === UPDATE) this.#readUpdate(sourceStart, sourceEnd)
    this.#check()

    const item = items.push()
    items.action[item] = this.#action
    items.target[item] = this.#targetNumber(name ?? '')
    items.idStart[item] = this.#idStart
    items.idEnd[item] = this.#idEnd
    items.routingStart[item] = this.#routingStart
    items.routingEnd[item] = this.#routingEnd
    items.sourceStart[item] = sourceStart
    items.sourceEnd[item] = sourceEnd
    items.extra[item] = this.#extras === undefined ? -1 : items.extras.push(this.#extras) - 1
  }

  #readUpdate(sourceStart: number, sourceEnd: number): void {
    const extra = this.#extra()
    if (extra.version !== undefined || extra.versionType !== 'internal') {
      throw illegalArgument(
        'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
      )
    }
    const update = parseUpdateRequest(this.#body.subarray(sourceStart, sourceEnd))
    extra.update = update
    extra.ifSeqNo = update.ifSeqNo ?? extra.ifSeqNo
    extra.ifPrimaryTerm = update.ifPrimaryTerm ?? extra.ifPrimaryTerm
  }

  #check(): void {
    const extra = this.#extras
    const hasId = this.#idStart >= 0
    const isIndexing = this.#action === INDEX || this.#action === CREATE
    if (!isIndexing && (!hasId || this.#idEnd === this.#idStart)) this.#problems.push('id is missing')
    if (extra !== undefined) {
      if (isIndexing) this.#problems.push(...indexProblems(extra, this.#action === CREATE, hasId))
      else if (this.#action === DELETE) this.#problems.push(...conditionProblems(extra))
      else {
        const update = extra.update!
        const { retryOnConflict } = extra
        const upserts = { retryOnConflict, docAsUpsert: update.docAsUpsert, hasUpsert: update.upsert !== undefined }
        this.#problems.push(...updateConditionProblems(extra, upserts), ...updateProblems(update))
      }
    }
    if (hasId && this.#idEnd - this.#idStart > ID_BYTES_MAX && this.#action !== DELETE) {
      const id = this.#body.toString('utf8', this.#idStart, this.#idEnd)
      this.#problems.push(idTooLong(id, this.#idEnd - this.#idStart))
    }
  }

  #targetNumber(name: string): number {
    const requireAlias = this.#requireAlias
    const requireDataStream = this.#requireDataStream
    // An external version is kept also for a document that never was, so such a delete may create the index.
    const isDelete = this.#action === DELETE && (this.#extras?.versionType ?? 'internal') === 'internal'
    // Items mostly go where the one before went.
    const last = this.#items.targets[this.#lastTarget]
    if (
      last !== undefined &&
      last.name === name &&
      last.isDelete === isDelete &&
      last.requireAlias === requireAlias &&
      last.requireDataStream === requireDataStream
    ) {
      return this.#lastTarget
    }
    const key = `${requireAlias ? 'a' : '-'}${requireDataStream ? 'd' : '-'}${isDelete ? 'x' : '-'}${name}`
    let number = this.#targetNumbers.get(key)
    if (number === undefined) {
      number = this.#items.targets.push({ name, requireAlias, requireDataStream, isDelete }) - 1
      this.#targetNumbers.set(key, number)
    }
    this.#lastTarget = number
    return number
  }
}

function malformed(line: number, problem: string): ApiError {
  return illegalArgument(`Malformed action/metadata line [${line}], ${problem}`)
}

function notSimple(line: number, name: string, token: number): ApiError {
  return malformed(line, `expected a simple value for field [${name}] but found [${TOKEN_NAMES[token]}]`)
}

function sameBytes(bytes: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false
  for (let i = 0; i < aEnd - aStart; i++) if (bytes[aStart + i] !== bytes[bStart + i]) return false
  return true
}
