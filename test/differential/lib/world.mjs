// A world is one or two indices with documents, described as plain data:
//
//   { target, indices: [{ name, body, batches }], fields, ids, keepsHoles }
//
// `batches` are bulk calls; the index is refreshed after each one, so that a
// world has several segments, and later batches update and delete documents of
// earlier ones, so that segments have holes. Being data, a world can be shrunk.

import { FLOAT_TYPES, fieldValue, INTEGER_TYPES, NUMBER_TYPES } from './values.mjs'

const DATE_FORMATS = [
  undefined,
  undefined,
  undefined,
  'yyyy-MM-dd',
  'epoch_second',
  'yyyy/MM/dd HH:mm:ss||epoch_millis',
]

// ---- fields ----

function leaf(rng, path, type, nested) {
  const field = { path, type, nested, mapping: { type }, multi: rng.chance(0.3), extreme: false }
  switch (type) {
    case 'keyword':
      field.wide = rng.chance(0.3)
      Object.assign(field.mapping, rng.options({ ignore_above: [0.1, () => 6], null_value: [0.1, () => 'NULL'] }))
      break
    case 'text':
      field.multi = rng.chance(0.15)
      Object.assign(
        field.mapping,
        rng.options({
          analyzer: [0.25, () => rng.pick(['standard', 'whitespace', 'simple', 'stop', 'keyword'])],
          norms: [0.1, () => false],
          fielddata: [0.15, () => true],
          index_options: [0.05, () => 'docs'],
          position_increment_gap: [0.1, () => rng.pick([0, 5])],
        }),
      )
      // Without positions there can be no gap between them.
      if (field.mapping.index_options === 'docs') delete field.mapping.position_increment_gap
      if (rng.chance(0.4)) field.mapping.fields = { raw: { type: 'keyword', ignore_above: 256 } }
      break
    case 'date':
      field.format = rng.pick(DATE_FORMATS)
      if (field.format) field.mapping.format = field.format
      break
    case 'boolean':
      Object.assign(field.mapping, rng.options({ null_value: [0.15, () => true] }))
      break
    default:
      if (NUMBER_TYPES.includes(type)) {
        field.extreme = rng.chance(0.2)
        Object.assign(field.mapping, rng.options({ null_value: [0.1, () => 7] }))
      }
  }
  if (field.mapping.type !== 'text' && rng.chance(0.03)) field.mapping.index = false
  if (field.mapping.type !== 'text' && type !== 'geo_point' && rng.chance(0.03)) field.mapping.doc_values = false
  field.sortable = field.mapping.doc_values !== false && type !== 'text' && type !== 'geo_point'
  return field
}

function subFields(field) {
  if (!field.mapping.fields) return []
  return Object.entries(field.mapping.fields).map(([name, mapping]) => ({
    path: `${field.path}.${name}`,
    type: mapping.type,
    nested: field.nested,
    mapping,
    multi: field.multi,
    extreme: false,
    sortable: true,
    derived: true,
  }))
}

function rootLeaves(rng) {
  const types = [
    'keyword',
    'keyword',
    'text',
    'text',
    rng.pick(INTEGER_TYPES),
    'integer',
    'long',
    rng.pick(FLOAT_TYPES),
    'double',
    'date',
    'date',
    'date_nanos',
    'boolean',
    'ip',
    'geo_point',
  ]
  const count = {}
  return types
    .filter(() => rng.chance(0.85))
    .map((type) => {
      count[type] = (count[type] ?? 0) + 1
      return leaf(rng, `${type}_${count[type]}`, type, null)
    })
}

// ---- documents ----

/** Puts a value at a dotted path, as nested objects or (rarely) as a dotted key. */
function place(doc, path, value) {
  const parts = path.split('.')
  let at = doc
  for (const part of parts.slice(0, -1)) at = at[part] ??= {}
  at[parts[parts.length - 1]] = value
}

function fillLeaf(rng, doc, field, path) {
  const dice = rng.next()
  if (dice < 0.18) return
  if (dice < 0.21) return place(doc, path, null)
  if (dice < 0.23) return place(doc, path, [])
  if (field.multi && dice < 0.55) {
    return place(
      doc,
      path,
      rng.times(rng.int(1, 4), () => (rng.chance(0.05) ? null : fieldValue(rng, field))),
    )
  }
  place(doc, path, fieldValue(rng, field))
}

