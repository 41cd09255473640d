// Random sequences of writes and reads on one small index; every answer is
// compared, and the final state of all documents.

import { sentence } from '../lib/values.mjs'

const IDS = ['a', 'b', 'c', 'd', 'é 1', 'x/y']

export const area = {
  name: 'documents',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const shards = rng.weighted({ 1: 7, 2: 2, 5: 1 })
    const body = {
      settings: { number_of_shards: Number(shards), number_of_replicas: 0, refresh_interval: -1 },
      mappings: {
        properties: {
          n: { type: 'integer' },
          tag: { type: 'keyword' },
          text: { type: 'text' },
          when: { type: 'date' },
          inner: { properties: { k: { type: 'keyword' } } },
        },
        ...rng.options({
          dynamic: [0.3, () => rng.pick([false, 'strict', true])],
          _source: [0.05, () => ({ excludes: ['text'] })],
          _routing: [0.06, () => ({ required: true })],
        }),
      },
    }
    const world = {
      target: name,
      indices: [{ name, body, batches: [] }],
      fields: [],
      ids: [],
      nestedPaths: [],
      keepsHoles: false,
      shards: Number(shards),
    }
    const steps = rng.times(rng.int(6, 22), () => OPERATIONS[rng.weighted(WEIGHTS)](rng, name, world))
    return { world, steps: [...steps, ...finalState(name)] }
  },
}

const call = (method, path, rest = {}) => ({ kind: 'call', method, path, ...rest })
const id = (rng) => encodeURIComponent(rng.pick(IDS))

function doc(rng) {
  return rng.options({
    n: [0.7, () => (rng.chance(0.06) ? 'wrong' : rng.int(0, 9))],
    tag: [0.5, () => rng.pick(['red', 'blue', ['red', 'green'], null])],
    text: [0.4, () => sentence(rng, 1, 5)],
    when: [0.2, () => rng.pick(['2024-05-05', 1714867200000, 'nonsense'])],
    inner: [0.3, () => ({ k: rng.pick(['x', 'y']), ...rng.options({ deep: [0.2, () => ({ er: 1 })] }) })],
    extra: [0.1, () => rng.pick([1, 'text', { a: 1 }])],
  })
}

/** Query-string parameters of a write. */
function writeParams(rng, { versions = true } = {}) {
  const params = rng.options({
    routing: [0.12, () => rng.pick(['r1', 'r2'])],
    refresh: [0.2, () => rng.pick(['true', 'false', ''])],
    timeout: [0.03, () => '1m'],
  })
  if (versions) {
    const kind = rng.weighted({ none: 12, seq: 2, external: 1.5, halfSeq: 0.3 })
    if (kind === 'seq') Object.assign(params, { if_seq_no: rng.int(0, 4), if_primary_term: rng.chance(0.9) ? 1 : 2 })
    if (kind === 'halfSeq') params.if_seq_no = 1
    if (kind === 'external')
      Object.assign(params, { version: rng.int(1, 8), version_type: rng.pick(['external', 'external_gte']) })
  }
  return query(params)
}

function query(params) {
  const text = Object.entries(params)
    .map(([k, v]) => (v === '' ? k : `${k}=${encodeURIComponent(v)}`))
    .join('&')
  return text ? `?${text}` : ''
}

const join = (path, extra) => (path.includes('?') ? `${path}&${extra}` : `${path}?${extra}`)

const WEIGHTS = {
  index: 6,
  create: 3,
  auto: 0.7,
  update: 5,
  remove: 3,
  get: 4,
  source: 1,
  head: 1,
  mget: 2,
  bulk: 3,
  search: 1.5,
  count: 0.7,
  refresh: 1,
}

