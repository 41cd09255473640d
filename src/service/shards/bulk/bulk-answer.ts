/**
 * The results of the items of a bulk request, in columns, and their encoding:
 * `{"errors":…,"took":…,"items":[{"index":{…}}, …]}`.
 *
 * Items are encoded after everything is done, because durability and refresh concern all of them: an applied item still
 * fails if its shard could not make it durable.
 */

import { type ApiError, errorObject } from '../../../base/api-error.ts'
import { ensure } from '../../../base/assert.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import type { WriteTarget } from '../shard-host.ts'
import { AUTO_ID_LENGTH } from '../write/auto-id.ts'
import { ACTION_NAMES, type BulkItems, type BulkTarget, CREATE } from './bulk-items.ts'
import { ByteWriter } from './byte-writer.ts'

export const CREATED = 0
export const UPDATED = 1
export const DELETED = 2
export const NOT_FOUND = 3
export const NOOP = 4

const RESULTS = ['created', 'updated', 'deleted', 'not_found', 'noop'].map((name) => Buffer.from(`,"result":"${name}"`))
const STATUSES = [201, 200, 200, 404, 200]

const COMMA = 0x2c
const text = (value: string) => Buffer.from(value)
const FORCED_REFRESH = text(',"forced_refresh":true')
const ID = text(',"_id":')
const NO_ID = text('null')
const FUTURE_ID = text('"auto-generated"')
const VERSION = text(',"_version":')
const SEQ_NO = text(',"_seq_no":')
const PRIMARY_TERM = text(',"_primary_term":')
const DROPPED = text(',"_version":-3,"result":"noop","_shards":{"total":0,"successful":0,"failed":0},"status":200')
/** Of an item that the script of an update by query leaves alone. Only that operation reads it. */
const SKIPPED = text(',"result":"skipped","status":200')
/** The `get` member for an upsert whose script decided not to create the document. */
const NOT_FOUND_GET = text(',"get":{"found":false}')
const STATUS = text(',"status":')
const END = text('}}')

/** Encoded parts that all items with one target share. */
export interface TargetWords {
  /** Per action: `{"index":{"_index":"name"`, with the name of the index. */
  readonly opening: readonly Uint8Array[]
  /** The same with the name that the item used, for items that failed before they reached a shard. */
  readonly askedOpening: readonly Uint8Array[]
  /** `,"_shards":{"total":2,"successful":1,"failed":0}` */
  readonly shards: Uint8Array
}

export function targetWords(asked: BulkTarget, found: WriteTarget | undefined): TargetWords {
  const resolved = found !== undefined && !('error' in found) ? found : undefined
  const opening = (name: string) => ACTION_NAMES.map((action) => text(`{"${action}":{"_index":${JSON.stringify(name)}`))
  return {
    opening: opening(resolved?.indexName ?? asked.name),
    askedOpening: opening(asked.name),
    shards: text(`,"_shards":{"total":${1 + (resolved?.replicas ?? 0)},"successful":1,"failed":0}`),
  }
}

export class BulkOutcome {
  readonly result: Uint8Array
  readonly version: Float64Array
  readonly seqNo: Float64Array
  readonly primaryTerm: Int32Array
  /** Number of the shard among those of the request; -1 if the item reached none. */
  readonly shardSlot: Int32Array
  readonly errors = new Map<number, ApiError>()
  /** Items whose pipeline failed before an id was generated. */
  readonly pipelineFailed = new Set<number>()
  /** Items that a pipeline dropped. */
  readonly dropped = new Set<number>()
  /** Items that the script of an update by query leaves alone. */
  readonly skipped = new Set<number>()
  /** What became of failed items of data streams: whether their failure store has them. */
  readonly failureStore = new Map<number, 'used' | 'failed' | 'not_enabled'>()
  /** The executed pipelines of items that requested them. */
  readonly executed = new Map<number, readonly string[]>()
  /** Generated ids, one after another, and each item's position among them (-1 if it had its own). */
  autoIds: Uint8Array = new Uint8Array(0)
  readonly autoId: Int32Array
  /** The `_source` that an update returns. */
  readonly sources = new Map<number, Uint8Array>()

  constructor(count: number) {
    this.result = new Uint8Array(count)
    this.version = new Float64Array(count)
    this.seqNo = new Float64Array(count)
    this.primaryTerm = new Int32Array(count)
    this.shardSlot = new Int32Array(count).fill(-1)
    this.autoId = new Int32Array(count).fill(-1)
  }
}

