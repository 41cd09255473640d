/**
 * Goal: in any order of writes, refreshes, flushes, merges, restarts and power failures, a shard behaves like a simple
 * map, loses nothing that was synced, applies nothing twice, a view shows the shard at one moment, and a held view
 * never changes. This also holds while buffers are sealed concurrently. Method: random operations against a shard and a
 * model; a failing run prints its seed and shrinks.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { ApiError } from '../../base/api-error.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import { FaultyDirectory } from '../store/faulty-directory.ts'
import { LateSealer, ShardFixture, type TestDocument } from './shard-fixture.ts'
import type { PublishedView } from './view/published-view.ts'

type Step =
  | { kind: 'index'; id: string; document: TestDocument }
  | { kind: 'delete'; id: string }
  | { kind: 'sync' | 'refresh' | 'refreshBeside' | 'flush' | 'flushBeside' | 'idle' | 'reopen' | 'hold' | 'release' }
  | { kind: 'merge'; maxSegments: number }
  | { kind: 'powerCut'; keptShare: number }
  | { kind: 'cutDuringFlush'; ticks: number; keptShare: number }
  | { kind: 'fill'; bytesFree: number }
  | { kind: 'free' | 'failSync' }

interface Applied {
  readonly id: string
  readonly document: TestDocument | undefined
  readonly version: number
}

const ids = fc.integer({ min: 0, max: 12 }).map((n) => `id-${n}`)
const documents: fc.Arbitrary<TestDocument> = fc.record(
  {
    n: fc.integer({ min: -5, max: 5 }),
    k: fc.constantFrom('a', 'b', 'c', 'ä'),
    c: fc.array(
      fc.integer({ min: 0, max: 3 }).map((n) => ({ n })),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('index' as const), id: ids, document: documents }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: ids }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('sync', 'refresh', 'flush', 'idle', 'reopen', 'hold', 'release', 'free', 'failSync'),
    }) as fc.Arbitrary<Step>,
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('refreshBeside', 'flushBeside', 'idle') }) as fc.Arbitrary<Step>,
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), maxSegments: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('powerCut' as const),
      keptShare: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cutDuringFlush' as const),
      ticks: fc.integer({ min: 0, max: 40 }),
      keptShare: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('fill' as const), bytesFree: fc.integer({ min: 0, max: 1000 }) }),
  },
)

const byNumber: IndexSortField = { field: 'n', descending: true, missingFirst: false, mode: 'max' }

class Run {
  directory = new FaultyDirectory()
  shard!: ShardFixture
  /** Every operation, by number. */
  history: Applied[] = []
  synced = 0
  primaryTerm = 1
  nowMs = 0
  held: { view: PublishedView; visible: Map<string, number> } | undefined
  readonly indexSort: readonly IndexSortField[]
  readonly sealer: LateSealer | undefined

  constructor({ indexSort, sealer }: { indexSort: readonly IndexSortField[]; sealer: LateSealer | undefined }) {
    this.indexSort = indexSort
    this.sealer = sealer
  }

  async open(): Promise<void> {
    // Small tiers, so that merges happen automatically in a short run.
    const settings = {
      'index.refresh_interval': '-1',
      'index.merge.policy.segments_per_tier': '2',
      'index.merge.policy.max_merge_at_once': '2',
    }
    const { indexSort, sealer } = this
    const sizes = { bufferBytesMax: 1, asideBytesMin: 1 }
    const nowMs = () => this.nowMs
    this.shard = await ShardFixture.open(this.directory, { settings, indexSort, sealer, nowMs, ...sizes })
    this.primaryTerm = this.shard.shard.primaryTerm
  }

  model(): Map<string, Applied> {
    return new Map(this.history.map((applied) => [applied.id, applied]))
  }

  /** A full disk or a failing sync may reject any step, but must not make it do something else. */
  async step(step: Step): Promise<void> {
    try {
      await this.tryStep(step)
    } catch (error) {
      if (!isDiskError(error)) throw error
    }
    while (this.isTakingBack()) {
      await this.shard.shard.sync().catch(() => undefined)
      if (this.shard.shard.isFailed) await this.restartFailed()
    }
    this.forgetRejected()
    this.checkHeld()
    this.checkMoment()
    this.checkRealtime()
  }

  /** The shard could not remove a rejected operation from its log. The next start does. */
  async restartFailed(): Promise<void> {
    this.heal()
    const { directory } = this
    await this.powerCut(1)
    assert.equal(this.history.length, this.synced)
    directory.failingSyncs = 0
  }

  isTakingBack(): boolean {
    try {
      this.shard.get('any')
      return false
    } catch (error) {
      if (!isDiskError(error)) throw error
      return true
    }
  }

  /** If the log could not be written, operations that were not synced never happened. */
  forgetRejected(): void {
    const { shard } = this.shard
    if (shard.primaryTerm === this.primaryTerm) return
    this.primaryTerm = shard.primaryTerm
    const left = shard.maxSeqNo + 1
    assert.ok(left >= this.synced, `${left} operations are left, ${this.synced} were synced`)
    this.history.length = left
  }

  async tryStep(step: Step): Promise<void> {
    const { shard } = this.shard
    switch (step.kind) {
      case 'index':
      case 'delete': {
        const before = this.model().get(step.id)
        const document = step.kind === 'index' ? step.document : undefined
        const result = document === undefined ? this.shard.delete(step.id) : this.shard.index(step.id, document)
        assert.equal(result.existed, before?.document !== undefined)
        assert.equal(result.seqNo, this.history.length)
        // A restart may forget the version of a deleted document, but never that of a live one.
        if (before?.document !== undefined || (before !== undefined && result.version !== 1)) {
          assert.equal(result.version, before.version + 1)
        } else assert.equal(result.version, 1)
        this.history.push({ id: step.id, document, version: result.version })
        break
      }
      case 'sync':
        await shard.sync()
        this.synced = this.history.length
        break
      case 'refresh':
        await shard.refresh()
        this.checkVisible()
        break
      case 'refreshBeside':
        shard.refresh().catch(() => undefined)
        break
      case 'flushBeside':
        shard.flush().catch(() => undefined)
        break
      case 'flush':
        await shard.flush()
        this.synced = this.history.length
        this.checkVisible()
        break
      case 'merge':
        await shard.forceMerge({ maxSegments: step.maxSegments, onlyExpungeDeletes: false })
        assert.ok(shard.stats().segmentCount <= step.maxSegments)
        this.synced = this.history.length
        this.checkVisible()
        break
      case 'idle':
        // Long enough for merges to drop documents that were deleted and committed before.
        this.nowMs += 40_000
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
        break
      case 'hold':
        this.release()
        this.held = { view: shard.holdView(), visible: this.shard.visible() }
        break
      case 'release':
        this.release()
        break
      case 'reopen':
        this.heal()
        this.release()
        await shard.close()
        // A sync that failed while the shard closed rejected operations that nobody had synced.
        this.forgetRejected()
        await this.open()
        this.checkVisible()
        break
      case 'powerCut':
        this.heal()
        await this.powerCut(step.keptShare)
        break
      case 'cutDuringFlush': {
        const flushing = shard.flush().catch(() => undefined)
        for (let i = 0; i < step.ticks; i++) await Promise.resolve()
        this.heal()
        const { directory } = this
        await this.powerCut(step.keptShare)
        // The old shard closes in its own directory, which is no longer read.
        directory.failingSyncs = 0
        await flushing
        break
      }
      case 'fill':
        this.directory.bytesFree = step.bytesFree
        break
      case 'free':
        this.heal()
        break
      case 'failSync':
        this.directory.failingSyncs = 1
        break
    }
  }

  heal(): void {
    this.directory.bytesFree = Number.POSITIVE_INFINITY
    this.directory.failingSyncs = 0
  }

  async powerCut(keptShare: number): Promise<void> {
    this.held = undefined
    this.directory = this.directory.powerCut((_name, unsynced) =>
      unsynced.subarray(0, Math.round(unsynced.length * keptShare)),
    )
    await this.open()
    const survived = this.shard.shard.maxSeqNo + 1
    assert.ok(survived >= this.synced, `${survived} operations survived, ${this.synced} were synced`)
    assert.ok(survived <= this.history.length)
    this.history.length = survived
    this.synced = survived
    this.checkVisible()
  }

  checkVisible(): void {
    const living = [...this.model().values()].filter(({ document }) => document !== undefined)
    const expected = new Map(living.map(({ id, version }) => [id, version]))
    assert.deepEqual(sorted(this.shard.visible()), sorted(expected))
    assert.equal(this.shard.shard.view.liveRoots, living.length)
    for (const { reader, live, liveCount } of this.shard.shard.view.segments) {
      let count = 0
      for (let doc = 0; doc < reader.docCount; doc++) {
        if (live === undefined || ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 1) count++
      }
      assert.equal(liveCount, count)
    }
  }

  /** Searches see the state after some number of the first operations. */
  checkMoment(): void {
    const visible = sorted(this.shard.visible())
    const model = new Map<string, number>()
    for (let operations = 0; ; operations++) {
      if (isDeepStrictEqual(sorted(model), visible)) return
      assert.ok(operations < this.history.length, `no moment shows ${JSON.stringify(visible)}`)
      const { id, document, version } = this.history[operations]!
      if (document === undefined) model.delete(id)
      else model.set(id, version)
    }
  }

  checkRealtime(): void {
    for (const { id, document, version } of this.model().values()) {
      const found = this.shard.get(id)
      assert.deepEqual(this.shard.source(id), document, id)
      if (document !== undefined) assert.equal(found!.version, version)
      if (document !== undefined) assert.deepEqual(this.history[found!.seqNo]!.document, document)
    }
  }

  checkHeld(): void {
    if (this.held === undefined) return
    const { view, visible } = this.held
    const found = new Map<string, number>()
    for (const { reader, live } of view.segments) {
      for (let doc = 0; doc < reader.docCount; doc++) {
        const isLive = live === undefined || ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 1
        const isRoot = reader.nested === undefined || reader.nested.pathOf[doc] === 0
        if (isLive && isRoot) found.set(reader.id(doc), reader.version(doc))
      }
    }
    assert.deepEqual(sorted(found), sorted(visible))
  }

  release(): void {
    this.held?.view.release()
    this.held = undefined
  }
}

const isDiskError = (error: unknown) => error instanceof ApiError && (error.status === 429 || error.status === 503)

function sorted(map: Map<string, number>): [string, number][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

const slow = process.env['SANDPIPER_SLOW_TESTS'] === '1'

const shapes = {
  'without an index sort': { indexSort: [], sealer: undefined },
  'with an index sort': { indexSort: [byNumber], sealer: undefined },
  'sealing beside the writes': { indexSort: [], sealer: new LateSealer() },
  'sealing beside the writes, with an index sort': { indexSort: [byNumber], sealer: new LateSealer() },
}

for (const [name, shape] of Object.entries(shapes)) {
  test(`a shard behaves like a map, ${name}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 60 }), async (sequence) => {
        const run = new Run(shape)
        await run.open()
        for (const step of sequence) await run.step(step)
        run.heal()
        run.release()
        await run.shard.shard.close()
      }),
      { numRuns: slow ? 2000 : 60 },
    )
  })
}
