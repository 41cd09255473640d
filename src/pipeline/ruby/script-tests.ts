/** The `test` blocks of script files. They run when the pipeline starts; a failing test prevents the start. */

import { eventOf, REvent } from './logstash/event.ts'
import type { ScriptContext } from './logstash/filter-object.ts'
import { truthy } from './runtime/dispatch.ts'
import { RHash } from './runtime/hash.ts'
import type { Value } from './runtime/model.ts'
import { filtered, RubyCodeError } from './script-call.ts'

export function runScriptTests(script: ScriptContext, path: string, register: (parameters: RHash) => void): void {
  for (const test of script.tests) {
    register(test.parameters instanceof RHash ? test.parameters : new RHash())
    const events = inputs(test.input).map((hash) => new REvent(eventOf(hash)))
    const results = events.flatMap((event) => filtered(script, event))
    for (const { name, block } of test.expectations) {
      if (truthy(block.call([results], null))) continue
      throw new RubyCodeError(`Error during test of '${path}': ***TEST FAILURE FOR: '${test.name} ${name}'***`)
    }
  }
}

function inputs(value: Value): RHash[] {
  if (value instanceof RHash) return [value]
  return Array.isArray(value) ? value.filter((item): item is RHash => item instanceof RHash) : []
}