export interface BulkEncoding {
  readonly items: BulkItems
  /** The body that the ranges of `items` refer to. */
  readonly body: Uint8Array
  readonly outcome: BulkOutcome
  readonly words: readonly TargetWords[]
  /** Per shard slot: whether it was refreshed before the response. */
  readonly refreshed: readonly boolean[]
  readonly tookMs: number
  /** Time spent on pipelines; shown only if an item named one. */
  readonly ingestTookMs: number | undefined
  readonly listPipelines: boolean
}

export function encodeBulkAnswer(answer: BulkEncoding): Uint8Array {
  const { items, outcome } = answer
  const out = new ByteWriter(128 + items.count * 192)
  out.text(`{"errors":${outcome.errors.size > 0},"took":${answer.tookMs}`)
  if (answer.ingestTookMs !== undefined) out.text(`,"ingest_took":${answer.ingestTookMs}`)
  out.text(',"items":[')
  for (let item = 0; item < items.count; item++) {
    if (item > 0) out.byte(COMMA)
    const words = answer.words[items.target[item]!]!
    const opening = outcome.shardSlot[item]! < 0 ? words.askedOpening : words.opening
    out.bytes(opening[items.action[item]!]!)
    out.bytes(ID)
    encodeId(out, answer, item)
    const error = outcome.errors.size === 0 ? undefined : outcome.errors.get(item)
    if (error === undefined && outcome.dropped.has(item)) out.bytes(DROPPED)
    else if (error === undefined && outcome.skipped.has(item)) out.bytes(SKIPPED)
    else if (error === undefined) encodeSuccess(out, answer, item, words)
    else {
      out.bytes(STATUS)
      out.integer(error.status)
      encodeFailureStore(out, answer, item)
      out.text(',"error":')
      out.bytes(encodeJson(errorObject(error)))
    }
    out.bytes(END)
  }
  out.text(']}')
  return out.finish()
}

function encodeId(out: ByteWriter, { items, body, outcome }: BulkEncoding, item: number): void {
  const auto = outcome.autoId[item]!
  if (items.idStart[item]! >= 0) out.quoted(body, items.idStart[item]!, items.idEnd[item]!)
  else if (auto >= 0) out.quoted(outcome.autoIds, auto * AUTO_ID_LENGTH, (auto + 1) * AUTO_ID_LENGTH)
  else out.bytes(outcome.pipelineFailed.has(item) || outcome.dropped.has(item) ? FUTURE_ID : NO_ID)
}

const listsPipelines = ({ listPipelines, items }: BulkEncoding, item: number): boolean =>
  listPipelines || items.extras[items.extra[item]!]?.listPipelines === true

function encodeSuccess(out: ByteWriter, answer: BulkEncoding, item: number, words: TargetWords): void {
  const { outcome } = answer
  ensure(outcome.shardSlot[item]! >= 0, 'an item that did not fail was applied on a shard')
  const result = outcome.result[item]!
  out.bytes(VERSION)
  out.integer(outcome.version[item]!)
  out.bytes(RESULTS[result]!)
  if (answer.refreshed[outcome.shardSlot[item]!] === true) out.bytes(FORCED_REFRESH)
  out.bytes(words.shards)
  const isNowhere = outcome.seqNo[item]! < 0
  if (isNowhere) out.bytes(NOT_FOUND_GET)
  else {
    out.bytes(SEQ_NO)
    out.integer(outcome.seqNo[item]!)
    out.bytes(PRIMARY_TERM)
    out.integer(outcome.primaryTerm[item]!)
  }
  const source = outcome.sources.size === 0 ? undefined : outcome.sources.get(item)
  if (source !== undefined && !isNowhere) {
    out.text(',"get":{"_seq_no":')
    out.integer(outcome.seqNo[item]!)
    out.bytes(PRIMARY_TERM)
    out.integer(outcome.primaryTerm[item]!)
    out.text(',"found":true,"_source":')
    out.bytes(source)
    out.text('}')
  }
  if (answer.items.action[item]! <= CREATE && listsPipelines(answer, item)) {
    out.text(`,"executed_pipelines":${JSON.stringify(outcome.executed.get(item) ?? [])}`)
  }
  encodeFailureStore(out, answer, item)
  out.bytes(STATUS)
  out.integer(STATUSES[result]!)
}

function encodeFailureStore(out: ByteWriter, { outcome }: BulkEncoding, item: number): void {
  if (outcome.failureStore.size === 0) return
  const status = outcome.failureStore.get(item)
  if (status !== undefined) out.text(`,"failure_store":"${status}"`)
}
