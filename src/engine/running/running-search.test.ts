import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssertionFailure } from '../../base/assert.ts'
import { ensureNoSearch, inSearch, type RunningSearch, runningSearch } from './running-search.ts'

type State = Omit<RunningSearch, 'progress'>

const stateOf = ({ progress: _, ...state }: RunningSearch): State => state

/** A state in which every member differs from that of another name and from that outside of searches. */
const fullState = (index: string): State => ({
  guard: { isOver: () => false },
  scripts: { stored: () => undefined, settings: {} as never, indexName: index, forIndex: () => assert.fail() },
  refuseScript: () => assert.fail(index),
  scriptCosts: new Map([[index, 1]]),
  columns: { add: () => {}, scriptRuns: () => {} },
  filters: { index, counted: undefined },
  countsUsage: true,
})

test('a search sees the state that it was given, and the state before it is back afterwards', () => {
  const idle = runningSearch()
  const state = fullState('outer')
  inSearch(state, () => {
    const outer = runningSearch()
    assert.deepEqual(stateOf(outer), state)
    for (const name of Object.keys(state) as (keyof State)[]) {
      const other = fullState('inner')
      inSearch({ [name]: other[name] }, () =>
        assert.deepEqual(stateOf(runningSearch()), { ...state, [name]: other[name] }),
      )
      inSearch({ [name]: undefined }, () => assert.equal(runningSearch()[name], undefined))
      assert.equal(runningSearch(), outer)
    }
  })
  assert.equal(runningSearch(), idle)
  assert.ok(Object.values(stateOf(idle)).every((value) => !value))
})

test('a search that fails, at any depth, restores the state of the one around it', () => {
  const idle = runningSearch()
  const failing = () => inSearch(fullState('inner'), () => assert.fail('in the inner search'))
  inSearch(fullState('outer'), () => {
    const outer = runningSearch()
    assert.throws(failing, /in the inner search/)
    assert.equal(runningSearch(), outer)
    assert.deepEqual(runningSearch().filters, { index: 'outer', counted: undefined })
  })
  assert.throws(() => inSearch(fullState('outer'), failing), /in the inner search/)
  assert.equal(runningSearch(), idle)
})

test('searches inside a search share its progress, and the next search has its own', () => {
  const first = inSearch({}, () => {
    const { progress } = runningSearch()
    inSearch({}, () => assert.equal(runningSearch().progress, progress))
    return progress
  })
  inSearch({}, () => assert.notEqual(runningSearch().progress, first))
})

test('a search that waits is a type error', () => {
  const wait = async () => {}
  const mayWait = (): number | Promise<number> => 1
  const refused: (() => unknown)[] = [
    // @ts-expect-error: its result is a promise.
    () => inSearch({}, wait),
    // @ts-expect-error: its result may be a promise.
    () => inSearch({}, mayWait),
  ]
  assert.throws(refused[0]!, AssertionFailure)
})

test('a search that waits fails in spite of its type, and leaves nothing behind for what runs meanwhile', async () => {
  const idle = runningSearch()
  let seen: RunningSearch | undefined
  const waiting = async (): Promise<number> => {
    await undefined
    seen = runningSearch()
    throw new Error('reported by nobody')
  }
  assert.throws(() => inSearch(fullState('waits'), waiting as () => unknown), {
    name: 'AssertionFailure',
    message: 'broken assumption: a search never waits',
  })
  assert.equal(runningSearch(), idle)
  await new Promise(setImmediate)
  assert.equal(seen, idle)
})

test('a request that begins inside a search fails', () => {
  ensureNoSearch()
  assert.throws(() => inSearch({}, ensureNoSearch), AssertionFailure)
})
