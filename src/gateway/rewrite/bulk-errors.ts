/** Errors of the items of a bulk request: the shadow knows the place in the document, and Elasticsearch's words. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { translateErrorObject } from './errors.ts'
import { isObject } from './field-types.ts'

export interface FailedItem {
  /** The place of the item in the answer. */
  readonly at: number
  /** The action, and the document if it has one. */
  readonly lines: Buffer
}

/** Statuses that depend on documents or on the state of the cluster. */
const NOT_JUDGED: ReadonlySet<number> = new Set([409, 429, 500, 502, 503])
const NEWLINE = 0x0a

/** The lines of the items that failed and that the shadow may judge. Undefined when the body does not fit the answer. */
export function failedLines(body: Buffer, items: readonly JsonObject[]): FailedItem[] | undefined {
  const failed: FailedItem[] = []
  let from = 0
  for (let at = 0; at < items.length; at++) {
    while (from < body.length && body[from] === NEWLINE) from++
    if (from >= body.length) return undefined
    const [action, result] = Object.entries(items[at]!)[0] as [string, JsonObject]
    let end = lineEnd(body, from)
    if (action !== 'delete') end = lineEnd(body, end)
    const status = Number(result['status'])
    if (isObject(result['error']) && !NOT_JUDGED.has(status))
      failed.push({ at, lines: Buffer.from(body.subarray(from, end)) })
    from = end
  }
  return failed
}

/** The documents of a bulk request with the index that their actions name. Nothing behind an action that cannot be read. */
export function* bulkDocuments(
  body: Buffer,
): Generator<{ readonly index: string | undefined; readonly document: Buffer }> {
  for (let from = 0; from < body.length; ) {
    const end = lineEnd(body, from)
    const line = body.toString('utf8', from, end).trim()
    from = end
    if (line === '') continue
    let action: unknown
    try {
      action = JSON.parse(line)
    } catch {
      return
    }
    const [kind, options] = isObject(action) ? (Object.entries(action)[0] ?? []) : []
    if (kind === undefined) return
    if (kind === 'delete') continue
    const next = lineEnd(body, from)
    const index = isObject(options) && typeof options['_index'] === 'string' ? options['_index'] : undefined
    // Documents of updates are written anew by the cluster.
    if (kind !== 'update') yield { index, document: body.subarray(from, next) }
    from = next
  }
}

/** The items with the errors of the shadow, or with translated ones where the shadow has none. */
export function withItemErrors(
  items: readonly JsonObject[],
  failed: readonly FailedItem[],
  judged: readonly JsonObject[],
): JsonObject[] {
  const verdicts = new Map(failed.map(({ at }, i) => [at, judged[i]]))
  return items.map((item, at) => {
    const [action, result] = Object.entries(item)[0] as [string, JsonObject]
    if (!isObject(result['error'])) return item
    const verdict = verdicts.get(at)?.[action]
    if (isObject(verdict) && isObject(verdict['error'])) {
      const { _index } = verdict
      return {
        [action]: { ...result, _index: _index ?? result['_index'], status: verdict['status'], error: verdict['error'] },
      }
    }
    return { [action]: { ...result, error: translateErrorObject(result['error']) } }
  })
}

function lineEnd(body: Buffer, from: number): number {
  const at = body.indexOf(NEWLINE, from)
  return at < 0 ? body.length : at + 1
}
