/**
 * Answers in which a copy of a shard could not be read because its node goes away. OpenSearch tries another copy when a
 * node is lost in the query phase, but not in the fetch phase: it answers 200 with a failed shard, or 500 if all failed. The
 * same search sent again reads other copies.
 */
import type { UpstreamAnswer } from './response-reader.ts'

/**
 * Errors that other nodes report while a node leaves. The next attempt finds other copies, at the latest when the node
 * was removed from the cluster.
 */
const NODE_LEAVES: ReadonlySet<string> = new Set([
  'node_disconnected_exception',
  'node_not_connected_exception',
  'node_closed_exception',
  'connect_transport_exception',
  'send_request_transport_exception',
  'receive_timeout_transport_exception',
  'transport_exception',
  'already_closed_exception',
  'closed_channel_exception',
  'illegal_index_shard_state_exception',
  'index_shard_closed_exception',
  'index_shard_not_started_exception',
  'shard_not_found_exception',
])
/** No copy of the shard is left, temporarily or permanently. */
const NO_COPY = 'no_shard_available_action_exception'
/**
 * The search context that the query phase created on a node is missing in the fetch phase. Contexts of points in time
 * do not come back.
 */
const NO_CONTEXT = 'search_context_missing_exception'

/** Waits before the repetitions of a read while a node goes away. */
const WAITS_MS = [0, 100, 400] as const
/** A read that has taken longer is not repeated. */
const PATIENCE_MS = 10_000

/** Reads whose answers have items, each with failures of its own. */
const HAS_ITEMS = /\/_(msearch|mget|mtermvectors)\b/
const HAS_SHARDS = /\/_(search|count|rank_eval)\b/
const SHARDS = '"_shards":{'
/** The counts of `_shards` take fewer bytes than this. Failures follow them. */
const SHARDS_BYTES = 160
const START_BYTES = 200
/** The end of the type of every failure. */
const EXCEPTION = '_exception"'
const NONE_FAILED = '"failed":0'

export interface Read {
  readonly uri: string
  readonly body: Buffer
}

/**
 * How long to wait before a read is sent again, because copies of shards were lost with a node. Undefined if its answer is
 * final. `repeats` counts the repetitions so far, `elapsedMs` is the time since the first one was sent.
 */
export function repeatAfterMs(
  read: Read,
  answer: UpstreamAnswer,
  repeats: number,
  elapsedMs: number,
): number | undefined {
  if (repeats >= WAITS_MS.length || elapsedMs > PATIENCE_MS || !mayHaveLost(read, answer)) return undefined
  const types = failureTypes(answer.body)
  const isPage = read.body.includes('"pit"')
  const leaves = types.some((type) => NODE_LEAVES.has(type) || (type === NO_CONTEXT && !isPage))
  // The context of a page is on one node, and a copy that no node has may be lost for good: one more attempt is enough.
  if (leaves && !isPage) return WAITS_MS[repeats]
  return (leaves || types.includes(NO_COPY)) && repeats === 0 ? 0 : undefined
}

/** Looks at few bytes of an answer without failures. */
function mayHaveLost({ uri }: Read, { status, body }: UpstreamAnswer): boolean {
  if (status >= 400) return (status === 404 || status >= 500) && body.includes(EXCEPTION)
  if (HAS_ITEMS.test(uri)) return body.includes(EXCEPTION)
  if (!HAS_SHARDS.test(uri)) return false
  return !hasAllShards(body) && body.includes(SHARDS)
}

/** Whether the answer of a search, whose first members are short, says that no shard failed. */
export function hasAllShards(body: Buffer): boolean {
  const start = body.toString('latin1', 0, START_BYTES)
  const at = start.indexOf(SHARDS)
  const end = at < 0 ? -1 : start.indexOf('}', at)
  if (end > 0) return start.endsWith(NONE_FAILED, end)
  const from = body.indexOf(SHARDS)
  if (from < 0) return false
  const shards = body.toString('latin1', from, from + SHARDS_BYTES)
  return shards.endsWith(NONE_FAILED, shards.indexOf('}'))
}

type Members = Record<string, unknown>

/** Types of all failures of an answer, of its items and of their causes. */
function failureTypes(body: Buffer): string[] {
  let answer: unknown
  try {
    answer = JSON.parse(body.toString('utf8'))
  } catch {
    return []
  }
  const types: string[] = []
  const addReason = (reason: unknown): void => {
    if (!isMembers(reason)) return
    if (typeof reason['type'] === 'string') types.push(reason['type'])
    for (const failed of listOf(reason['failed_shards'])) addReason(failed['reason'])
    addReason(reason['caused_by'])
  }
  const addAnswer = (part: unknown): void => {
    if (!isMembers(part)) return
    addReason(part['error'])
    const shards = part['_shards']
    if (isMembers(shards)) for (const failed of listOf(shards['failures'])) addReason(failed['reason'])
    for (const item of [...listOf(part['responses']), ...listOf(part['docs'])]) addAnswer(item)
  }
  addAnswer(answer)
  return types
}

function listOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.filter(isMembers) : []
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}
