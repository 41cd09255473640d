/**
 * Finds the items of a bulk request that go to the failure store of their data stream. Their failure documents are
 * appended to the body, and the items then write those instead.
 */
import type { ApiError } from '../../../base/api-error.ts'
import type { HostCallbacks, WriteTarget } from '../shard-host.ts'
import { failureDocument, isKept } from '../write/failure-document.ts'
import type { BulkOutcome } from './bulk-answer.ts'
import { type BulkItems, CREATE } from './bulk-items.ts'

export interface BulkFailuresRequest {
  readonly items: BulkItems
  readonly outcome: BulkOutcome
  readonly body: Uint8Array
  readonly targets: readonly (WriteTarget | undefined)[]
  readonly authorization: number | undefined
  readonly callbacks: HostCallbacks
  readonly nowMs: () => number
  readonly idOf: (item: number) => string | undefined
  readonly routingOf: (item: number) => string | undefined
}

/** An item that writes its failure document next. */
export interface Redirected {
  readonly item: number
  readonly error: ApiError
  readonly target: WriteTarget
  readonly source: Uint8Array
}

export async function redirectedItems(request: BulkFailuresRequest): Promise<Redirected[]> {
  const { items, outcome, body } = request
  const found: Redirected[] = []
  const known = new Map<string, WriteTarget | 'not_enabled' | undefined>()
  for (const [item, error] of [...outcome.errors].sort(([a], [b]) => a - b)) {
    const index = failedIndex(request, item, error)
    if (index === undefined) continue
    if (!known.has(index)) known.set(index, await request.callbacks.failureTarget(index, request.authorization))
    const target = known.get(index)
    if (target === 'not_enabled') outcome.failureStore.set(item, 'not_enabled')
    if (target === undefined || target === 'not_enabled' || !isKept(error)) continue
    const failed = {
      id: request.idOf(item),
      routing: request.routingOf(item),
      index: items.targets[items.target[item]!]!.name,
      source: body.subarray(items.sourceStart[item]!, items.sourceEnd[item]!),
      error,
    }
    found.push({ item, error, target, source: failureDocument(failed, request.nowMs()) })
  }
  return found
}

/** The name whose failure store takes an item; undefined for an error that is not about the document. */
function failedIndex(
  { items, outcome, targets }: BulkFailuresRequest,
  item: number,
  error: ApiError,
): string | undefined {
  if (outcome.pipelineFailed.has(item)) return items.action[item]! <= CREATE ? error.pipelineTrace?.index : undefined
  if (outcome.shardSlot[item]! < 0) return undefined
  const target = targets[items.target[item]!]
  if (target === undefined || 'error' in target || target.failureStore === undefined) return undefined
  if (target.failureStore === 'not_enabled' || items.action[item]! > CREATE || !isKept(error)) {
    if (target.failureStore === 'not_enabled') outcome.failureStore.set(item, 'not_enabled')
    return undefined
  }
  return target.indexName
}
