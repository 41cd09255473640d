/** The parts of an error response: the explaining reason, its type and position, its meaning and remedy. */
import type { ApiAnswer } from './client.ts'
import { isObject, type Json } from './lossless-json.ts'

export interface Fault {
  readonly title: string
  readonly type: string | undefined
  /** The position in the body of the request, counted from 1. */
  readonly line: number | undefined
  readonly column: number | undefined
  /** Meaning and remedy of common types; undefined for others. */
  readonly advice: string | undefined
}

interface Cause {
  readonly type?: string
  readonly reason?: string
  readonly line?: number
  readonly col?: number
  readonly caused_by?: Json
  readonly root_cause?: Json
  readonly failed_shards?: Json
}

export function faultOf(answer: Pick<ApiAnswer, 'json' | 'status'>): Fault {
  const error = isObject(answer.json) ? answer.json['error'] : undefined
  if (typeof error === 'string') return { ...NOTHING, title: error }
  if (!isObject(error)) return { ...NOTHING, title: `The service answered with status ${answer.status}` }
  const chain = causesOf(error as Cause)
  const inner = [...chain].reverse().find(({ type, reason }) => explains(type, reason)) ?? (error as Cause)
  const placed = [...chain].reverse().find(({ line }) => line !== undefined && line !== null)
  const place = placed ?? placeIn(chain)
  return {
    title: inner.reason?.replace(/^\[\d+:\d+\] /, '') ?? inner.type ?? `status ${answer.status}`,
    type: inner.type,
    line: place?.line,
    column: place?.col,
    advice: adviceOf(chain),
  }
}

/** The parser's own error about a name only repeats the reason around it. */
function explains(type: string | undefined, reason: string | undefined): boolean {
  return reason !== undefined && reason !== '' && type !== 'named_object_not_found_exception'
}

const NOTHING = { type: undefined, line: undefined, column: undefined, advice: undefined }

/** The error, its root cause and all its causes, outermost first. */
function causesOf(error: Cause): Cause[] {
  const chain: Cause[] = [error]
  const [root] = Array.isArray(error.root_cause) ? (error.root_cause as Cause[]) : []
  const [shard] = Array.isArray(error.failed_shards) ? (error.failed_shards as { reason?: Cause }[]) : []
  for (const start of [root, shard?.reason, error.caused_by as Cause | undefined]) {
    for (let cause = start; isObject(cause); cause = (cause as Cause).caused_by as Cause) chain.push(cause as Cause)
  }
  return chain
}

/** Some reasons contain their position: `[7:19] [bool] failed to parse field [filter]`. */
function placeIn(chain: readonly Cause[]): { line: number; col: number } | undefined {
  for (const { reason } of [...chain].reverse()) {
    const match = /\[(\d+):(\d+)\]/.exec(reason ?? '') ?? /line: (\d+), column: (\d+)/.exec(reason ?? '')
    if (match !== null) return { line: Number(match[1]), col: Number(match[2]) }
  }
  return undefined
}

const ADVICE: readonly (readonly [test: RegExp, advice: string])[] = [
  [
    /result window is too large/i,
    'Pages by from and size end at index.max_result_window, 10,000 by default. Open a point in time and go on with search_after: there is no end.',
  ],
  [
    /search_context_missing|no search context found/i,
    'The scroll or point in time has ended: it was closed or its keep_alive ran out. Open a new one, and ask for a longer keep_alive.',
  ],
  [
    /index_not_found|no such index/i,
    'No index, alias or data stream has this name. Look for it under Indices, or create it.',
  ],
  [
    /version_conflict/i,
    'Somebody changed the document since it was read. Read it again and repeat the change, or set retry_on_conflict for an update.',
  ],
  [
    /cluster_block|blocked by/i,
    'The index is blocked. Its settings say by what: look for index.blocks, and remove the block to go on.',
  ],
  [
    /mapper_parsing_exception|document_parsing_exception/,
    'A value does not fit the type the field has in the mapping. Change the value, or index into a new index with another mapping.',
  ],
  [
    /Fielddata is disabled|text fields are not optimised/i,
    'Text fields have no values to sort or group by. Use the keyword field beside it, often called FIELD.keyword.',
  ],
  [
    /too_many_buckets|trying to create too many buckets/i,
    'Group by fewer values, or use composite, which comes in pages.',
  ],
  [
    /circuit_breaking|es_rejected_execution/i,
    'The service has no room for this now. Ask for less at once, or again later.',
  ],
]

function adviceOf(chain: readonly Cause[]): string | undefined {
  const text = chain.map(({ type, reason }) => `${type} ${reason}`).join('\n')
  return ADVICE.find(([test]) => test.test(text))?.[1]
}