function makeObject(rng, leaves, children, prefix) {
  const doc = {}
  for (const field of leaves) fillLeaf(rng, doc, field, field.path.slice(prefix.length))
  for (const child of children) {
    if (rng.chance(0.25)) continue
    const items = rng.times(rng.int(0, 4), () => makeObject(rng, child.leaves, child.children, `${child.path}.`))
    place(doc, child.path.slice(prefix.length), items.length === 1 && rng.chance(0.5) ? items[0] : items)
  }
  return doc
}

/** Values the documents really hold at a path, so that queries can hit. */
function samplesAt(indices, path, limit = 24) {
  const found = []
  const walk = (value, parts) => {
    if (found.length >= limit || value === null || value === undefined) return
    if (Array.isArray(value)) {
      for (const v of value) walk(v, parts)
      return
    }
    if (parts.length === 0) return void found.push(value)
    if (typeof value === 'object') walk(value[parts[0]], parts.slice(1))
  }
  for (const index of indices) for (const op of index.batches.flat()) if (op.doc) walk(op.doc, path.split('.'))
  return found
}

// ---- the world itself ----

function nestedTree(rng) {
  const item = { path: 'items', children: [] }
  item.leaves = [
    leaf(rng, 'items.sku', 'keyword', 'items'),
    leaf(rng, 'items.count', 'integer', 'items'),
    leaf(rng, 'items.cost', 'double', 'items'),
    leaf(rng, 'items.at', 'date', 'items'),
    leaf(rng, 'items.note', 'text', 'items'),
  ]
  const roots = [item]
  if (rng.chance(0.6)) {
    const part = { path: 'items.parts', children: [] }
    part.leaves = [
      leaf(rng, 'items.parts.pid', 'keyword', 'items.parts'),
      leaf(rng, 'items.parts.weight', 'integer', 'items.parts'),
    ]
    item.children.push(part)
  }
  if (rng.chance(0.4)) {
    const log = { path: 'log', children: [] }
    log.leaves = [leaf(rng, 'log.level', 'keyword', 'log'), leaf(rng, 'log.line', 'integer', 'log')]
    roots.push(log)
  }
  return roots
}

function flatten(nodes) {
  return nodes.flatMap((n) => [n, ...flatten(n.children)])
}

function mappingFor(leaves, nestedRoots) {
  const properties = { uid: { type: 'keyword' } }
  const put = (into, path, mapping) => {
    const [head, ...rest] = path.split('.')
    if (rest.length === 0) {
      into[head] = { ...mapping, ...into[head] }
      return
    }
    into[head] ??= {}
    into[head].properties ??= {}
    put(into[head].properties, rest.join('.'), mapping)
  }
  for (const node of flatten(nestedRoots)) put(properties, node.path, { type: 'nested', properties: {} })
  for (const field of leaves) put(properties, field.path, field.mapping)
  return { properties }
}

function chooseIndexSort(rng, leaves) {
  const usable = leaves.filter((f) => f.sortable && !f.nested && !['ip', 'half_float'].includes(f.type))
  const chosen = rng.shuffle(usable).slice(0, rng.int(1, 3))
  if (chosen.length === 0) return {}
  return {
    'sort.field': chosen.map((f) => f.path),
    'sort.order': chosen.map(() => rng.pick(['asc', 'desc'])),
    ...rng.options({
      'sort.missing': [0.3, () => chosen.map(() => rng.pick(['_first', '_last']))],
      'sort.mode': [0.3, () => chosen.map(() => rng.pick(['min', 'max']))],
    }),
  }
}

function writeBatches(rng, makeDoc, idPrefix, docCount, holes) {
  const batches = []
  const alive = new Map()
  let serial = 0
  const fresh = (count) =>
    rng.times(count, () => {
      const id = `${idPrefix}${serial++}`
      const doc = { uid: id, ...makeDoc() }
      alive.set(id, doc)
      return { op: 'index', id, doc }
    })
  const batchCount = rng.int(1, 4)
  for (let b = 0; b < batchCount; b++) {
    const ops = fresh(Math.ceil(docCount / batchCount))
    if (holes && b > 0) {
      for (const id of rng.sample([...alive.keys()], rng.int(1, 8))) {
        if (ops.some((o) => o.id === id)) continue
        if (rng.chance(0.5)) {
          alive.delete(id)
          ops.push({ op: 'delete', id })
        } else {
          ops.push({ op: 'index', id, doc: { uid: id, ...makeDoc() } })
        }
      }
    }
    batches.push(ops)
  }
  return { batches, ids: [...alive.keys()] }
}

