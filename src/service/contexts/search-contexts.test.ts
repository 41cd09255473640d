import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { viewLost } from '../../base/errors/shard-errors.ts'
import { silentLog } from '../../base/log.ts'
import { MemoryDirectory } from '../../engine/store/memory-directory.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { bulkOf } from '../documents/bulk-fixture.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { ContextService } from '../search/contexts/context-service.ts'
import { parseSearchBody } from '../search/request/search-request.ts'
import { SearchService } from '../search/search-service.ts'
import { SearchStatistics } from '../stats/search-counters.ts'
import { parseOpenPointInTimeBody } from './context-bodies.ts'
import { SearchContexts } from './search-contexts.ts'

const ORIGIN = { opaqueId: 'job-7', userAgent: 'curl' }
const HOUR_MS = 3_600_000

/** A node whose clock only moves when a test moves it. */
class Fixture {
  readonly clock: { nowMs: () => number; time: number }
  readonly node: SandpiperNode
  readonly directory: MemoryDirectory
  readonly statistics = new SearchStatistics()
  readonly open: SearchContexts
  readonly contexts: ContextService
  readonly search: SearchService

  private constructor(node: SandpiperNode, clock: Fixture['clock'], directory: MemoryDirectory) {
    this.node = node
    this.clock = clock
    this.directory = directory
    const context = { ...node.indexContext, clock }
    this.open = new SearchContexts({
      context,
      statistics: this.statistics,
      setting: (name) => (name === 'search.max_open_scroll_context' ? '2' : undefined),
      directory,
      log: silentLog,
    })
    this.contexts = new ContextService({ context, statistics: this.statistics }, this.open)
    this.search = new SearchService(context, this.statistics, this.open)
  }

  static async create(): Promise<Fixture> {
    const node = await SandpiperNode.open({})
    await node.indices.create('books', parseIndexDefinition({}))
    const lines = [0, 1, 2, 3, 4].flatMap((n) => [{ index: { _id: String(n) } }, { n }])
    await node.documents.bulk(bulkOf(lines, { defaultIndex: 'books' }))
    const clock = { time: 1_700_000_000_000, nowMs: () => clock.time }
    return new Fixture(node, clock, new MemoryDirectory())
  }

  openPit(keepAliveMs = HOUR_MS): Promise<string> {
    return this.contexts.openPointInTime(scopeOf('books'), keepAliveMs, ORIGIN).then(({ context }) => context.id)
  }

  async inPit(id: string): Promise<Record<string, unknown>> {
    return await this.search.search(searchOf({ pit: { id } }))
  }

  /** The number of held shards in the statistics. */
  get held(): number {
    return this.statistics.of(this.node.state.indices.get('books')!.uuid).total.openContexts
  }
}

const scopeOf = (...expressions: string[]) => ({
  expressions,
  options: EXPAND_OPEN_FORBID_CLOSED,
  routing: undefined,
  limits: undefined,
})

function searchOf(body: object, ...expressions: string[]) {
  return {
    scope: scopeOf(...expressions),
    body: parseSearchBody(Buffer.from(JSON.stringify(body))),
    allowPartialResults: true,
    totalAsInteger: false,
    globalFrequencies: false,
  }
}

function scrollOf(body: object) {
  const stored = { uri: '/books/_search', body: Buffer.from(JSON.stringify(body)) }
  return { ...searchOf(body, 'books'), scroll: { keepAliveMs: HOUR_MS, stored, origin: ORIGIN } }
}

async function rejection(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, String(error))
  return error
}

test('an unused context expires after its keep-alive time, and the error of a later request names the expiry', async () => {
  const fixture = await Fixture.create()
  const id = await fixture.openPit(60_000)
  fixture.clock.time += 50_000
  await fixture.inPit(id)
  fixture.clock.time += 50_000
  fixture.open.reap()
  assert.equal(fixture.held, 1, 'a search prolongs its time')
  fixture.clock.time += 20_000
  fixture.open.reap()
  assert.equal(fixture.held, 0)
  fixture.clock.time += 5_000
  const error = await rejection(fixture.inPit(id))
  assert.equal(error.status, 404)
  assert.equal((error.details['context'] as { state: string }).state, 'expired')
  assert.equal((error.details['context'] as { ago: string }).ago, '15s')
  assert.deepEqual(fixture.directory.list(), [], 'its files are gone')
  await fixture.node.close()
})

test("a context closed by its id gives Elasticsearch's error, one closed by others names the reason", async () => {
  const fixture = await Fixture.create()
  const own = await fixture.openPit()
  const others = await fixture.openPit()
  assert.deepEqual(fixture.contexts.closePointInTime(own), { succeeded: true, num_freed: 1, found: true })
  assert.deepEqual(fixture.contexts.closePointInTime(own), { succeeded: false, num_freed: 0, found: false })
  assert.equal(fixture.contexts.closeByOperator(others), true)
  assert.equal((await rejection(fixture.inPit(own))).details['context'], undefined)
  const error = await rejection(fixture.inPit(others))
  assert.equal((error.details['context'] as { state: string }).state, 'closed')
  await fixture.node.close()
})

test('open contexts are listed with their clients and the resources they hold', async () => {
  const fixture = await Fixture.create()
  await fixture.openPit()
  fixture.clock.time += 1000
  const { total, contexts } = fixture.contexts.describe() as { total: number; contexts: Record<string, unknown>[] }
  assert.equal(total, 1)
  const [listed] = contexts
  assert.equal(listed!['type'], 'point_in_time')
  assert.equal(listed!['opaque_id'], 'job-7')
  assert.equal(listed!['age_in_millis'], 1000)
  assert.equal(listed!['pinned_docs'], 5)
  assert.ok((listed!['pinned_bytes'] as number) > 0)
  await fixture.node.close()
})

