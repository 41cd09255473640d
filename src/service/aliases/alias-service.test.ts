import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { createServices } from '../fixtures/services-fixture.ts'
import { parseIndexTemplate } from '../templates/template-parser.ts'
import { parseAliasActions } from './alias-actions.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const actions = (...list: unknown[]) => parseAliasActions(json({ actions: list }))

/** Indices `a` and `b` with the aliases `x`, `x1` (both) and `y` (b), and the data stream `s`. */
async function prepared() {
  const services = createServices()
  const { indices, templates, dataStreams, aliases } = services
  for (const name of ['a', 'b']) await indices.create(name, parseIndexDefinition({}))
  const template = parseIndexTemplate(json({ index_patterns: ['s'], data_stream: {} }))
  await templates.putIndexTemplate('t', template, false)
  await dataStreams.create('s')
  await aliases.apply(
    actions({ add: { indices: ['a', 'b'], aliases: ['x', 'x1'] } }, { add: { index: 'b', alias: 'y', filter: {} } }),
  )
  return services
}

test('aliases are selected by name and pattern, and excluded after a wildcard', async () => {
  const { aliases } = await prepared()
  const get = (...names: string[]) => {
    const { status, body } = aliases.get(['a', 'b'], names, {})
    const shown = Object.entries(body).filter(([, value]) => typeof value === 'object')
    const named = shown.map(([index, value]) => `${index}:${Object.keys((value as { aliases: object }).aliases)}`)
    return [status, ...named, ...(status === 404 ? [body['error']] : [])].join(' ')
  }
  assert.equal(get(), '200 a:x,x1 b:x,x1,y')
  assert.equal(get('x'), '200 a:x b:x')
  assert.equal(get('x*'), '200 a:x,x1 b:x,x1')
  assert.equal(get('x*', '-x1'), '200 a:x b:x')
  assert.equal(get('*', '-x*'), '200 b:y')
  assert.equal(get('y', 'n', 'm'), '404 b:y aliases [m,n] missing')
  assert.equal(get('-x1'), '404 alias [-x1] missing')
  assert.equal(get('n*'), '200')
})

test('a removed alias must exist if the action says so, and otherwise one action must remove something', async () => {
  const { aliases, store } = await prepared()
  const before = store.state
  await assert.rejects(aliases.apply(actions({ remove: { index: 'a', alias: 'y' } })), { status: 404 })
  await assert.rejects(
    aliases.apply(
      actions({ remove: { index: 'a', alias: 'x' } }, { remove: { index: 'a', alias: 'n', must_exist: true } }),
    ),
    { message: 'aliases [n] missing' },
  )
  assert.equal(store.state, before, 'a failed list changes nothing')
  const answer = await aliases.apply(
    actions({ remove: { index: 'a', alias: 'x' } }, { remove: { index: 'a', alias: 'n' } }),
  )
  assert.deepEqual(answer['errors'], true)
  const [done, failed] = answer['action_results'] as Record<string, unknown>[]
  assert.deepEqual(done, { action: { type: 'remove', indices: ['a'], aliases: ['x'] }, status: 200 })
  assert.equal(failed!['status'], 404)
  assert.equal(aliases.exists(['a'], ['x'], {}), false)
  assert.equal(aliases.exists(['b'], ['x'], {}), true)
})

test('an alias is hidden on all of its indices or on none', async () => {
  const { aliases } = await prepared()
  await assert.rejects(aliases.apply(actions({ add: { index: 'a', alias: 'y', is_hidden: true } })), {
    type: 'illegal_state_exception',
    message:
      'alias [y] has is_hidden set to true on indices [a] but does not have is_hidden set to true on indices [b]; ' +
      'alias must have the same is_hidden setting on all indices',
  })
  await aliases.apply(actions({ add: { indices: ['a', 'b'], alias: 'h', is_hidden: true } }))
  assert.equal(aliases.exists(['a', 'b'], ['h'], {}), true)
})

test('an alias of a data stream has neither routing nor is_hidden, and streams do not mix with indices', async () => {
  const { aliases, store } = await prepared()
  const add = (options: object) => aliases.apply(actions({ add: { alias: 'z', ...options } }))
  await assert.rejects(add({ index: 's', routing: 'r' }), {
    message: "aliases that point to data streams don't support routing",
  })
  await assert.rejects(add({ index: 's', is_hidden: true }), {
    message: "aliases that point to data streams don't support is_hidden",
  })
  await assert.rejects(add({ indices: ['s', 'a'] }), {
    message: 'expressions [s, a] that match with both data streams and regular indices are disallowed',
  })
  await add({ index: 's' })
  assert.deepEqual(Object.keys(store.state.dataStream('s')!.aliases!), ['z'])
  await aliases.apply(actions({ remove: { index: 's', alias: 'z' } }))
  assert.deepEqual(store.state.dataStream('s')!.aliases, {})
})

test('a removed index frees its name for an alias of the same list, and cannot get an alias in it', async () => {
  const { aliases, store, host } = await prepared()
  await assert.rejects(aliases.apply(actions({ remove_index: { index: 'b' } }, { add: { index: 'b', alias: 'n' } })), {
    type: 'index_not_found_exception',
  })
  assert.notEqual(store.state.index('b'), undefined)
  await aliases.apply(actions({ remove_index: { index: 'b' } }, { add: { index: 'a', alias: 'b' } }))
  assert.equal(store.state.index('b'), undefined)
  assert.equal(store.state.alias('b')!.indices[0]!.name, 'a')
  assert.ok(host.calls.includes('delete 0'))
})