const OPERATIONS = {
  index: (rng, name) => call('PUT', `/${name}/_doc/${id(rng)}${writeParams(rng)}`, { body: doc(rng) }),
  create(rng, name) {
    const path = rng.chance(0.5)
      ? `/${name}/_create/${id(rng)}${writeParams(rng, { versions: false })}`
      : join(`/${name}/_doc/${id(rng)}${writeParams(rng, { versions: false })}`, 'op_type=create')
    return call('PUT', path, { body: doc(rng) })
  },
  // A generated id would land on a random shard.
  auto: (rng, name, world) =>
    world.shards === 1
      ? call('POST', `/${name}/_doc`, { body: doc(rng), hides: ['_id'] })
      : OPERATIONS.index(rng, name),
  update(rng, name) {
    const body = rng.pick([
      () => ({ doc: doc(rng) }),
      () => ({ doc: doc(rng), doc_as_upsert: true }),
      () => ({ doc: doc(rng), upsert: doc(rng) }),
      () => ({ doc: doc(rng), detect_noop: false }),
      () => ({ doc: {} }),
      () => ({ upsert: doc(rng) }),
      () => ({ doc: doc(rng), _source: true }),
    ])()
    let path = `/${name}/_update/${id(rng)}${writeParams(rng, { versions: rng.chance(0.3) })}`
    if (rng.chance(0.1)) path = join(path, 'retry_on_conflict=2')
    return call('POST', path, { body })
  },
  remove: (rng, name) => call('DELETE', `/${name}/_doc/${id(rng)}${writeParams(rng)}`),
  get(rng, name) {
    const params = rng.options({
      routing: [0.12, () => rng.pick(['r1', 'r2'])],
      realtime: [0.1, () => 'false'],
      _source: [0.1, () => rng.pick(['false', 'n,tag'])],
      _source_excludes: [0.08, () => 'inner.*'],
      version: [0.06, () => rng.int(1, 3)],
      stored_fields: [0.04, () => 'tag'],
      refresh: [0.05, () => 'true'],
    })
    return call('GET', `/${name}/_doc/${id(rng)}${query(params)}`)
  },
  source: (rng, name) => call('GET', `/${name}/_source/${id(rng)}`),
  head: (rng, name) => call('HEAD', `/${name}/${rng.pick(['_doc', '_source'])}/${id(rng)}`),
  mget(rng, name) {
    if (rng.chance(0.5)) return call('POST', `/${name}/_mget`, { body: { ids: rng.sample(IDS, rng.int(1, 5)) } })
    const docs = rng.times(rng.int(1, 4), () => ({
      _id: rng.pick(IDS),
      ...rng.options({
        _index: [0.2, () => rng.pick([name, `${name}-none`])],
        routing: [0.1, () => 'r1'],
        _source: [0.2, () => rng.pick([false, ['n'], { excludes: ['n'] }])],
      }),
    }))
    return call('POST', `/${name}/_mget`, { body: { docs } })
  },
  bulk(rng, name) {
    const lines = []
    for (let i = rng.int(1, 6); i > 0; i--) {
      const action = rng.weighted({ index: 4, create: 2, update: 2, delete: 2 })
      const head = {
        _id: rng.pick(IDS),
        ...rng.options({ routing: [0.1, () => 'r1'], if_seq_no: [0.08, () => rng.int(0, 4)] }),
      }
      if (head.if_seq_no !== undefined) head.if_primary_term = 1
      lines.push({ [action]: head })
      if (action === 'update')
        lines.push({
          doc: doc(rng),
          ...rng.options({ doc_as_upsert: [0.3, () => true], upsert: [0.1, () => doc(rng)] }),
        })
      else if (action !== 'delete') lines.push(doc(rng))
    }
    return call(
      'POST',
      `/${name}/_bulk${query(rng.options({ refresh: [0.3, () => 'true'], routing: [0.05, () => 'r2'], _source: [0.05, () => 'true'] }))}`,
      { ndjson: lines },
    )
  },
  // Without a refresh the new documents must not be seen yet.
  search: (rng, name) =>
    call('POST', `/${name}/_search`, {
      body: {
        query: rng.pick([{ match_all: {} }, { term: { tag: 'red' } }, { range: { n: { gte: 3 } } }]),
        size: 50,
        version: true,
        seq_no_primary_term: true,
      },
      as: 'search',
      scores: false,
    }),
  count: (_rng, name) => call('GET', `/${name}/_count`),
  refresh: (_rng, name) => call('POST', `/${name}/_refresh`),
}

function finalState(name) {
  return [
    call('POST', `/${name}/_refresh`),
    call('POST', `/${name}/_mget`, { body: { ids: IDS } }),
    call('POST', `/${name}/_search`, {
      body: { size: 100, version: true, seq_no_primary_term: true, query: { ids: { values: IDS } } },
      as: 'search',
      scores: false,
      unordered: true,
    }),
    call('GET', `/${name}/_count`),
    call('GET', `/${name}/_mapping`),
  ]
}
