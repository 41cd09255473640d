/** Runs recorded snippets of Ruby in the interpreter of the ruby filter, and tells which give something else than real Ruby did. */
import '../../src/pipeline/ruby/filter-runtime.ts'
import { rubyErrorOf } from '../../src/pipeline/ruby/compile/control.ts'
import { output } from '../../src/pipeline/ruby/core/kernel.ts'
import { compileProgram } from '../../src/pipeline/ruby/interpreter.ts'
import { nameOf, ObjectClass } from '../../src/pipeline/ruby/runtime/classes.ts'
import { inspect } from '../../src/pipeline/ruby/runtime/dispatch.ts'
import { resetLimits } from '../../src/pipeline/ruby/runtime/limits.ts'
import { RObject } from '../../src/pipeline/ruby/runtime/model.ts'
import { RubySyntaxError } from '../../src/pipeline/ruby/syntax/ast.ts'

export interface Recorded {
  readonly code: string
  readonly value?: string
  readonly error?: string
}

export function recordings(text: string): Recorded[] {
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

export function differences(list: readonly Recorded[]): string[] {
  output.write = () => undefined
  return list.flatMap(({ code, value, error }) => {
    const expected = error === undefined ? value! : `raises ${error}`
    const actual = outcome(code)
    return actual === expected ? [] : [`${code} => ${actual}, Ruby: ${expected}`]
  })
}
