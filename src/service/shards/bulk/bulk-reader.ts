/**
 * Splits a bulk body into items. An error fails the whole request before anything is applied.
 *
 * Lines are found with `indexOf`. Source lines are only measured, except those of updates, whose members are part of
 * the request.
 */
import { illegalArgument, validationFailed } from '../../../base/api-error.ts'
import { idTooLong, noRequestsAdded } from '../../../base/errors/document-errors.ts'
import type { BulkRequest } from '../shard-host.ts'
import { parseUpdateLine, type UpdateRequest, updateProblems } from '../write/update-request.ts'
import { conditionProblems, ID_BYTES_MAX, indexProblems, updateConditionProblems } from '../write/write-rules.ts'
import { BulkActionReader } from './bulk-action-reader.ts'
import { BulkItems, CREATE, DELETE, INDEX, UPDATE } from './bulk-items.ts'
import { Turns } from './turns.ts'

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Parses the whole body and yields to other work regularly. Strings of action lines are unescaped in place; source
 * lines are not changed.
 */
export async function readBulk(request: BulkRequest): Promise<BulkItems> {
  return await new BulkReader(request).read()
}

class BulkReader {
  readonly #request: BulkRequest
  readonly #body: Buffer
  readonly #items = new BulkItems()
  readonly #line: BulkActionReader
  readonly #targetNumbers = new Map<string, number>()
  readonly #problems: string[] = []

  // Most items have the same target as the previous one.
  #lastTarget = -1
  /** The last update if it is only a script, and its line. */
  #lastScript: { readonly start: number; readonly end: number; readonly update: UpdateRequest } | undefined

  constructor(request: BulkRequest) {
    this.#request = request
    const { buffer, byteOffset, byteLength } = request.body
    this.#body = Buffer.from(buffer, byteOffset, byteLength)
    this.#line = new BulkActionReader(this.#body, request)
  }

  async read(): Promise<BulkItems> {
    const body = this.#body
    const turns = new Turns()
    let from = 0
    let line = 0
    for (;;) {
      if (turns.isOver(false)) await turns.next()
      const end = this.#lineEnd(from)
      if (end < 0) break
      line++
      const isAction = end > from && this.#line.read(line, from, end)
      from = end + 1
      if (!isAction) continue
      if (this.#line.action === DELETE) {
        this.#addItem(-1, -1)
        continue
      }
      const sourceEnd = this.#lineEnd(from)
      // A trailing action without its source is dropped, as in Elasticsearch.
      if (sourceEnd < 0) break
      line++
      const trimmed = sourceEnd > from && body[sourceEnd - 1] === CARRIAGE_RETURN ? sourceEnd - 1 : sourceEnd
      this.#addItem(from, trimmed)
      from = sourceEnd + 1
    }
    if (this.#items.count === 0) throw noRequestsAdded()
    if (this.#problems.length > 0) throw validationFailed(...this.#problems)
    return this.#items
  }

  /** The position of the newline that ends the line at `from`; -1 at the end of the body. */
  #lineEnd(from: number): number {
    if (from >= this.#body.length) return -1
    const end = this.#body.indexOf(NEWLINE, from)
    if (end < 0) throw illegalArgument('The bulk request must be terminated by a newline [\\n]')
    return end
  }

  #addItem(sourceStart: number, sourceEnd: number): void {
    const items = this.#items
    const name = this.#line.indexName ?? this.#request.defaultIndex
    if (name === undefined) this.#problems.push('index is missing')
    if (this.#line.action === UPDATE) this.#readUpdate(sourceStart, sourceEnd)
    this.#check()

    const item = items.push()
    items.action[item] = this.#line.action
    items.target[item] = this.#targetNumber(name ?? '')
    items.idStart[item] = this.#line.idStart
    items.idEnd[item] = this.#line.idEnd
    items.routingStart[item] = this.#line.routingStart
    items.routingEnd[item] = this.#line.routingEnd
    items.sourceStart[item] = sourceStart
    items.sourceEnd[item] = sourceEnd
    items.extra[item] = this.#line.extras === undefined ? -1 : items.extras.push(this.#line.extras) - 1
  }

  #readUpdate(sourceStart: number, sourceEnd: number): void {
    const extra = this.#line.extra()
    if (extra.version !== undefined || extra.versionType !== 'internal') {
      throw illegalArgument(
        'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
      )
    }
    const update = this.#updateAt(sourceStart, sourceEnd)
    extra.update = update
    extra.ifSeqNo = update.ifSeqNo ?? extra.ifSeqNo
    extra.ifPrimaryTerm = update.ifPrimaryTerm ?? extra.ifPrimaryTerm
  }

  /** Many documents are often changed by the same script, which is then parsed and bound once. */
  #updateAt(start: number, end: number): UpdateRequest {
    const body = this.#body
    const last = this.#lastScript
    if (last !== undefined && end - start === last.end - last.start) {
      if (body.compare(body, last.start, last.end, start, end) === 0) return last.update
    }
    const update = parseUpdateLine(body.subarray(start, end))
    const { script, doc, upsert } = update
    this.#lastScript =
      script !== undefined && doc === undefined && upsert === undefined ? { start, end, update } : undefined
    return update
  }

  #check(): void {
    const extra = this.#line.extras
    const hasId = this.#line.idStart >= 0
    const isIndexing = this.#line.action === INDEX || this.#line.action === CREATE
    if (!isIndexing && (!hasId || this.#line.idEnd === this.#line.idStart)) this.#problems.push('id is missing')
    if (extra !== undefined) {
      if (isIndexing) this.#problems.push(...indexProblems(extra, this.#line.action === CREATE, hasId))
      else if (this.#line.action === DELETE) this.#problems.push(...conditionProblems(extra))
      else {
        const update = extra.update!
        const { retryOnConflict } = extra
        const upserts = { retryOnConflict, docAsUpsert: update.docAsUpsert, hasUpsert: update.upsert !== undefined }
        this.#problems.push(...updateConditionProblems(extra, upserts), ...updateProblems(update))
      }
    }
    if (hasId && this.#line.idEnd - this.#line.idStart > ID_BYTES_MAX && this.#line.action !== DELETE) {
      const id = this.#body.toString('utf8', this.#line.idStart, this.#line.idEnd)
      this.#problems.push(idTooLong(id, this.#line.idEnd - this.#line.idStart))
    }
  }

  #targetNumber(name: string): number {
    const requireAlias = this.#line.requireAlias
    const requireDataStream = this.#line.requireDataStream
    // An external version is stored even for a document that never existed, so such a delete may create the index.
    const isDelete = this.#line.action === DELETE && (this.#line.extras?.versionType ?? 'internal') === 'internal'
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
