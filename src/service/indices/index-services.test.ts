import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryDirectory } from '../../engine/store/memory-directory.ts'
import { parseAliasActions } from '../aliases/alias-actions.ts'
import { resolverOf } from '../catalog/index-context.ts'
import { parseRollover } from '../data-streams/rollover-conditions.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { createServices } from '../fixtures/services-fixture.ts'
import { EXPAND_OPEN } from '../names/indices-options.ts'
import { parseIndexTemplate } from '../templates/template-parser.ts'

const SHOW = { flatSettings: true, includeDefaults: false, human: false }
const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const template = (value: unknown) => parseIndexTemplate(json(value))
const actions = (...list: unknown[]) => parseAliasActions(json({ actions: list }))
const NEVER_CREATES = { requireAlias: false, requireDataStream: false, isDelete: true }
const MAY_CREATE = { ...NEVER_CREATES, isDelete: false }

test('an index is built from templates and request, and its shards open before it is visible', async () => {
  const { indices, templates, host, store } = createServices()
  await templates.putIndexTemplate(
    't',
    template({ index_patterns: ['a*'], template: { settings: { number_of_shards: 2 }, aliases: { al: {} } } }),
    false,
  )
  let shardsWhenSeen = -1
  store.onChange(() => {
    shardsWhenSeen = host.open.size
  })
  const definition = parseIndexDefinition({ mappings: { properties: { k: { type: 'keyword' } } } })
  assert.deepEqual(await indices.create('a1', definition), {
    acknowledged: true,
    shards_acknowledged: true,
    index: 'a1',
  })
  assert.equal(shardsWhenSeen, 2)
  const shown = indices.get(['a1'], {}, SHOW)['a1'] as Record<string, Record<string, unknown>>
  assert.deepEqual(shown['aliases'], { al: {} })
  assert.deepEqual(shown['mappings'], { properties: { k: { type: 'keyword' } } })
  assert.equal(shown['settings']!['index.number_of_shards'], '2')
  assert.match(String(shown['settings']!['index.uuid']), /^[\w-]{22}$/)
})

test('a rejected index leaves no shards behind', async () => {
  const { indices, host } = createServices()
  await indices.create('a', parseIndexDefinition({ aliases: { w: { is_write_index: true } } }))
  await assert.rejects(indices.create('b', parseIndexDefinition({ aliases: { w: { is_write_index: true } } })), {
    message: 'alias [w] has more than one write index [a,b]',
  })
  assert.equal(host.open.size, 1)
  await assert.rejects(indices.create('a', parseIndexDefinition({})), /already exists/)
  await assert.rejects(indices.create('w', parseIndexDefinition({})), /already exists as alias/)
})

test('closing, opening and deleting an index does the same to its shards', async () => {
  const { indices, host, mappings } = createServices()
  await indices.create('a', parseIndexDefinition({}))
  await indices.close(['a'], {})
  assert.equal(host.open.size, 0)
  assert.deepEqual(mappings.get(['a'], {}), { a: { mappings: {} } })
  assert.deepEqual(mappings.get(['*'], {}), {})
  await indices.open(['a'], {})
  assert.equal(host.open.size, 1)
  await indices.delete(['a'], {})
  assert.equal(host.open.size, 0)
  await assert.rejects(indices.delete(['a'], {}), { message: 'no such index [a]' })
})

// Goal: in any mix of opening, closing and deleting, the open shards are those of the open indices.
test('concurrent opens, closes and deletes of one index do not interleave', async () => {
  const { indices, host, store } = createServices(new MemoryDirectory())
  const steps = [
    () => indices.create('a', parseIndexDefinition({ settings: { number_of_shards: 2 } })),
    () => indices.close(['a'], {}),
    () => indices.open(['a'], {}),
    () => indices.delete(['a'], {}),
  ]
  for (let round = 0; round < 60; round++) {
    const chosen = [0, 1, 2, 3, 4].map((i) => steps[(round * 7 + i * (round % 5) + i) % steps.length]!)
    await Promise.allSettled(chosen.map((step) => step()))
    const open = [...store.state.indices.values()].filter((index) => index.state === 'open')
    const expected = open.flatMap(({ uuid, shardCount }) =>
      Array.from({ length: shardCount }, (_, i) => `${uuid}/${i}`),
    )
    assert.deepEqual([...host.open].sort(), expected.sort(), `round ${round}`)
  }
})

