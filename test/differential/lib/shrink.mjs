// Makes a failing case smaller: fewer steps, fewer documents, a smaller body.
// A change is kept when the case still fails in the same class.

import { clone } from './json.mjs'

/** Every way to leave out one part of a JSON value, biggest parts first. */
export function* without(value, depth = 0) {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.filter((_, j) => j !== i)
    for (let i = 0; i < value.length; i++)
      for (const smaller of without(value[i], depth + 1)) yield value.map((v, j) => (j === i ? smaller : v))
  } else if (value && typeof value === 'object') {
    const keys = Object.keys(value)
    for (const key of keys) {
      const { [key]: _, ...rest } = value
      yield rest
    }
    for (const key of keys) for (const smaller of without(value[key], depth + 1)) yield { ...value, [key]: smaller }
  }
}

/** Clauses a query can be replaced by: its own sub-clauses. */
function* hoists(body) {
  const inner = []
  const walk = (clause) => {
    if (!clause || typeof clause !== 'object' || Array.isArray(clause)) return
    const [name] = Object.keys(clause)
    const content = clause[name]
    if (!content || typeof content !== 'object') return
    for (const key of ['must', 'filter', 'should', 'must_not', 'queries', 'query', 'positive', 'negative']) {
      for (const sub of [content[key] ?? []].flat()) if (sub && typeof sub === 'object') inner.push(sub)
    }
  }
  walk(body?.query)
  for (const sub of inner) yield { ...body, query: sub }
}

/**
 * stillFails(candidate) -> boolean (async). Returns the smallest case found within the budget of trials.
 */
export async function shrink(original, stillFails, budget = 60) {
  let best = original
  let left = budget
  const attempt = async (candidate) => {
    if (left <= 0) return false
    left--
    if (!(await stillFails(candidate))) return false
    best = candidate
    return true
  }

  // Steps, from the end.
  for (let i = best.steps.length - 1; i >= 0 && best.steps.length > 1; i--) {
    await attempt({ ...best, steps: best.steps.filter((_, j) => j !== i) })
  }
  await shrinkBodies()
  await shrinkDocuments()
  await shrinkBodies()
  await shrinkFields()
  return best

  async function shrinkBodies() {
    let progress = true
    while (progress && left > 0) {
      progress = false
      for (let i = 0; i < best.steps.length && !progress; i++) {
        const body = best.steps[i].body
        if (!body || typeof body !== 'object') continue
        for (const smaller of [...hoists(body), ...without(body)]) {
          if (left <= 0) break
          if (await attempt({ ...best, steps: best.steps.map((s, j) => (j === i ? { ...s, body: smaller } : s)) })) {
            progress = true
            break
          }
        }
      }
    }
  }

  /** With few documents left, drop fields that do not matter from all of them. */
  async function shrinkFields() {
    const documents = best.world.indices.flatMap((index) => index.batches.flat()).map((op) => op.doc ?? {})
    if (documents.length > 6) return
    for (const name of new Set(documents.flatMap(Object.keys)))
      await attempt({ ...best, world: withoutField(best.world, name) })
  }

  async function shrinkDocuments() {
    for (let index = 0; index < best.world.indices.length; index++) {
      for (let chunk = 64; chunk >= 1 && left > 0; chunk = Math.floor(chunk / 2)) {
        let at = 0
        for (;;) {
          const flat = best.world.indices[index].batches.flatMap((ops, b) => ops.map((op) => ({ b, op })))
          if (at >= flat.length || left <= 0) break
          const kept = flat.filter((_, i) => i < at || i >= at + chunk)
          if (!(await attempt({ ...best, world: withOps(best.world, index, kept) }))) at += chunk
        }
      }
    }
  }
}

function withOps(world, index, kept) {
  const copy = { ...world, indices: world.indices.map((i) => ({ ...i })) }
  copy.indices[index].batches = world.indices[index].batches.map((_, b) =>
    kept.filter((k) => k.b === b).map((k) => clone(k.op)),
  )
  return copy
}

function withoutField(world, name) {
  const strip = (op) =>
    op.doc ? { ...op, doc: Object.fromEntries(Object.entries(op.doc).filter(([key]) => key !== name)) } : op
  return {
    ...world,
    indices: world.indices.map((index) => ({ ...index, batches: index.batches.map((ops) => ops.map(strip)) })),
  }
}
