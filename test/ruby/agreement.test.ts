/**
 * Snippets that real Ruby has run (`record.rb` says how): the interpreter of the ruby filter gives the same value, or an exception of the
 * same class.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { differences, type Recorded, recordings } from './snippets-run.ts'

function read(name: string): Recorded[] {
  return recordings(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

test('at least 99 of 100 handwritten snippets have the results of real Ruby', () => {
  const list = read('written.jsonl')
  const found = differences(list)
  assert.ok(list.length >= 300)
  assert.ok(found.length <= list.length / 100, found.join('\n'))
})

test('at least 99 of 100 random snippets have the results of real Ruby', () => {
  const list = read('random.jsonl')
  const found = differences(list)
  assert.ok(list.length >= 2000)
  assert.ok(found.length <= list.length / 100, found.join('\n'))
})
