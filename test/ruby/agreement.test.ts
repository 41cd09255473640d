/**
 * Snippets that real Ruby has run (`record.rb` says how): the interpreter of the ruby filter gives the same value, or an exception of the
 * same class. The few that differ are known and listed.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import '../../src/pipeline/ruby/filter-runtime.ts'
import { rubyErrorOf } from '../../src/pipeline/ruby/compile/control.ts'
import { output } from '../../src/pipeline/ruby/core/kernel.ts'
import { compileProgram } from '../../src/pipeline/ruby/interpreter.ts'
import { nameOf, ObjectClass } from '../../src/pipeline/ruby/runtime/classes.ts'
import { inspect } from '../../src/pipeline/ruby/runtime/dispatch.ts'
import { resetLimits } from '../../src/pipeline/ruby/runtime/limits.ts'
import { RObject } from '../../src/pipeline/ruby/runtime/model.ts'
import { RubySyntaxError } from '../../src/pipeline/ruby/syntax/ast.ts'

interface Recorded {
  readonly code: string
  readonly value?: string
  readonly error?: string
}

function recordings(name: string): Recorded[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}

function outcome(code: string): string {
  resetLimits()
  try {
    const value = inspect(compileProgram(code, []).run(new RObject(ObjectClass), [], null))
    return withoutBytes(value.replace(/:0x[0-9a-f]{16}/g, ''))
  } catch (error) {
    const raised = rubyErrorOf(error)
    if (raised !== undefined) return `raises ${nameOf(raised.exception.cls)}`
    if (error instanceof RubySyntaxError) return 'raises SyntaxError'
    return `fails with ${String(error)}`
  }
}

/** Bytes that are no characters, as the recorder writes them. */
function withoutBytes(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (part) => (part.length === 2 ? part : '?'))
}

function differences(list: readonly Recorded[]): string[] {
  output.write = () => undefined
  return list.flatMap(({ code, value, error }) => {
    const expected = error === undefined ? value! : `raises ${error}`
    const actual = outcome(code)
    return actual === expected ? [] : [`${code} => ${actual}, Ruby: ${expected}`]
  })
}

test('snippets written by hand give what real Ruby gives, in at least 99 of 100', () => {
  const list = recordings('written.jsonl')
  const found = differences(list)
  assert.ok(list.length >= 300)
  assert.ok(found.length <= list.length / 100, found.join('\n'))
})

test('random snippets give what real Ruby gives, in at least 99 of 100', () => {
  const list = recordings('random.jsonl')
  const found = differences(list)
  assert.ok(list.length >= 2000)
  assert.ok(found.length <= list.length / 100, found.join('\n'))
})
