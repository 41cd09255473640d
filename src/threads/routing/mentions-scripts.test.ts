import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsScripts } from './mentions-scripts.ts'

const mentions = (body: string) => mentionsScripts(Buffer.from(body).toString('latin1'))

test('every member that holds a script counts as a mention', () => {
  for (const name of [
    'script',
    '_script',
    'script_fields',
    'script_score',
    'scripted_metric',
    'bucket_script',
    'runtime_mappings',
  ])
    assert.ok(mentions(`{"x":{"${name}":{}}}`), name)
})

test('a field whose name contains the word is no mention', () => {
  assert.ok(!mentions('{"query":{"match":{"description":"a"}}}'))
  assert.ok(!mentions('{"query":{"term":{"transcripts":"a"}}}'))
})

test('a name with an escaped letter counts as a mention', () => {
  assert.ok(mentions('{"\\u0073cript":{}}'))
})

test('bodies that are not JSON objects count as a mention wherever the word is', () => {
  assert.ok(mentions('script_fields: {}'))
  assert.ok(mentions(' {"script":{}}'))
})
