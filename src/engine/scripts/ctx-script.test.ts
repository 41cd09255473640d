import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJson } from '../../base/json/json-writer.ts'
import { fromJava } from '../painless/index.ts'
import { type Ctx, javaSource, runUpdateScript } from './ctx-script.ts'
import { inlineScript, type Script } from './script.ts'

const sourceOf = (text: string) => javaSource(Buffer.from(text))
const textOf = (value: unknown) => Buffer.from(encodeJson(value)).toString()

/** What a script leaves, as plain values. */
function updated(script: Script, ctx: Ctx) {
  const { op, source } = runUpdateScript(script, ctx)
  return { op, source: fromJava(source) }
}

const script = (source: string, params: Record<string, unknown> = {}): Script => ({ ...inlineScript(source), params })

test('a source read for a script is written again as it was, with its decimals and the order of its members', () => {
  const text =
    '{"b":1,"a":[1.0,2.5,-0.0,1e300,"x\\n\\u00e9",[],{}],"z":9007199254740993,"n":null,"t":true,"f":false,"__proto__":{"c":3000000000}}'
  const written = textOf(fromJava(sourceOf(text)))
  assert.equal(written, text.replace('1e300', '1.0E300').replace('\\u00e9', 'é'))
})

test('a source read for a script has the Java types of its numbers', () => {
  const names = ['i', 'l', 'd', 'w']
  const { source } = updated(
    script(
      'for (name in params.names) { def v = ctx._source[name]; ctx._source[name] = v instanceof Integer ? "Integer" : v instanceof Long ? "Long" : v instanceof Double ? "Double" : "?" }',
      { names },
    ),
    { op: 'index', _source: sourceOf('{"i":1,"l":3000000000,"d":1.5,"w":2.0}') },
  )
  assert.deepEqual(source, { i: 'Integer', l: 'Long', d: 'Double', w: 'Double' })
})

test('one script that changes several documents leaves each its own source', () => {
  const adding = script('ctx._source.n += params.by; if (ctx._source.n > 10) { ctx.op = "delete" }', { by: 5 })
  const results = [1, 2, 8].map((n) => updated(adding, { op: 'index', _source: sourceOf(`{"n":${n}}`) }))
  assert.deepEqual(results, [
    { op: 'index', source: { n: 6 } },
    { op: 'index', source: { n: 7 } },
    { op: 'delete', source: { n: 13 } },
  ])
})

test('a list among the parameters that a script changes is as given for the next document', () => {
  const adding = script('params.list.add(ctx._source.n); ctx._source.list = params.list', { list: [0] })
  const sources = [1, 2].map((n) => updated(adding, { op: 'index', _source: sourceOf(`{"n":${n}}`) }).source)
  assert.deepEqual(sources, [
    { n: 1, list: [0, 1] },
    { n: 2, list: [0, 2] },
  ])
})
