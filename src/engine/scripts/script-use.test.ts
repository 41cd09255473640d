import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasRunScript, inSearch, noteScriptRun } from './script-use.ts'

const refusal = (): never => {
  throw new Error('refused')
}

test('a script that runs in a search is noted until the next search begins', () => {
  inSearch(undefined, noteScriptRun)
  assert.equal(hasRunScript(), true)
  inSearch(undefined, () => assert.equal(hasRunScript(), false))
  assert.equal(hasRunScript(), false)
})

test('a search inside of another one is a part of it', () => {
  inSearch(undefined, () => {
    noteScriptRun()
    inSearch(undefined, () => {})
    assert.equal(hasRunScript(), true)
  })
})

test('a search that refuses scripts fails before one runs, and the next search may run them', () => {
  assert.throws(() => inSearch(refusal, noteScriptRun), /refused/)
  assert.equal(hasRunScript(), false)
  inSearch(undefined, noteScriptRun)
  assert.equal(hasRunScript(), true)
})
