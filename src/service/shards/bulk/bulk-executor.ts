/**
 * Runs a bulk request in the thread of the shards.
 *
 * The body is parsed completely first, so that a malformed request changes nothing. Then the items are applied shard by
 * shard, in order: an item sees the effects of earlier items, and each fails separately. Finally every shard makes its
 * part durable, and only then is anything acknowledged. If that fails, the items of that shard report the failure.
 */
import { ApiError, fromErrorData } from '../../../base/api-error.ts'
import { formatDuration } from '../../../base/duration.ts'
import { emptyId, notEnoughActiveCopies, routingMissing } from '../../../base/errors/document-errors.ts'
import type { FaultLog } from '../../../base/errors/fault-log.ts'
import { unexpectedFailure } from '../../../base/errors/http-errors.ts'
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import { shardOfDocument } from '../../../base/shard-routing.ts'
import { SourceFilter } from '../../../engine/mapping/source/source-filter.ts'
import { NO_CONDITION, type WriteResult } from '../../../engine/shard/operations.ts'
import type { Shard } from '../../../engine/shard/shard.ts'
import type { IngestRunner } from '../../ingest/run/ingest-runner.ts'
import type { OpenShard } from '../open-index.ts'
import type { BulkAnswer, BulkRequest, HostCallbacks, WriteTarget } from '../shard-host.ts'
import { describeDelete, describeIndex, missingCopies } from '../write/active-shards.ts'
import { AUTO_ID_LENGTH, type AutoIds } from '../write/auto-id.ts'
import { checkDataStreamRules } from '../write/data-stream-rules.ts'
import { DocumentToWrite, type DocumentWriter, type UpdateResult } from '../write/document-writer.ts'
import { notKept } from '../write/failure-document.ts'
import { resolveRouting } from '../write/routing.ts'
import {
  BulkOutcome,
  CREATED,
  DELETED,
  encodeBulkAnswer,
  NOOP,
  NOT_FOUND,
  targetWords,
  UPDATED,
} from './bulk-answer.ts'
import { redirectedItems } from './bulk-failures.ts'
import { encodeCounts, readHits } from './bulk-hits.ts'
import { BulkIngest } from './bulk-ingest.ts'
import { ACTION_NAMES, type BulkExtras, type BulkItems, CREATE, DELETE, UPDATE, WITHOUT_ROUTING } from './bulk-items.ts'
import { readBulk } from './bulk-reader.ts'
import { runBulkScript } from './bulk-script.ts'
import { Turns } from './turns.ts'

export interface BulkSurroundings {
  readonly ingest: IngestRunner
  readonly writer: DocumentWriter
  readonly callbacks: HostCallbacks
  readonly autoIds: AutoIds
  readonly nowMs: () => number
  /** Faults of this code, which fail the item that met them and not the request. */
  readonly faults: FaultLog
  /** The shard of an open index; throws if it is not open. */
  shard(indexUuid: string, shard: number): OpenShard
}

type FoundTarget = Exclude<WriteTarget, { error: unknown }>

export async function executeBulk(request: BulkRequest, around: BulkSurroundings): Promise<BulkAnswer> {
  const { hits } = request
  const items = await (hits === undefined ? readBulk(request) : readHits(request, hits))
  return await new BulkRun(request, items, around).run()
}

class BulkRun {
  readonly #request: BulkRequest
  readonly #around: BulkSurroundings
  #body: Uint8Array
  readonly #items: BulkItems
  readonly #outcome: BulkOutcome
  #targets: (WriteTarget | undefined)[]
  readonly #shards: OpenShard[] = []
  readonly #slots = new Map<OpenShard, number>()
  /** The primary term of each shard when its first item arrived. */
  readonly #terms: number[] = []
  /** Per target: its shards by number, so that an item needs no lookup by name. */
  #shardsOfTarget: (OpenShard | undefined)[][]
  readonly #document = new DocumentToWrite()
  #autoCount = 0
  #ingestTookMs: number | undefined

