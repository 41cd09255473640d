/** One random change to a valid request body: a wrong value, a missing member, a misspelled name, or one member too many. */

const WRONG = [null, true, -1, 1.5, '', 'wrong', [], {}, ['x', 1], { a: 1 }, 1e20]

/** Every place of a value in a tree. */
function places(value, path = []) {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))]
}

export function mutate(rng, body) {
  const copy = structuredClone(body)
  const path = rng.pick(places(copy).filter((one) => one.length > 0))
  if (path === undefined) return copy
  const last = path.at(-1)
  let holder = copy
  for (const key of path.slice(0, -1)) holder = holder[key]
  const kind = rng.int(0, 3)
  if (kind === 0) holder[last] = rng.pick(WRONG)
  else if (kind === 1) delete holder[last]
  else if (kind === 2 && !Array.isArray(holder)) {
    holder[`${last}x`] = holder[last]
    delete holder[last]
  } else if (Array.isArray(holder)) holder.push(rng.pick(WRONG))
  else holder.extra = rng.pick(WRONG)
  return copy
}

/** The body itself, or, with the given probability, the body with one mistake. */
export const maybeWrong = (rng, probability, body) => (rng.chance(probability) ? mutate(rng, body) : body)
