import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectsScriptCosts, timed, withScriptCosts } from './script-cost.ts'

const names = (scripts: readonly { readonly script: string }[]) => scripts.map(({ script }) => script).sort()

test('a search inside another one has its own costs, and the outer one collects on', () => {
  let inner: readonly { readonly script: string }[] = []
  const { scripts } = withScriptCosts(true, () => {
    timed('before', () => undefined)
    inner = withScriptCosts(true, () => timed('inside', () => undefined)).scripts
    timed('behind', () => undefined)
  })
  assert.deepEqual(names(scripts), ['before', 'behind'])
  assert.deepEqual(names(inner), ['inside'])
  assert.equal(collectsScriptCosts(), false)
})

test('the costs of a search that fails are collected no longer', () => {
  const { scripts } = withScriptCosts(true, () => {
    assert.throws(() => withScriptCosts(true, () => assert.fail()))
    timed('behind', () => undefined)
  })
  assert.deepEqual(names(scripts), ['behind'])
  assert.equal(collectsScriptCosts(), false)
})
