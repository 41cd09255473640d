/**
 * The first difference between two answers to one request. Members that differ between any two services are left out: times,
 * numbers of shards, ids of contexts, sequence numbers. Hits with equal sort values may come in any order.
 */
import { numberOf } from '../rewrite/answer-tree.ts'

export interface AnswerDifference {
  /** Where the answers differ: `.hits.hits[3]._id`. */
  readonly at: string
  readonly first: string
  readonly second: string
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  'took',
  '_shards',
  '_scroll_id',
  'pit_id',
  '_seq_no',
  '_primary_term',
  '_node',
  '_shard',
])
/** Scores depend on how documents are spread over shards and segments; single precision. */
const TOLERANCE = 1e-5
const SHOWN_MAX = 200

export function answerDifference(first: unknown, second: unknown): AnswerDifference | undefined {
  return differenceAt('', first, second)
}

function differenceAt(at: string, a: unknown, b: unknown): AnswerDifference | undefined {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== undefined && y !== undefined) return isNear(x, y) ? undefined : show(at, a, b)
  if (Array.isArray(a) && Array.isArray(b)) {
    const isHits = at.endsWith('.hits') && a.every(isHit) && b.every(isHit)
    return isHits ? hitsDifference(at, a, b) : listDifference(at, a, b)
  }
  if (isRecord(a) && isRecord(b)) return recordDifference(at, a, b)
  return a === b ? undefined : show(at, a, b)
}

function recordDifference(
  at: string,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): AnswerDifference | undefined {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (LEFT_OUT.has(name)) continue
    const found = differenceAt(`${at}.${name}`, a[name], b[name])
    if (found !== undefined) return found
  }
  return undefined
}

function listDifference(at: string, a: readonly unknown[], b: readonly unknown[]): AnswerDifference | undefined {
  if (a.length !== b.length) return show(`${at}.length`, a.length, b.length)
  for (let i = 0; i < a.length; i++) {
    const found = differenceAt(`${at}[${i}]`, a[i], b[i])
    if (found !== undefined) return found
  }
  return undefined
}

interface Hit extends Record<string, unknown> {
  readonly _id: unknown
}

/** Ranks must be equal. A hit must be among the hits of its rank on the other side, unless that rank continues on the next page. */
function hitsDifference(at: string, a: readonly Hit[], b: readonly Hit[]): AnswerDifference | undefined {
  if (a.length !== b.length) return show(`${at}.length`, a.length, b.length)
  const byId = new Map(b.map((hit) => [keyOf(hit), hit]))
  const last = a.length - 1
  for (let i = 0; i < a.length; i++) {
    const rank = differenceAt(`${at}[${i}]`, rankOf(a[i]!), rankOf(b[i]!))
    if (rank !== undefined) return rank
    const twin = byId.get(keyOf(a[i]!))
    if (twin !== undefined) {
      const found = differenceAt(`${at}[${i}]`, a[i], twin)
      if (found !== undefined) return found
    } else if (differenceAt('', rankOf(a[i]!), rankOf(a[last]!)) !== undefined)
      return show(`${at}[${i}]._id`, a[i]!._id, b[i]!._id)
  }
  return undefined
}

const keyOf = ({ _index, _id }: Hit) => JSON.stringify([_index, _id])

const rankOf = ({ sort, _score }: Hit) => sort ?? _score

function isHit(value: unknown): value is Hit {
  return isRecord(value) && value['_id'] !== undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNear(x: number, y: number): boolean {
  return x === y || Math.abs(x - y) <= TOLERANCE * Math.max(Math.abs(x), Math.abs(y))
}

function show(at: string, first: unknown, second: unknown): AnswerDifference {
  return { at: at === '' ? '.' : at, first: shown(first), second: shown(second) }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item)) ?? 'missing'
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