  constructor(request: BulkRequest, items: BulkItems, around: BulkSurroundings) {
    this.#request = request
    this.#around = around
    const { buffer, byteOffset, byteLength } = request.body
    // Slices of a Buffer are Buffers, which cost three times as much to create.
    this.#body = new Uint8Array(buffer, byteOffset, byteLength)
    this.#items = items
    this.#document.origin = request.origin
    this.#outcome = new BulkOutcome(this.#items.count)
    this.#targets = this.#items.targets.map(() => undefined)
    this.#shardsOfTarget = this.#items.targets.map(() => [])
  }

  async run(): Promise<BulkAnswer> {
    await this.#runScript()
    await this.#ingest()
    await this.#resolveTargets()
    await this.#checkActiveShards()
    await this.#applyAll()
    if (this.#outcome.errors.size > 0) await this.#redirectFailures()
    await this.#makeDurable()
    const refreshed = await this.#refresh()
    if (this.#request.hits !== undefined && this.#outcome.errors.size === 0) {
      return { body: encodeCounts(this.#items, this.#outcome) }
    }
    const body = encodeBulkAnswer({
      items: this.#items,
      body: this.#body,
      outcome: this.#outcome,
      words: this.#items.targets.map((asked, i) => targetWords(asked, this.#targets[i])),
      refreshed,
      tookMs: Math.max(0, Math.round(this.#around.nowMs() - this.#request.startedAtMs)),
      ingestTookMs: this.#ingestTookMs,
      listPipelines: this.#request.listExecutedPipelines === true,
    })
    return { body }
  }

  /** The error of an item. A fault of this code is logged, because the response has the status of a success. */
  #failureOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error
    this.#around.faults.report('an item of a bulk request failed', error)
    return unexpectedFailure(error)
  }

  async #runScript(): Promise<void> {
    const { script } = this.#request
    if (script === undefined) return
    this.#body = await runBulkScript(script, this.#body, this.#items, this.#outcome, this.#around.nowMs)
    this.#forgetTargets()
  }

  /** A script or a pipeline may have added targets. */
  #forgetTargets(): void {
    this.#targets = this.#items.targets.map(() => undefined)
    this.#shardsOfTarget = this.#items.targets.map(() => [])
  }

  /** Documents go through their pipelines first: those decide about the index, the id and whether anything is written. */
  async #ingest(): Promise<void> {
    const { ingest, callbacks } = this.#around
    const fail = (item: number, error: unknown) => this.#fail(item, this.#failureOf(error))
    const run = new BulkIngest(this.#request, this.#body, this.#items, this.#outcome, { ingest, callbacks, fail })
    const start = performance.now()
    this.#body = await run.run()
    if (!run.hasRun) return
    this.#ingestTookMs = Math.round(performance.now() - start)
    this.#forgetTargets()
  }

  /**
   * Each name is resolved once, in the order of first use, which is also the order in which indices are created.
   * Deletes create nothing, but find an index that another item of the request creates, and fail like an item for
   * which no index of that name can be created.
   */
  async #resolveTargets(): Promise<void> {
    const items = this.#items
    const needed = new Set<number>()
    for (let item = 0; item < items.count; item++) {
      if (!this.#failed(item)) needed.add(items.target[item]!)
    }
    const deletesLast = [...needed].sort((a, b) => +items.targets[a]!.isDelete - +items.targets[b]!.isDelete)
    const { authorization, existingOnly } = this.#request
    const impossible = new Map<string, WriteTarget>()
    for (const target of deletesLast) {
      const { name, ...options } = items.targets[target]!
      const found =
        impossible.get(name) ??
        (await this.#around.callbacks.writeTarget(name, { ...options, existingOnly, authorization }))
      this.#targets[target] = found
      const cannotBeCreated = 'error' in found && found.error.type === 'invalid_index_name_exception'
      if (cannotBeCreated && !options.isDelete) impossible.set(name, found)
    }
  }

  async #checkActiveShards(): Promise<void> {
    const wanted = this.#request.activeShards
    if (wanted === undefined) return
    const items = this.#items
    let short = false
    for (let item = 0; item < items.count; item++) {
      const target = this.#targets[items.target[item]!]
      if (target === undefined || 'error' in target || this.#failed(item)) continue
      const missing = missingCopies(wanted, target.replicas)
      if (missing === undefined) continue
      short = true
      const shard = this.#shardNumber(item)
      const id = this.#idText(item)
      const operation =
        items.action[item] === DELETE
          ? describeDelete(target.indexName, id)
          : describeIndex(target.indexName, id, this.#body.subarray(items.sourceStart[item]!, items.sourceEnd[item]!))
      const label = { index: target.indexName, indexUuid: target.indexUuid, shard }
      this.#fail(item, notEnoughActiveCopies(label, missing, formatDuration(wanted.timeoutMs), operation))
    }
    if (short) await new Promise((resolve) => setTimeout(resolve, wanted.timeoutMs))
  }

  async #applyAll(): Promise<void> {
    const { count } = this.#items
    const order = this.#shardOrder()
    const turns = new Turns()
    for (let i = 0; i < count; i++) {
      const item = order === undefined ? i : order[i]!
      if (!this.#failed(item)) {
        try {
          const waiting = this.#apply(item)
          if (waiting !== undefined) await waiting
        } catch (error) {
          this.#fail(item, this.#failureOf(error))
        }
      }
      if (turns.isOver(this.#items.action[item] === UPDATE)) {
        await turns.next()
        for (const open of this.#shards) await open.shard.room()
      }
    }
  }

  /** Writes failed documents of data streams into their failure stores. */
  async #redirectFailures(): Promise<void> {
    const items = this.#items
    const outcome = this.#outcome
    const { authorization } = this.#request
    const { callbacks, nowMs } = this.#around
    const found = await redirectedItems({
      items,
      outcome,
      body: this.#body,
      targets: this.#targets,
      authorization,
      callbacks,
      nowMs,
      idOf: (item) =>
        items.idStart[item]! >= 0 || outcome.autoId[item]! >= 0 ? decodeId(this.#idBytes(item)) : undefined,
      routingOf: (item) => this.#askedRouting(item),
    })
    if (found.length === 0) return
    let end = this.#body.length
    this.#body = new Uint8Array(Buffer.concat([this.#body, ...found.map(({ source }) => source)]))
    for (const { item, error, target, source } of found) {
      const before = { target: items.target[item]!, slot: outcome.shardSlot[item]!, id: items.idStart[item]! }
      const autoId = outcome.autoId[item]!
      items.redirect(item, target, end, (end += source.length))
      this.#targets[items.target[item]!] = target
      this.#shardsOfTarget[items.target[item]!] ??= []
      outcome.errors.delete(item)
      outcome.autoId[item] = -1
      try {
        await this.#apply(item)
        outcome.failureStore.set(item, 'used')
      } catch (problem) {
        items.target[item] = before.target
        items.idStart[item] = before.id
        outcome.shardSlot[item] = before.slot
        outcome.autoId[item] = autoId
        outcome.failureStore.set(item, 'failed')
        this.#fail(item, notKept(error, this.#failureOf(problem)))
      }
    }
  }

  /**
   * The items grouped by shard, in order within a shard; undefined if there is only one shard. Elasticsearch sends each
   * shard its items at once, so if two documents disagree about a new field, the lower shard's definition wins.
   */
  #shardOrder(): Int32Array | undefined {
    const shardCounts = this.#targets.map((target) =>
      target === undefined || 'error' in target ? 1 : target.shardCount,
    )
    const shardCount = Math.max(...shardCounts)
    if (shardCount === 1) return undefined
    const { count } = this.#items
    const shards = new Int32Array(count)
    const next = new Int32Array(shardCount + 1)
    for (let item = 0; item < count; item++) {
      shards[item] = this.#failed(item) ? 0 : this.#shardNumber(item)
      next[shards[item]! + 1]!++
    }
    for (let shard = 1; shard <= shardCount; shard++) next[shard]! += next[shard - 1]!
    const order = new Int32Array(count)
    for (let item = 0; item < count; item++) order[next[shards[item]!]!++] = item
    return order
  }

  /** The shard of an item. Any shard serves for an item that will fail before it gets there. */
  #shardNumber(item: number): number {
    const target = this.#targets[this.#items.target[item]!]!
    if ('error' in target || target.shardCount === 1) return 0
    const routing = target.aliasRouting ?? this.#askedRouting(item)
    if (routing === undefined && target.routingRequired) return 0
    return shardOfDocument(target, this.#idText(item), routing)
  }

  /** Applies one item. Returns a promise only if the item has to wait for the mapping. */
  #apply(item: number): Promise<void> | undefined {
    const items = this.#items
    const outcome = this.#outcome
    const target = this.#targets[items.target[item]!]!
    if ('error' in target) throw fromErrorData(target.error)
    const action = items.action[item]!
    const refused = target.refused?.[ACTION_NAMES[action]!]
    if (refused !== undefined) throw fromErrorData(refused)
    const extra = items.extra[item]! < 0 ? undefined : items.extras[items.extra[item]!]
    if (target.requireTimestamp) {
      checkDataStreamRules(target, ACTION_NAMES[action]!, this.#askedRouting(item), extra?.ifSeqNo !== undefined)
    }
    const document = this.#document
    document.idBytes = this.#idBytes(item)
    document.routing = this.#routing(item, target)
    if (target.routingRequired && document.routing === undefined) {
      throw routingMissing(target.indexName, this.#idText(item))
    }
    if (document.idBytes.length === 0) throw emptyId()

    const open = this.#open(items.target[item]!, target, this.#shardNumber(item))
    outcome.shardSlot[item] = this.#slotOf(open)
    document.condition = extra ?? NO_CONDITION
    document.requireTimestamp = target.requireTimestamp
    document.dynamicTemplates = extra?.dynamicTemplates

    if (action === DELETE) {
      const { existed, version, seqNo, primaryTerm } = this.#around.writer.delete(open.shard, document)
      this.#keep(item, existed ? DELETED : NOT_FOUND, version, seqNo, primaryTerm)
      return undefined
    }
    if (action === UPDATE) {
      const updated = this.#around.writer.update(open.index, open.shard, open.label, document, extra!.update!)
      return updated instanceof Promise
        ? updated.then((result) => this.#keepUpdate(item, open, extra!, result))
        : this.#keepUpdate(item, open, extra!, updated)
    }
    document.bytes = this.#body
    document.start = items.sourceStart[item]!
    document.end = items.sourceEnd[item]!
    document.create = action === CREATE
    document.autoId = items.idStart[item]! < 0
    const written = this.#around.writer.index(open.index, open.shard, document)
    if (written instanceof Promise) return written.then((result) => this.#keepIndexed(item, result))
    this.#keepIndexed(item, written)
    return undefined
  }

  #keepIndexed(item: number, { existed, version, seqNo, primaryTerm }: WriteResult): void {
    this.#keep(item, existed ? UPDATED : CREATED, version, seqNo, primaryTerm)
  }

  #keepUpdate(item: number, open: OpenShard, extra: BulkExtras, updated: UpdateResult): undefined {
    const { result, version, seqNo, primaryTerm, source } = updated
    if (result === 'noop') open.shard.counters.noopUpdateTotal++
    this.#keep(
      item,
      result === 'created' ? CREATED : result === 'updated' ? UPDATED : result === 'deleted' ? DELETED : NOOP,
      version,
      seqNo,
      primaryTerm,
    )
    const filter = extra.sourceFilter ?? this.#request.sourceFilter ?? extra.update!.sourceFilter
    if (filter?.enabled === true && source !== undefined) {
      // Copied, because the source of an unchanged document is the shard's own memory.
      const shown = new SourceFilter(filter.includes, filter.excludes).apply(source)
      this.#outcome.sources.set(item, new Uint8Array(shown))
    }
    return undefined
  }

  #keep(item: number, result: number, version: number, seqNo: number, primaryTerm: number): void {
    const outcome = this.#outcome
    outcome.result[item] = result
    outcome.version[item] = version
    outcome.seqNo[item] = seqNo
    outcome.primaryTerm[item] = primaryTerm
  }

  #idBytes(item: number): Uint8Array {
    const items = this.#items
    const start = items.idStart[item]!
    if (start >= 0) return this.#body.subarray(start, items.idEnd[item]!)
    const outcome = this.#outcome
    const made = outcome.autoId[item]! * AUTO_ID_LENGTH
    if (made >= 0) return outcome.autoIds.subarray(made, made + AUTO_ID_LENGTH)
    const at = this.#autoCount * AUTO_ID_LENGTH
    if (at === outcome.autoIds.length) {
      const grown = new Uint8Array(Math.max(64 * AUTO_ID_LENGTH, at * 2))
      grown.set(outcome.autoIds)
      outcome.autoIds = grown
    }
    this.#around.autoIds.writeTo(outcome.autoIds, at)
    outcome.autoId[item] = this.#autoCount++
    return outcome.autoIds.subarray(at, at + AUTO_ID_LENGTH)
  }

  #idText(item: number): string {
    return decodeId(this.#idBytes(item))
  }

  #routing(item: number, target: FoundTarget): string | undefined {
    const { name } = this.#items.targets[this.#items.target[item]!]!
    return resolveRouting(name, target.aliasRouting, this.#askedRouting(item))
  }

  #askedRouting(item: number): string | undefined {
    const start = this.#items.routingStart[item]!
    if (start === WITHOUT_ROUTING) return undefined
    return start >= 0 ? this.#text(start, this.#items.routingEnd[item]!) : this.#request.defaultRouting
  }

