/**
 * Scripts that change a document: update, update by query, reindex, ingest. They see the document as `ctx`, a map with
 * the source and the metadata, and set `ctx.op` to the operation to perform.
 */

import { ApiError } from '../../base/api-error.ts'
import { JsonReader } from '../../base/json/json-reader.ts'
import { Double } from '../../base/json/json-writer.ts'
import { poison } from '../../base/memory/poison.ts'
import {
  CtxMap,
  fromJava,
  IngestCtx,
  ingestConditionCtx,
  jsonMap,
  readJava,
  type ScriptInstance,
} from '../painless/index.ts'
import { compile } from './compile-script.ts'
import type { Script } from './script.ts'

export type CtxContext = 'update' | 'update_by_query' | 'reindex'

/**
 * `ctx` as plain values: `_source`, `op`, `_id`, `_index`, `_routing`, `_version`, `_now`; for ingest the members of
 * the source.
 */
export type Ctx = Readonly<Record<string, unknown>>

/** What an update script leaves. */
export interface ScriptedUpdate {
  readonly op: unknown
  /** The source as a Java value. */
  readonly source: unknown
}

/** The scripts of updates that are run for several documents of a request. */
const updates = new WeakMap<Script, CtxScript>()

/** Runs the script of an update. Throws a script_exception. */
export function runUpdateScript(script: Script, ctx: Ctx): ScriptedUpdate {
  let known = updates.get(script)
  if (known === undefined) {
    known = new CtxScript(script, 'update')
    // A script may change lists and maps of its parameters, which the next document must not see.
    if (Object.values(script.params).every(isImmutable)) updates.set(script, known)
  }
  return known.update(ctx)
}

const isImmutable = (value: unknown) => typeof value !== 'object' || value === null || value instanceof Double

/** Reads a stored source as the value that scripts see. The bytes stay unchanged: other threads may read them, too. */
export function javaSource(source: Uint8Array): unknown {
  const { length } = source
  if (length > COPY_BYTES) return readOwn(new Uint8Array(source), 0, length)
  poison(copy)
  copy.set(source)
  sourceReader.reset(copy, 0, length).next()
  return readJava(sourceReader)
}

/** Short sources are copied to the same memory one after the other: allocating memory costs more than the copy. */
const COPY_BYTES = 1 << 16
const copy = new Uint8Array(COPY_BYTES)

/**
 * As `javaSource`, for the document in `bytes[start, end)`, which nobody else reads and which stays unchanged until the script has
 * run and its result is written. Strings are unescaped in place, and restored at the end.
 */
export function ownJavaSource(bytes: Uint8Array, start = 0, end = bytes.length): unknown {
  return jsonMap(bytes, start, end) ?? readOwn(bytes, start, end)
}

function readOwn(bytes: Uint8Array, start: number, end: number): unknown {
  sourceReader.reset(bytes, start, end)
  try {
    sourceReader.next()
    return readJava(sourceReader)
  } finally {
    sourceReader.restore()
  }
}

const sourceReader = new JsonReader()

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

  /** As `run`, for callers that only need the operation and the source. */
  update(ctx: Ctx): ScriptedUpdate {
    const map = this.runMap(ctx)
    return { op: fromJava(map.get_1('op')), source: map.get_1('_source') }
  }

  /** As `run`, without converting the result. */
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
