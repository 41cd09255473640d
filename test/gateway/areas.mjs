// The areas of the differential tester without two things that OpenSearch does otherwise and that would hide everything else, because each
// concerns all searches of a world: a null within a list of points, which makes it refuse the document, and `ignore_above`, whose fields it does not
// list in `_ignored`. Both stand in docs/manual/gateway.md. SANDPIPER_ORACLE is the folder of the tester.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const oracle = process.env.SANDPIPER_ORACLE
const load = (file) => import(pathToFileURL(join(oracle, file)).href)
const { makeWorld } = await load('lib/world.mjs')
const { loadAreas } = await load('gen/index.mjs')

export const areas = (await loadAreas(['paging', 'composite', 'nested', 'search', 'sort'])).map((area) => ({
  ...area,
  makeWorld(rng, name) {
    if (area.makeWorld !== undefined) return adapted(area.makeWorld(rng, name))
    return adapted(makeWorld(rng, name, typeof area.wish === 'function' ? area.wish(rng) : area.wish))
  },
  makeCase(rng, world, ownName) {
    const made = area.makeCase(rng, world, ownName)
    return made.world === undefined ? made : { ...made, world: adapted(made.world) }
  },
}))

function adapted(world) {
  for (const { body, batches } of world.indices) {
    const points = new Set()
    visit(body.mappings ?? {}, '', points)
    for (const { doc } of batches.flat()) if (doc !== undefined) withoutNulls(doc, '', points)
  }
  return world
}

/** Removes `ignore_above` and collects the names of points. */
function visit(mapping, path, points) {
  delete mapping.ignore_above
  if (mapping.type === 'geo_point') points.add(path)
  for (const group of ['properties', 'fields'])
    for (const [name, field] of Object.entries(mapping[group] ?? {}))
      visit(field, path === '' ? name : `${path}.${name}`, points)
}

function withoutNulls(object, path, points) {
  for (const [name, value] of Object.entries(object)) {
    const here = path === '' ? name : `${path}.${name}`
    if (points.has(here) && Array.isArray(value)) object[name] = value.filter((point) => point !== null)
    else if (Array.isArray(value)) for (const item of value) if (isObject(item)) withoutNulls(item, here, points)
    if (isObject(value)) withoutNulls(value, here, points)
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
