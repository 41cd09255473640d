/** Contexts of a completion request: which suggestions they match, and how they are boosted. */

import { illegalArgument } from '../../base/api-error.ts'
import { newMembers } from '../../base/json/members.ts'
import { type CompletionContext, findContext } from '../mapping/field-types/completion-contexts.ts'
import { parseGeoPoint } from '../values/geo-point.ts'
import { encodeGeohash, geohashNeighbours } from '../values/geohash.ts'
import type { CompletionEntry } from './completion-index.ts'

interface ContextCondition {
  readonly context: string
  readonly value: string
  readonly isPrefix: boolean
  readonly boost: number
}

export interface ContextMatch {
  readonly boost: number
  /** The matching values by context. */
  readonly matched: Record<string, string[]>
}

export class ContextsQuery {
  readonly #conditions: readonly ContextCondition[]

  constructor(contexts: readonly CompletionContext[], wanted: Readonly<Record<string, unknown>>) {
    this.#conditions = Object.entries(wanted).flatMap(([name, value]) => {
      const context = findContext(contexts, name)
      // A point may be an array of numbers.
      const list = Array.isArray(value) && typeof value[0] !== 'number' ? value : [value]
      return list.flatMap((one) => (context.type === 'geo' ? places(context, one) : [category(context, one)]))
    })
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0
  }

  /** Undefined if no context matches the entry. */
  match(entry: CompletionEntry): ContextMatch | undefined {
    let best: number | undefined
    const found: { context: string; value: string; boost: number }[] = []
    for (const { context, value, isPrefix, boost } of this.#conditions) {
      for (const own of entry.contexts[context] ?? []) {
        if (isPrefix ? !own.startsWith(value) : own !== value) continue
        best = Math.max(best ?? 0, boost)
        found.push({ context, value: own, boost })
      }
    }
    if (best === undefined) return undefined
    const matched: Record<string, string[]> = newMembers()
    for (const { context, value } of found.sort((a, b) => b.boost - a.boost)) {
      const values = (matched[context] ??= [])
      if (!values.includes(value)) values.push(value)
    }
    return { boost: best, matched }
  }
}

function isOptions(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function category({ name }: CompletionContext, value: unknown): ContextCondition {
  if (!isOptions(value)) return { context: name, value: String(value), isPrefix: false, boost: 1 }
  const { context, boost, prefix } = value
  if (context === undefined) throw illegalArgument('Category context must be set')
  return {
    context: name,
    value: String(context),
    isPrefix: prefix === true || prefix === 'true',
    boost: boost === undefined ? 1 : Number(boost),
  }
}

/** The cell of a point and, unless smaller `neighbours` are given, the cells around it. */
function places({ name, precision }: CompletionContext, value: unknown): ContextCondition[] {
  const options = isOptions(value) ? value : undefined
  const point = parseGeoPoint(options?.['context'] ?? place(value), { ignoreZValue: true, geohashObject: true })
  const length = Math.min(precision, Number(options?.['precision'] ?? precision))
  const hash = encodeGeohash(point.lon, point.lat, length)
  const hashes = new Set([hash])
  const around = (cell: string) => {
    hashes.add(cell)
    for (const neighbour of geohashNeighbours(cell)) hashes.add(neighbour)
  }
  const neighbours = options?.['neighbours']
  if (neighbours === undefined) {
    if (hash.length === precision) around(hash)
  } else {
    for (const size of Array.isArray(neighbours) ? neighbours : [neighbours]) {
      if (Number(size) < hash.length) around(hash.slice(0, Number(size)))
    }
  }
  const boost = options?.['boost'] === undefined ? 1 : Number(options['boost'])
  return [...hashes].map((cell) => ({ context: name, value: cell, isPrefix: cell.length < precision, boost }))
}

/** `{lat, lon, boost}` is a point with additional options. */
function place(value: unknown): unknown {
  if (!isOptions(value)) return value
  const { boost: _, precision: __, neighbours: ___, ...point } = value
  return point
}