/**
 * wish: { docs: [low, high], nested, holes, indexSort, twoIndices, shards, leaves, trees } - what an area insists on;
 * everything left open is rolled. `leaves` and `trees` replace the usual fields.
 */
export function makeWorld(rng, name, wish = {}) {
  const roll = (value, probability) => (value === undefined ? rng.chance(probability) : value)
  const wantsIndexSort = roll(wish.indexSort, 0.2)
  const trees = wish.trees?.(rng, leaf) ?? (roll(wish.nested, 0.6) && !wantsIndexSort ? nestedTree(rng) : [])
  const roots = wish.leaves?.(rng, leaf) ?? [
    ...rootLeaves(rng),
    leaf(rng, 'meta.author', 'keyword', null),
    leaf(rng, 'meta.level', 'integer', null),
  ]
  const nestedLeaves = flatten(trees).flatMap((n) => n.leaves)
  const leaves = [...roots, ...nestedLeaves]
  const holes = roll(wish.holes, 0.4)
  const keepsHoles = holes && rng.chance(0.5)
  const [low, high] = wish.docs ?? [0, 90]
  const docCount = rng.int(low, high)
  const makeDoc = () => makeObject(rng, roots, trees, '')

  const shards = wish.shards ?? Number(rng.weighted({ 1: 5, 2: 2, 3: 1, 5: 1 }))
  const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: -1 }
  const body = { settings, mappings: mappingFor(leaves, trees) }
  const indices = []
  const ids = []
  const addIndex = (suffix, idPrefix, count, indexBody) => {
    const written = writeBatches(rng, makeDoc, idPrefix, count, holes)
    ids.push(...written.ids)
    indices.push({ name: name + suffix, body: indexBody, batches: written.batches })
  }
  if (wantsIndexSort) body.settings = { ...settings, ...chooseIndexSort(rng, leaves) }
  addIndex('', 'd', docCount, body)
  if (roll(wish.twoIndices, 0.12)) addIndex('-b', 'e', rng.int(0, 30), { ...body, settings })
  for (const field of leaves) if (field.type !== 'geo_point') field.samples = samplesAt(indices, field.path)

  return {
    target: indices.map((i) => i.name).join(','),
    indices,
    shards,
    ids,
    keepsHoles,
    purge: holes && !keepsHoles,
    indexSort: body.settings['sort.field']?.map((f, i) => [f, body.settings['sort.order'][i]]),
    nestedPaths: flatten(trees).map((n) => n.path),
    fields: [
      {
        path: 'uid',
        type: 'keyword',
        nested: null,
        multi: false,
        mapping: { type: 'keyword' },
        sortable: true,
        wide: true,
      },
      ...leaves,
      ...leaves.flatMap(subFields),
    ],
  }
}

// ---- putting a world onto a server ----

function bulkLines(ops) {
  return ops.flatMap(({ op, id, routing, doc }) => {
    const head = { [op]: { _id: id, ...(routing ? { routing } : {}) } }
    if (op === 'delete') return [head]
    return [head, op === 'update' ? { doc } : doc]
  })
}

/** Creates the world; the answers are kept so that they can be compared as well. */
export async function buildWorld(server, world) {
  const answers = []
  await dropWorld(server, world)
  for (const index of world.indices) {
    const created = await server.send({ method: 'PUT', path: `/${index.name}`, body: index.body })
    answers.push(created)
    // Writing now would create the index anew, with guessed types.
    if (created.status >= 300) return answers
    for (const ops of index.batches) {
      if (ops.length > 0)
        answers.push(await server.send({ method: 'POST', path: `/${index.name}/_bulk`, ndjson: bulkLines(ops) }))
      await server.send({ method: 'POST', path: `/${index.name}/_refresh` })
    }
    // Scores depend on deleted documents until they are merged away.
    if (world.purge) await server.send({ method: 'POST', path: `/${index.name}/_forcemerge?max_num_segments=1` })
    if (world.purge) await server.send({ method: 'POST', path: `/${index.name}/_refresh` })
  }
  return answers
}

/** A world without indices stands for one its steps create under the name of the target. */
export async function dropWorld(server, world) {
  const names = world.indices.length > 0 ? world.indices.map((index) => index.name) : [world.target].filter(Boolean)
  for (const name of names) await server.send({ method: 'DELETE', path: `/${name}` })
}