test('the number of scrolls is limited, and closed ones make room', async () => {
  const fixture = await Fixture.create()
  const first = await fixture.search.search(scrollOf({ size: 2 }))
  await fixture.search.search(scrollOf({ size: 2 }))
  const error = await rejection(Promise.resolve(fixture.search.search(scrollOf({ size: 2 }))))
  assert.equal(error.status, 429)
  fixture.contexts.clearScrolls([first['_scroll_id'] as string])
  await fixture.search.search(scrollOf({ size: 2 }))
  assert.equal(fixture.held, 2)
  assert.deepEqual(fixture.contexts.closeAll('scroll'), { succeeded: true, num_freed: 2 })
  await fixture.node.close()
})

test('a point in time of the node itself has no files and reads its view after documents were deleted and merged', async () => {
  const fixture = await Fixture.create()
  const { node, directory } = fixture
  await fixture.openPit()
  const stored = directory.list().length
  assert.ok(stored > 0)
  const own = { ...ORIGIN, isOwn: true }
  const { context } = await fixture.contexts.openPointInTime(scopeOf('books'), HOUR_MS, own)
  assert.equal(directory.list().length, stored)
  assert.deepEqual(
    context.shards.map(({ keptName }) => keptName),
    [undefined],
  )
  await node.documents.bulk(bulkOf([{ delete: { _id: '0' } }], { defaultIndex: 'books', refresh: 'true' }))
  await node.operations.forceMerge(['books'], EXPAND_OPEN_FORBID_CLOSED, {
    maxSegments: 1,
    onlyExpungeDeletes: false,
    flush: true,
  })
  const { hits } = (await fixture.inPit(context.id)) as { hits: { total: unknown } }
  assert.deepEqual(hits.total, { value: 5, relation: 'eq' })
  fixture.contexts.closePointInTime(context.id)
  assert.equal(directory.list().length, stored)
  await node.close()
})

test('a context loses the shards of a closed index, even if the index is reopened', async () => {
  const fixture = await Fixture.create()
  const id = await fixture.openPit()
  await fixture.node.indices.close(scopeOf('books').expressions, EXPAND_OPEN_FORBID_CLOSED)
  assert.equal(fixture.held, 0)
  await fixture.node.indices.open(scopeOf('books').expressions, EXPAND_OPEN_FORBID_CLOSED)
  assert.equal((await rejection(fixture.inPit(id))).status, 404)
  await fixture.node.close()
})

// Goal: opening a context over several indices does not fail if one of them is deleted or reopened at that moment.
for (const [change, isReopened] of [
  ['deleted', false],
  ['closed and opened again', true],
] as const)
  test(`a context opened while one of its indices is ${change} loses that index and keeps the others`, async () => {
    const fixture = await Fixture.create()
    const { indices, indexContext } = fixture.node
    await indices.create('gone', parseIndexDefinition({}))
    const { host } = indexContext.shards
    const keeper = host.keeper!
    const gone = fixture.node.state.indices.get('gone')!
    const keep: typeof keeper.keep = async (lease) => {
      if (isReopened) {
        // The new shard does not have the view.
        if (lease.key.indexUuid === gone.uuid) throw viewLost({ index: 'gone', indexUuid: gone.uuid, shard: 0 })
      } else if (fixture.node.state.indices.has('gone')) await indices.delete(['gone'], EXPAND_OPEN_FORBID_CLOSED)
      return await keeper.keep(lease)
    }
    Object.defineProperty(host, 'keeper', { value: { ...keeper, keep } })
    const { context } = await fixture.contexts.openPointInTime(scopeOf('books', 'gone'), HOUR_MS, ORIGIN)
    assert.deepEqual(
      context.shards.map(({ indexName, lease }) => [indexName, lease !== undefined]),
      [
        ['books', true],
        ['gone', false],
      ],
    )
    const { hits, _shards } = (await fixture.inPit(context.id)) as { hits: { total: unknown }; _shards: unknown }
    assert.deepEqual(hits.total, { value: 5, relation: 'eq' })
    assert.equal((_shards as { failed: number }).failed, 1)
    await fixture.node.close()
  })

test('four hundred contexts use little memory', async () => {
  const fixture = await Fixture.create()
  const before = process.memoryUsage()
  for (let i = 0; i < 400; i++) await fixture.openPit()
  const after = process.memoryUsage()
  const grown = after.heapUsed + after.external - before.heapUsed - before.external
  assert.ok(grown < 20 * 1024 * 1024, `${grown} bytes`)
  assert.equal(fixture.held, 400)
  await fixture.node.close()
})

test('a point in time omits the shards that its filter excludes', async () => {
  const fixture = await Fixture.create()
  await fixture.node.indices.create('empty', parseIndexDefinition({}))
  const filter = parseOpenPointInTimeBody(Buffer.from('{"index_filter":{"range":{"n":{"gte":1}}}}'))
  const { context, shards } = await fixture.contexts.openPointInTime(scopeOf('*'), HOUR_MS, ORIGIN, filter)
  assert.deepEqual(
    context.shards.map(({ indexName }) => indexName),
    ['books'],
  )
  assert.deepEqual([shards['total'], shards['successful'], shards['skipped']], [2, 2, 1])
})
