/** Documents changed by a script: its `ctx` before and after, and the resulting bulk lines. */

import { storedScriptMissing } from '../../base/errors/script-errors.ts'
import { readLent } from '../../base/memory/lent-bytes.ts'
import { type CtxMap, fromJava } from '../../engine/painless/index.ts'
import { CtxScript } from '../../engine/scripts/ctx-script.ts'
import type { Script } from '../../engine/scripts/script.ts'
import { operationOf, runOnDocument, sourceAfter } from '../shards/bulk/bulk-script.ts'
import { deletion, type HitChange, requireSource, update, writeChanged } from './bulk-lines.ts'
import type { ReindexDestination } from './by-query-request.ts'
import type { Hit, HitPage } from './hit-page.ts'

export type { Script }

/** Finds a stored script; undefined if it does not exist. */
export type StoredScriptLookup = (id: string) => { readonly source: string; readonly lang: string } | undefined

/** The script of a request, with the source of a stored one. */
export function resolveScript(script: Script, stored: StoredScriptLookup): Script {
  if (script.id === undefined) return script
  const found = stored(script.id)
  if (found === undefined) throw storedScriptMissing(script.id)
  return { ...script, id: undefined, source: found.source, lang: found.lang }
}

/** The description of a script in a task. */
export function describeScript({ id, source, lang, options, params }: Script): string {
  const map = (values: Readonly<Record<string, unknown>>) =>
    `{${Object.entries(values)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(', ')}}`
  if (id !== undefined) return `Script{type=stored, lang='null', idOrCode='${id}', options=null, params=${map(params)}}`
  return `Script{type=inline, lang='${lang}', idOrCode='${source}', options=${map(options)}, params=${map(params)}}`
}

export function scriptedUpdate(script: Script, stored: StoredScriptLookup, nowMs: () => number): HitChange {
  const run = changes(script, stored, 'update_by_query')
  const [remove, write] = [deletion(), update()]
  return (page, hit, out) => {
    const { op, after } = run(page, hit, nowMs())
    if (op === 'noop') return false
    if (op === 'delete') return remove(page, hit, out)
    return readLent(sourceAfter(after), (source) => write(page, hit, out, source))
  }
}

export function scriptedCopy(
  script: Script,
  stored: StoredScriptLookup,
  destination: ReindexDestination,
  nowMs: () => number,
): HitChange {
  const run = changes(script, stored, 'reindex')
  return (page, hit, out) => {
    const { op, before, after } = run(page, hit, nowMs())
    if (op === 'noop') return false
    // The script sees the index that a document comes from. Setting another one sends the document there.
    const index = fromJava(after.get_1('_index')) as string
    const changed = {
      index: index === before.index ? destination.index! : index,
      id: fromJava(after.get_1('_id')) as string,
      routing: (fromJava(after.get_1('_routing')) ?? undefined) as string | undefined,
      version: (fromJava(after.get_1('_version')) ?? undefined) as Hit['version'],
    }
    const isRerouted = before.routing !== changed.routing
    const target = isRerouted ? { ...destination, routing: 'keep' } : destination
    readLent(sourceAfter(after), (source) => writeChanged(op, changed, source, target, out))
    return true
  }
}

interface Change {
  readonly op: string
  readonly before: Hit
  readonly after: CtxMap
}

/** Runs the script for one hit after the other. It is looked up and compiled with the first. */
function changes(
  script: Script,
  stored: StoredScriptLookup,
  context: 'update_by_query' | 'reindex',
): (page: HitPage, hit: number, nowMs: number) => Change {
  let compiled: CtxScript | undefined
  return (page, number, nowMs) => {
    compiled ??= new CtxScript(resolveScript(script, stored), context)
    const before = page.hit(number)
    const source = requireSource(page, number)
    const after = runOnDocument(compiled, before, source, 0, source.length, nowMs)
    return { op: operationOf(after), before, after }
  }
}
