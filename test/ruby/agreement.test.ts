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

test('snippets written by hand give what real Ruby gives, in at least 99 of 100', () => {
  const list = read('written.jsonl')
  const found = differences(list)
  assert.ok(list.length >= 300)
  assert.ok(found.length <= list.length / 100, found.join('\n'))
})

test('random snippets give what real Ruby gives, in at least 99 of 100', () => {
  const list = read('random.jsonl')
  const found = differences(list)
  assert.ok(list.length >= 2000)
  assert.ok(found.length <= list.length / 100, found.join('\n'))
})
