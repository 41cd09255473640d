/** Documents changed by a script: its `ctx` before and after, and the resulting bulk lines. */
import { illegalArgument } from '../../base/api-error.ts'
import { storedScriptMissing } from '../../base/errors/script-errors.ts'
import { JsonReader } from '../../base/json/json-reader.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import { CtxScript } from '../../engine/scripts/ctx-script.ts'
import { type Script, scriptOf } from '../../engine/scripts/script.ts'
import { copyLines, deleteLines, requireSource, updateLines } from './bulk-lines.ts'
import type { ReindexDestination } from './by-query-request.ts'
import type { Hit } from './hit-page.ts'

export type { Script }

/** Finds a stored script; undefined if it does not exist. */
export type StoredScriptLookup = (id: string) => { readonly source: string; readonly lang: string } | undefined

/** The script of a request, with the source of a stored one. */
export function resolveScript(value: unknown, stored: StoredScriptLookup): Script {
  const script = scriptOf(value)
  if (script.id === undefined) return script
  const found = stored(script.id)
  if (found === undefined) throw storedScriptMissing(script.id)
  return { ...script, id: undefined, source: found.source, lang: found.lang }
}

/** The description of a script in a task. */
export function describeScript({ source, lang, options, params }: Script): string {
  const map = (values: Readonly<Record<string, unknown>>) =>
    `{${Object.entries(values)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(', ')}}`
  return `Script{type=inline, lang='${lang}', idOrCode='${source}', options=${map(options)}, params=${map(params)}}`
}

export function scriptedUpdate(script: Script, nowMs: () => number): (hit: Hit, out: Buffer[]) => boolean {
  const run = changes(script, 'update_by_query')
  return (hit, out) => {
    const { op, source } = run(hit, nowMs())
    if (op === 'noop') return false
    return op === 'delete' ? deleteLines(hit, out) : updateLines({ ...hit, source }, out)
  }
}

export function scriptedCopy(
  script: Script,
  destination: ReindexDestination,
  nowMs: () => number,
): (hit: Hit, out: Buffer[]) => boolean {
  const run = changes(script, 'reindex')
  return (hit, out) => {
    const { op, source, after } = run(hit, nowMs())
    if (op === 'noop') return false
    // The script sees the index that a document comes from. Setting another one sends the document there.
    const index = after['_index'] as string
    const changed = {
      ...hit,
      index: index === hit.index ? destination.index! : index,
      id: after['_id'] as string,
      routing: (after['_routing'] ?? undefined) as string | undefined,
      version: (after['_version'] ?? undefined) as Hit['version'],
      source,
    }
    const target = { ...destination, index: changed.index, ...(isRerouted(hit, changed) ? { routing: 'keep' } : {}) }
    return op === 'delete'
      ? deleteLines({ ...changed, seqNo: undefined, primaryTerm: undefined }, out)
      : copyLines(changed, target, out)
  }
}

function isRerouted(hit: Hit, changed: Hit): boolean {
  return hit.routing !== changed.routing
}

interface Change {
  readonly op: string
  readonly source: Buffer
  readonly after: Record<string, unknown>
}

/** Runs the script for one hit after the other. It is compiled with the first. */
function changes(script: Script, context: 'update_by_query' | 'reindex'): (hit: Hit, nowMs: number) => Change {
  let compiled: CtxScript | undefined
  return (hit, nowMs) => {
    compiled ??= new CtxScript(script, context)
    const after = compiled.run({
      _index: hit.index,
      _id: hit.id,
      _version: hit.version,
      _routing: hit.routing ?? null,
      op: 'index',
      _now: nowMs,
      _source: readSource(hit),
    })
    const op = String(after['op'])
    if (!OPERATIONS.includes(op)) throw illegalArgument(`[op] must be one of delete, index, noop, not [${op}]`)
    return { op, source: encodeJson(after['_source'] ?? {}), after }
  }
}

const OPERATIONS: readonly string[] = ['delete', 'index', 'noop']

const json = new JsonReader()

function readSource(hit: Hit): unknown {
  // Copied, because parsing unescapes strings in place.
  json.reset(Buffer.from(requireSource(hit)))
  json.next()
  return plainValue(json, true)
}