  #open(targetNumber: number, target: FoundTarget, shard: number): OpenShard {
    const known = this.#shardsOfTarget[targetNumber]!
    return (known[shard] ??= this.#around.shard(target.indexUuid, shard))
  }

  #slotOf(open: OpenShard): number {
    if (this.#shards[0] === open) return 0
    let slot = this.#slots.get(open)
    if (slot === undefined) {
      slot = this.#shards.push(open) - 1
      this.#slots.set(open, slot)
      this.#terms.push(open.shard.primaryTerm)
    }
    return slot
  }

  async #makeDurable(): Promise<void> {
    await Promise.allSettled(this.#shards.map((open) => open.shard.sync()))
    for (const [slot, { shard }] of this.#shards.entries()) {
      if (shard.hasRolledBack(this.#terms[slot]!)) this.#failTakenBack(slot, shard)
    }
  }

  /**
   * The shard could not write its log and reverted operations. Items that were durable before stay as they are, and so
   * do later items that are durable now. A conflict may refer to a document that was reverted.
   */
  #failTakenBack(slot: number, shard: Shard): void {
    const reason = shard.rejection
    const error = this.#failureOf(reason)
    const { shardSlot, errors, seqNo, primaryTerm } = this.#outcome
    for (let item = 0; item < this.#items.count; item++) {
      if (shardSlot[item] !== slot) continue
      const failure = errors.get(item)
      if (failure === undefined) {
        if (!shard.isSafe({ seqNo: seqNo[item]!, primaryTerm: primaryTerm[item]! })) this.#fail(item, error)
      } else if (failure.status === 409) this.#fail(item, error)
    }
  }

  /** Per shard: whether it was refreshed by this request. */
  async #refresh(): Promise<boolean[]> {
    const { refresh } = this.#request
    if (refresh === 'false') return []
    return await Promise.all(this.#shards.map((open) => open.makeVisible(refresh)))
  }

  #text(start: number, end: number): string {
    return decodeUtf8(this.#body, start, end)
  }

  /** Whether an item is done with before it reaches a shard. */
  #failed(item: number): boolean {
    const { errors, dropped, skipped } = this.#outcome
    return (
      (errors.size > 0 && errors.has(item)) ||
      (dropped.size > 0 && dropped.has(item)) ||
      (skipped.size > 0 && skipped.has(item))
    )
  }

  #fail(item: number, error: ApiError): void {
    this.#outcome.errors.set(item, error)
  }
}

const decodeId = (bytes: Uint8Array) => decodeUtf8(bytes, 0, bytes.length)
