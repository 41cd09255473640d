/** Steps and worlds that several families of requests share. */

export const call = (method, path, body, rest = {}) => ({
  kind: 'call',
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...rest,
})

export const plainWorld = (name, body, batches = []) => ({
  target: name,
  indices: [{ name, body, batches }],
  shards: 1,
  ids: [],
  keepsHoles: false,
  purge: false,
  nestedPaths: [],
  fields: [],
})

/** For cases whose steps create the index and delete it. */
export const emptyWorld = (name) => ({ ...plainWorld(name), indices: [] })

export const SETTINGS = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: -1 }

/** `?a=1&b=2` of the `fixed` text and of the parameters whose dice fall right: {name: [probability, values]}. */
export function parameters(rng, table, fixed) {
  const chosen = Object.entries(table)
    .filter(([, [probability]]) => rng.chance(probability))
    .map(([name, [, values]]) => `${name}=${encodeURIComponent(rng.pick(values))}`)
  if (fixed !== undefined) chosen.unshift(fixed)
  return chosen.length === 0 ? '' : `?${chosen.join('&')}`
}

/**
 * The step, with parts of its answer replaced that change with every start of a server. The tester reads what later steps need by
 * `sink`; this one changes the answer it is given. It is hidden, because copies of a step are data.
 */
export function settled(step, settle) {
  const path = { split: () => ({ reduce: (_read, answer) => settle(answer) }) }
  return Object.defineProperty(step, 'sink', { value: { name: 'settled', path } })
}