test('a mapping update applies to all indices or none, and shards are notified once', async () => {
  const { indices, mappings, host } = createServices()
  await indices.create('a', parseIndexDefinition({ mappings: { properties: { n: { type: 'long' } } } }))
  await indices.create('b', parseIndexDefinition({}))
  await assert.rejects(
    mappings.put(['b', 'a'], { properties: { n: { type: 'keyword' } } }, {}, { writeIndexOnly: false }),
    { message: 'mapper [n] cannot be changed from type [long] to [keyword]' },
  )
  assert.deepEqual(mappings.get(['b'], {}), { b: { mappings: {} } })
  const put = () => mappings.put(['*'], { properties: { k: { type: 'keyword' } } }, {}, { writeIndexOnly: false })
  await put()
  await put()
  assert.equal(host.calls.filter((call) => call.startsWith('mapping')).length, 2)
})

test('concurrent dynamic updates of one index are all kept', async () => {
  const { indices, mappings, store } = createServices(new MemoryDirectory())
  await indices.create('a', parseIndexDefinition({}))
  const { uuid } = store.state.index('a')!
  const field = (name: string) => mappings.dynamicUpdate(uuid, { properties: { [name]: { type: 'long' } } })
  const results = await Promise.all(['x', 'y', 'z', 'x'].map(field))
  assert.deepEqual(Object.keys(store.state.index('a')!.mapping['properties'] as object), ['x', 'y', 'z'])
  assert.deepEqual(
    results.map(({ version }) => version),
    [2, 3, 4, 4],
  )
})

