/**
 * Scripts that change a document: update, update by query, reindex, ingest. They see the document as `ctx`, a map with
 * the source and the metadata, and set `ctx.op` to the operation to perform.
 */
import { ApiError } from '../../base/api-error.ts'
import { CtxMap, fromJava, IngestCtx, ingestConditionCtx, type ScriptInstance } from '../painless/index.ts'
import { compile } from './compile-script.ts'
import type { Script } from './script.ts'

export type CtxContext = 'update' | 'update_by_query' | 'reindex'

/**
 * `ctx` as plain values: `_source`, `op`, `_id`, `_index`, `_routing`, `_version`, `_now`; for ingest the members of
 * the source.
 */
export type Ctx = Readonly<Record<string, unknown>>

/** Runs a script and returns the map afterwards. Throws a script_exception. */
export function runCtxScript(script: Script, context: CtxContext, ctx: Ctx): Record<string, unknown> {
  return new CtxScript(script, context).run(ctx)
}

/** A script that changes one document after the other, with the same parameters. */
export class CtxScript {
  readonly #instance: ScriptInstance
  readonly #context: CtxContext

  /** Throws a script_exception if the script is invalid. */
  constructor(script: Script, context: CtxContext) {
    this.#instance = compile(script, context).newInstance({ params: script.params })
    this.#context = context
  }

  /** Returns `ctx` afterwards. Throws a script_exception. */
  run(ctx: Ctx): Record<string, unknown> {
    return fromJava(this.runMap(ctx)) as Record<string, unknown>
  }

  /** Like `run`, without converting the result. The members of `ctx` may be Java values. */
  runMap(ctx: Ctx): CtxMap {
    const context = this.#context
    const map = new CtxMap(ctx, WRITABLE[context], context === 'update' ? undefined : BY_QUERY_OPERATIONS)
    this.#instance.set('ctx', map)
    this.#instance.execute()
    return map
  }
}

/** The members of `ctx` that scripts may set. */
const WRITABLE: Readonly<Record<CtxContext, ReadonlySet<string>>> = {
  update: new Set(['_source', 'op']),
  update_by_query: new Set(['_source', 'op']),
  reindex: new Set(['_source', 'op', '_id', '_index', '_routing', '_version']),
}

const BY_QUERY_OPERATIONS = ['delete', 'index', 'noop']

/**
 * The script of an ingest `script` processor, compiled once and run for every document. Its `ctx` has the members of
 * the document beside its metadata (`_index`, `_id`, `_routing`, `_version`, `_version_type`, `_dynamic_templates`,
 * `_if_seq_no`, `_if_primary_term`). Metadata is checked when a script sets it.
 */
export class IngestScript {
  readonly #instance: ScriptInstance

  /** Throws a script_exception if the script is invalid. */
  constructor(script: Script) {
    this.#instance = compile(script, 'ingest').newInstance({ params: script.params })
  }

  /**
   * Runs the script and returns the members afterwards. `timestamp` (milliseconds) is `metadata().now`. Throws a
   * script_exception.
   */
  run(members: Ctx, timestamp: number): Record<string, unknown> {
    const ctx = new IngestCtx(members, timestamp)
    this.#instance.set('ctx', ctx)
    this.#instance.execute()
    return fromJava(ctx) as Record<string, unknown>
  }
}

/** The `if` of an ingest processor, compiled once. It sees the document as `ctx` and cannot change it. */
export class IngestCondition {
  readonly #instance: ScriptInstance

  /** Throws a script_exception if the script is invalid. */
  constructor(script: Script) {
    this.#instance = compile(script, 'processor_conditional').newInstance({ params: script.params })
  }

  /** Throws a script_exception. */
  holds(members: Ctx): boolean {
    this.#instance.set('ctx', ingestConditionCtx(members))
    return this.#instance.execute() === true
  }
}

export const failedToExecute = (cause: ApiError) =>
  new ApiError(400, 'illegal_argument_exception', 'failed to execute script', { causedBy: cause })
