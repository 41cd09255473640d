/**
 * Runs the script of an update by query for the documents of a bulk request. It runs for all of them before anything is written: if it
 * fails for one, the request changes nothing.
 */

import { illegalArgument } from '../../../base/api-error.ts'
import { JsonOutput } from '../../../base/json/json-output.ts'
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import { type LentBytes, lentBytes, readLent } from '../../../base/memory/lent-bytes.ts'
import { type CtxMap, fromJava, writeJava } from '../../../engine/painless/index.ts'
import { CtxScript, ownJavaSource } from '../../../engine/scripts/ctx-script.ts'
import type { Script } from '../../../engine/scripts/script.ts'
import type { BulkOutcome } from './bulk-answer.ts'
import type { BulkItems } from './bulk-items.ts'
import { ByteWriter } from './byte-writer.ts'
import { Turns } from './turns.ts'

/**
 * Whether a script cannot change its parameters. Each bulk request of an operation has a copy of them, so that a change would be lost
 * with the next one.
 */
export const hasPlainParams = ({ params }: Script): boolean =>
  Object.values(params).every((value) => typeof value !== 'object' || value === null)

/** What `ctx` shows of a document beside its source. */
export interface ScriptedDocument {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
  readonly version: number | bigint | undefined
}

/** What scripts see of a version that the operation does not need. */
const NO_VERSION = -1

const OPERATIONS: readonly string[] = ['delete', 'index', 'noop']

/**
 * Runs a script of an update by query or a reindex on the document in `bytes[start, end)`, which nobody else reads and which stays
 * unchanged until the result is written.
 */
export function runOnDocument(
  script: CtxScript,
  document: ScriptedDocument,
  bytes: Uint8Array,
  start: number,
  end: number,
  nowMs: number,
): CtxMap {
  // In the order in which scripts see the members.
  return script.runMap({
    _source: ownJavaSource(bytes, start, end),
    _routing: document.routing ?? null,
    op: 'index',
    _index: document.index,
    _id: document.id,
    _now: nowMs,
    _version: document.version ?? NO_VERSION,
  })
}

/** The operation that a script left. */
export function operationOf(after: CtxMap): string {
  const op = String(fromJava(after.get_1('op')))
  if (!OPERATIONS.includes(op)) throw illegalArgument(`[op] must be one of delete, index, noop, not [${op}]`)
  return op
}

const NO_SOURCE = lentBytes(Buffer.from('{}'))

/** The source that a script left, as JSON. The bytes are valid until other JSON is written. */
export function sourceAfter(after: CtxMap): LentBytes {
  const source = after.get_1('_source')
  if (source === null) return NO_SOURCE
  const out = new JsonOutput()
  writeJava(source, out)
  return out.view()
}

/** A document of an update by query gets this many bytes longer before the memory for all is grown. */
const LONGER_BYTES = 64

/** Runs the script for all items, which are documents to index, and returns the body to which they refer afterwards. */
export async function runBulkScript(
  script: Script,
  body: Uint8Array,
  items: BulkItems,
  outcome: BulkOutcome,
  nowMs: () => number,
): Promise<Uint8Array> {
  const compiled = new CtxScript(script, 'update_by_query')
  const out = new ByteWriter(body.length * 2 + items.count * LONGER_BYTES)
  out.bytes(body)
  const turns = new Turns()
  const text = (starts: Int32Array, ends: Int32Array, item: number) =>
    starts[item]! < 0 ? undefined : decodeUtf8(body, starts[item]!, ends[item]!)
  for (let item = 0; item < items.count; item++) {
    if (turns.isOver(true)) await turns.next()
    const document = {
      index: items.targets[items.target[item]!]!.name,
      id: text(items.idStart, items.idEnd, item)!,
      routing: text(items.routingStart, items.routingEnd, item),
      version: undefined,
    }
    const [start, end] = [items.sourceStart[item]!, items.sourceEnd[item]!]
    const after = runOnDocument(compiled, document, body, start, end, nowMs())
    const op = operationOf(after)
    if (op === 'noop') outcome.skipped.add(item)
    else if (op === 'delete') items.delete(item)
    else {
      items.sourceStart[item] = out.length
      readLent(sourceAfter(after), (source) => out.bytes(source))
      items.sourceEnd[item] = out.length
    }
  }
  return out.finish()
}