test('an open index accepts only dynamic settings', async () => {
  const { indices, settings } = createServices()
  await indices.create('a', parseIndexDefinition({}))
  const put = (body: unknown, reopen = false) => settings.put(['a'], body, {}, { preserveExisting: false, reopen })
  await put({ refresh_interval: '5s' })
  assert.deepEqual(settings.get(['a'], ['index.refresh*'], {}, SHOW), {
    a: { settings: { 'index.refresh_interval': '5s' } },
  })
  assert.deepEqual(settings.get(['a'], ['nope'], {}, SHOW), {})
  await assert.rejects(put({ codec: 'best_compression' }), /Can't update non dynamic settings \[\[index\.codec\]\]/)
  await assert.rejects(
    put({ number_of_shards: 1, codec: 'default', 'analysis.analyzer.mine.tokenizer': 'x', 'mapping.coerce': true }),
    /\[\[index\.codec, index\.analysis\.analyzer\.mine\.tokenizer, index\.mapping\.coerce, index\.number_of_shards\]\]/,
  )
  await put({ codec: 'best_compression' }, true)
  await assert.rejects(
    put({ 'index.analysis.analyzer.x.type': 'nope' }, true),
    /Unknown analyzer type \[nope\] for \[x\]/,
  )
})

test('alias actions apply atomically, and the error names the failed one', async () => {
  const { indices, aliases } = createServices()
  await indices.create('a', parseIndexDefinition({}))
  await indices.create('b', parseIndexDefinition({}))
  await aliases.apply(
    actions({ add: { index: '*', alias: 'both' } }, { add: { index: 'a', alias: 'one', routing: 'r' } }),
  )
  assert.deepEqual(aliases.get(['a'], [], {}).body, {
    a: { aliases: { both: {}, one: { index_routing: 'r', search_routing: 'r' } } },
  })
  await assert.rejects(aliases.apply(actions({ remove: { index: 'a', alias: 'nope' } })), {
    message: 'aliases [nope] missing',
  })
  const mixed = await aliases.apply(
    actions({ remove: { index: 'a', alias: 'one' } }, { remove: { index: 'a', alias: 'nope' } }),
  )
  assert.equal(mixed['errors'], true)
  assert.deepEqual(aliases.get([], ['one'], {}), { status: 404, body: { error: 'alias [one] missing', status: 404 } })
  await aliases.apply(actions({ remove_index: { index: 'b' } }, { add: { index: 'a', alias: 'b' } }))
  assert.equal(aliases.get(['a'], ['b'], {}).status, 200)
  const added = { add: { index: 'a', alias: 'soon' } }
  const gone = { remove: { index: 'a', alias: 'soon', must_exist: true } }
  assert.deepEqual(await aliases.apply(actions(added, gone)), { acknowledged: true, errors: false })
  assert.equal(aliases.get(['a'], ['soon'], {}).status, 404)
  await assert.rejects(aliases.apply(actions({ add: { index: 'a', alias: 'f', filter: { nope: {} } } })), {
    message: 'failed to parse filter for alias [f]',
  })
})

test('a write resolves aliases and data streams, and creates a missing index', async () => {
  const { indices, aliases, templates, writeTargets, store } = createServices()
  await indices.create('a', parseIndexDefinition({}))
  await indices.create('b', parseIndexDefinition({}))
  await aliases.apply(actions({ add: { index: '*', alias: 'both' } }))
  await assert.rejects(writeTargets.resolve('both', MAY_CREATE), /no write index is defined for alias \[both\]/)
  await aliases.apply(actions({ add: { index: 'b', alias: 'both', is_write_index: true, index_routing: 'r' } }))
  const { target } = await writeTargets.resolve('both', MAY_CREATE)
  assert.deepEqual([target.indexName, target.aliasRouting, target.appendOnly], ['b', 'r', false])

  await assert.rejects(writeTargets.resolve('new', NEVER_CREATES), { message: 'no such index [new]' })
  await assert.rejects(writeTargets.resolve('new', { ...MAY_CREATE, requireAlias: true }), /is not an alias/)
  const made = await Promise.all([1, 2, 3].map(() => writeTargets.resolve('<new-{now/d}>', MAY_CREATE)))
  assert.deepEqual(new Set(made.map(({ index }) => index.uuid)).size, 1)
  assert.equal(made[0]!.index.name, 'new-2024.05.17')

  await templates.putIndexTemplate('t', template({ index_patterns: ['events*'], data_stream: {} }), false)
  const { target: stream } = await writeTargets.resolve('events', MAY_CREATE)
  assert.deepEqual(
    [stream.indexName, stream.appendOnly, stream.requireTimestamp],
    ['.ds-events-2024.05.17-000001', true, true],
  )
  assert.equal(store.state.index(stream.indexName)!.settings['index.hidden'], 'true')

  await indices.close(['a'], {})
  await assert.rejects(writeTargets.resolve('a', MAY_CREATE), { message: 'closed' })
})

test('a blocked index rejects the operations that the block names', async () => {
  const { indices, settings, writeTargets } = createServices()
  await indices.create('a', parseIndexDefinition({}))
  await settings.addBlock(['a'], 'write', {})
  await assert.rejects(writeTargets.resolve('a', MAY_CREATE), {
    message: 'index [a] blocked by: [FORBIDDEN/8/index write (api)];',
  })
  const put = (body: unknown) => settings.put(['a'], body, {}, { preserveExisting: false, reopen: false })
  await put({ 'index.blocks.write': null, 'index.blocks.read_only': true })
  await assert.rejects(indices.delete(['a'], {}), {
    message: 'index [a] blocked by: [FORBIDDEN/5/index read-only (api)];',
  })
  await put({ 'index.blocks.read_only': null })
  await indices.delete(['a'], {})
})

test('rollover moves the writes of an alias and of a data stream', async () => {
  const { indices, rollover, templates, dataStreams, writeTargets } = createServices()
  await indices.create('log-000001', parseIndexDefinition({ aliases: { log: { is_write_index: true } } }))
  const always = parseRollover(Buffer.alloc(0))
  const options = { newIndex: undefined, dryRun: false, lazy: false }
  const rolled = await rollover.rollover('log', always, options)
  assert.deepEqual(
    [rolled['old_index'], rolled['new_index'], rolled['rolled_over']],
    ['log-000001', 'log-000002', true],
  )
  assert.equal((await writeTargets.resolve('log', MAY_CREATE)).index.name, 'log-000002')
  await assert.rejects(rollover.rollover('log-000001', always, options), /rollover target is a \[concrete index\]/)

  await templates.putIndexTemplate('t', template({ index_patterns: ['ds'], data_stream: {} }), false)
  await dataStreams.create('ds')
  await rollover.rollover('ds', always, options)
  const [shown] = dataStreams.get(['ds'], {})['data_streams'] as Record<string, unknown>[]
  assert.equal(shown!['generation'], 2)
  await assert.rejects(templates.deleteIndexTemplates(['t']), /in use by a data streams \[ds\]/)
  await assert.rejects(indices.delete(['.ds-ds-2024.05.17-000002'], {}), /is the write index for data stream \[ds\]/)
  await indices.delete(['.ds-ds-2024.05.17-000001'], {})
  await dataStreams.delete(['ds'], {})
  assert.deepEqual(dataStreams.get([], {}), { data_streams: [] })
})

test('an alias of a data stream follows its rollovers', async () => {
  const { aliases, rollover, templates, dataStreams, writeTargets, context } = createServices()
  await templates.putIndexTemplate('t', template({ index_patterns: ['ds'], data_stream: {} }), false)
  await dataStreams.create('ds')
  await aliases.apply(actions({ add: { index: 'ds', alias: 'al', filter: { term: { k: 'x' } } } }))
  await rollover.rollover('ds', parseRollover(Buffer.alloc(0)), { newIndex: undefined, dryRun: false, lazy: false })
  assert.equal((await writeTargets.resolve('al', MAY_CREATE)).index.name, '.ds-ds-2024.05.17-000002')
  const targets = resolverOf(context).searchTargets(['al'], EXPAND_OPEN)
  assert.deepEqual(
    targets.map(({ filters }) => filters),
    [[{ term: { k: 'x' } }], [{ term: { k: 'x' } }]],
  )
  assert.deepEqual(aliases.get([], ['al'], {}).body, { ds: { aliases: { al: { filter: { term: { k: 'x' } } } } } })
  await aliases.apply(actions({ remove: { index: 'ds', alias: 'al' } }))
  assert.equal(aliases.get([], ['al'], {}).status, 404)
})

test('a name that matches a data stream template cannot become an index', async () => {
  const { indices, templates } = createServices()
  await templates.putIndexTemplate('t', template({ index_patterns: ['ds*'], data_stream: {} }), false)
  await assert.rejects(indices.create('ds1', parseIndexDefinition({})), {
    message:
      'cannot create index with name [ds1], because it matches with template [t] that creates data streams only, use create ' +
      'data stream api instead',
  })
})

test('created metadata survives a restart', async () => {
  const directory = new MemoryDirectory()
  const first = createServices(directory)
  await first.indices.create('a', parseIndexDefinition({ mappings: { properties: { k: { type: 'keyword' } } } }))
  await first.aliases.apply(actions({ add: { index: 'a', alias: 'al', filter: { term: { k: 'x' } } } }))
  const second = createServices(directory)
  assert.deepEqual(second.indices.get(['al'], {}, SHOW), first.indices.get(['al'], {}, SHOW))
})
