/**
 * Scripts that change a document: updates, update by query, reindex, ingest. They see it as `ctx`, a map with the source and what
 * is known of the document, and say in `ctx.op` what is to become of it.
 */
import { ApiError } from '../../base/api-error.ts'
import { CtxMap, fromJava, toJava } from '../painless/index.ts'
import { compile } from './compile-script.ts'
import type { Script } from './script.ts'

export type CtxContext = 'update' | 'update_by_query' | 'reindex' | 'ingest'

/** `ctx` as plain values: `_source`, `op`, `_id`, `_index`, `_routing`, `_version`, `_now`; of ingest the members of the source. */
export type Ctx = Readonly<Record<string, unknown>>

/** The map after the script has run. Throws a script_exception. */
export function runCtxScript(script: Script, context: CtxContext, ctx: Ctx): Record<string, unknown> {
  const instance = compile(script, context).newInstance({ params: script.params })
  const map = context === 'ingest' ? toJava(ctx, true) : new CtxMap(ctx, WRITABLE[context])
  instance.set('ctx', map)
  instance.execute()
  return fromJava(map) as Record<string, unknown>
}

/** Members of `ctx` that scripts may set. */
const WRITABLE: Readonly<Record<Exclude<CtxContext, 'ingest'>, readonly string[]>> = {
  update: ['op'],
  update_by_query: ['op'],
  reindex: ['op', '_id', '_index', '_routing', '_version'],
}

/** Whether a condition of an ingest processor holds. */
export function runCondition(script: Script, ctx: Ctx): boolean {
  const instance = compile(script, 'processor_conditional').newInstance({ params: script.params })
  instance.set('ctx', toJava(ctx, true))
  return instance.execute() === true
}

export const failedToExecute = (cause: ApiError) =>
  new ApiError(400, 'illegal_argument_exception', 'failed to execute script', { causedBy: cause })
