/** Makes a failing scenario smaller while it fails in the same way. */
import type { Scenario } from './checks.ts'
import { isList, isObject, type Json } from './json.ts'
import type { Check } from './requests.ts'

/** Smaller versions of a JSON value: parts left out, or an object replaced by a part of it. Large steps come first. */
function* smaller(value: Json, depth = 0): Generator<Json> {
  if (isList(value)) {
    for (let size = value.length >> 1; size >= 1; size >>= 1)
      for (let at = 0; at < value.length; at += size) yield [...value.slice(0, at), ...value.slice(at + size)]
    for (const [i, item] of value.entries())
      for (const less of smaller(item, depth + 1)) yield [...value.slice(0, i), less, ...value.slice(i + 1)]
  } else if (isObject(value)) {
    const entries = Object.entries(value)
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
    for (const [name, item] of entries) for (const less of smaller(item, depth + 1)) yield { ...value, [name]: less }
    // A clause instead of the one around it.
    if (depth > 0 && entries.length === 1 && isObject(entries[0]![1])) {
      for (const inner of Object.values(entries[0]![1])) {
        for (const part of isList(inner) ? inner : [inner]) if (isObject(part)) yield part
      }
    }
  } else if (typeof value === 'number' && Number.isInteger(value) && value > 2) yield value >> 1
}

/** The members of a scenario that may be changed; all others keep their meaning only as they are. */
function* variants({ world, checks }: Scenario): Generator<Scenario> {
  for (let i = 0; i < checks.length - 1; i++) yield { world, checks: checks.filter((_, other) => other !== i) }
  const { indices } = world
  for (let i = 0; indices.length > 1 && i < indices.length; i++)
    yield { world: { indices: indices.filter((_, other) => other !== i) }, checks }
  for (const [i, index] of indices.entries()) {
    const withIndex = (changed: object): Scenario => ({
      world: { indices: indices.map((other, at) => (at === i ? { ...index, ...changed } : other)) },
      checks,
    })
    if (index.shards > 1) yield withIndex({ shards: 1 })
    for (const settings of smaller(index.settings)) yield withIndex({ settings })
    if (index.batches.length > 1) yield withIndex({ batches: [index.batches.flat()] })
    for (const batches of smaller(index.batches as unknown as Json)) {
      const isWhole = (batches as unknown as Json[][]).every((batch) =>
        batch.every(
          (write) =>
            isObject(write) &&
            write.id !== undefined &&
            (write.op === 'delete' || (isObject(write.source) && write.source.uid !== undefined)),
        ),
      )
      if (isWhole) yield withIndex({ batches })
    }
    for (const name of Object.keys(index.properties)) {
      if (name === 'uid') continue
      const { [name]: _, ...properties } = index.properties
      yield withIndex({ properties })
    }
  }
  const last = checks.at(-1)!
  if (last.isAlias === true) yield { world, checks: [...checks.slice(0, -1), { ...last, isAlias: false }] }
  const between = 'between' in last ? (last.between ?? []) : []
  for (const i of between.keys())
    yield { world, checks: [...checks.slice(0, -1), { ...last, between: between.toSpliced(i, 1) } as Check] }
  if (!('body' in last)) return
  for (const body of smaller(last.body)) {
    if (isObject(body)) yield { world, checks: [...checks.slice(0, -1), { ...last, body }] }
  }
  if ('size' in last && last.size > 1)
    yield { world, checks: [...checks.slice(0, -1), { ...last, size: last.size >> 1 }] }
}

/** The smallest scenario found with at most `trials` attempts. */
export async function shrunk(
  scenario: Scenario,
  fails: (scenario: Scenario) => Promise<boolean>,
  trials: number,
): Promise<Scenario> {
  let best = scenario
  let left = trials
  for (let isSmaller = true; isSmaller && left > 0; ) {
    isSmaller = false
    for (const variant of variants(best)) {
      if (left-- <= 0) break
      if (await fails(variant)) {
        best = variant
        isSmaller = true
        break
      }
    }
  }
  return best
}
