/** Locates the error of a response in the text of the editor, with a fix if the server suggests one. */
import type { ApiAnswer } from '../../api/client.ts'
import { faultOf } from '../../api/fault.ts'
import { AGGREGATIONS, QUERIES } from './clauses.ts'
import { type ConsoleRequest, offsetOf } from './console-text.ts'

export interface FaultPlace {
  readonly from: number
  readonly to: number
  readonly title: string
  readonly place: string
  readonly advice: string | undefined
  readonly fix: { readonly label: string; readonly text: string } | undefined
}

/** Undefined for responses without an error, and for errors without a position. */
export function faultPlace(
  text: string,
  request: ConsoleRequest,
  answer: Pick<ApiAnswer, 'json' | 'status'>,
): FaultPlace | undefined {
  const fault = faultOf(answer)
  const named = /\[([^\][]+)\]/.exec(fault.title)?.[1]
  const offset = fault.line === undefined ? undefined : offsetOf(request, fault.line, fault.column ?? 1)
  const range =
    (named === undefined ? undefined : nameNear(text, request, named, offset)) ??
    (offset === undefined ? undefined : tokenAt(text, offset))
  if (range === undefined) return undefined
  const [from, to] = range
  const line = text.slice(0, from).split('\n').length
  const meant = /did you mean (?:any of )?\[([^\],]+)/.exec(fault.title)?.[1] ?? similarClause(fault.title)
  return {
    from,
    to,
    title: fault.title.replace(/ did you mean .*$/, ''),
    place:
      fault.line === undefined
        ? `line ${line}`
        : `line ${line}, in the body line ${fault.line}, column ${fault.column}`,
    advice: meant === undefined ? fault.advice : `Did you mean ${meant}?`,
    fix:
      meant === undefined || named === undefined ? undefined : { label: `Replace with ${meant}`, text: `"${meant}"` },
  }
}

/** The known clause that is most similar to an unknown one. */
function similarClause(title: string): string | undefined {
  const [, kind, name] = /^unknown (query|aggregation type) \[(\w+)\]/i.exec(title) ?? []
  if (name === undefined) return undefined
  const known = (kind === 'query' ? QUERIES : AGGREGATIONS).map((clause) => clause.name)
  const [best] = known.map((one) => [distance(name, one), one] as const).sort(([a], [b]) => a - b)
  return best !== undefined && best[0] <= Math.max(1, Math.floor(name.length / 3)) ? best[1] : undefined
}

/** The edit distance of two words. A transposition of two letters is one edit. */
export function distance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = least
    }
  }
  return rows[a.length]![b.length]!
}

/** The nearest quoted name before the position of the server, which is often after the name. */
function nameNear(
  text: string,
  request: ConsoleRequest,
  name: string,
  offset: number | undefined,
): [number, number] | undefined {
  const quoted = JSON.stringify(name)
  const limit = offset === undefined ? request.to : Math.min(request.to, offset + quoted.length)
  const before = text.lastIndexOf(quoted, limit)
  if (before >= request.pathTo) return [before, before + quoted.length]
  const after = text.indexOf(quoted, request.pathTo)
  return after >= 0 && after < request.to ? [after, after + quoted.length] : undefined
}

function tokenAt(text: string, offset: number): [number, number] {
  const token = /^("(?:[^"\\\n]|\\.)*"?|[\w.+-]+|[^\s])/.exec(text.slice(offset))
  return [offset, offset + (token?.[0].length ?? 1)]
}
