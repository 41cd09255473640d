import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSearch } from '../running/running-search.ts'
import { hasRunScript, noteScriptRun } from './script-use.ts'

const refuseScript = (): never => {
  throw new Error('refused')
}

test('a script that runs in a search is noted in this search only', () => {
  inSearch({}, () => {
    noteScriptRun()
    assert.equal(hasRunScript(), true)
  })
  inSearch({}, () => assert.equal(hasRunScript(), false))
})

test('a search inside of another one is a part of it', () => {
  inSearch({}, () => {
    inSearch({}, noteScriptRun)
    assert.equal(hasRunScript(), true)
    inSearch({}, () => assert.equal(hasRunScript(), true))
  })
})

test('a search that refuses scripts fails before one runs, as does a search inside it, and the next one may run them', () => {
  inSearch({ refuseScript }, () => {
    assert.throws(noteScriptRun, /refused/)
    assert.throws(() => inSearch({}, noteScriptRun), /refused/)
    assert.equal(hasRunScript(), false)
  })
  inSearch({}, noteScriptRun)
})

test('a script that runs is noted for the columns that the request lists', () => {
  let runs = 0
  const columns = { add: () => {}, scriptRuns: () => void runs++ }
  inSearch({ columns }, () => inSearch({ columns: undefined }, noteScriptRun))
  assert.equal(runs, 0)
  inSearch({ columns }, () => inSearch({}, noteScriptRun))
  assert.equal(runs, 1)
})
