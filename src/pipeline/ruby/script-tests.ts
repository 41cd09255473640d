/** The `test` blocks of script files. They run when the pipeline starts; a failing test prevents the start. */

import { eventOf, REvent } from './logstash/event.ts'
import type { ScriptContext } from './logstash/filter-object.ts'
import { truthy } from './runtime/dispatch.ts'
import { RHash } from './runtime/hash.ts'
import type { Value } from './runtime/model.ts'
import { filtered, RubyCodeError } from './script-call.ts'

/** What a thrown value says about the code; undefined for an error that is not the code's. */
type RaisedBy = (thrown: unknown) => { className: string; message: string; line: number } | undefined

export function runScriptTests(
  script: ScriptContext,
  path: string,
  raisedBy: RaisedBy,
  register: (parameters: RHash) => void,
): void {
  const reported = <T>(name: string, run: () => T): T => reportingErrors(`'${path}': '${name}'`, raisedBy, run)
  for (const test of script.tests) {
    register(test.parameters instanceof RHash ? test.parameters : new RHash())
    const events = inputs(test.input).map((hash) => new REvent(eventOf(hash)))
    const results = reported(test.name, () => events.flatMap((event) => filtered(script, event)))
    for (const { name, block } of test.expectations) {
      if (reported(`${test.name} ${name}`, () => truthy(block.call([results], null)))) continue
      throw new RubyCodeError(`Error during test of '${path}': ***TEST FAILURE FOR: '${test.name} ${name}'***`)
    }
  }
}

/** What the code of a test raises is the reason why the configuration is refused. */
function reportingErrors<T>(what: string, raisedBy: RaisedBy, run: () => T): T {
  try {
    return run()
  } catch (thrown) {
    const raised = raisedBy(thrown)
    if (raised === undefined) throw thrown
    throw new RubyCodeError(
      `Error during test of ${what} raised ${raised.className}: ${raised.message} (line ${raised.line})`,
    )
  }
}

function inputs(value: Value): RHash[] {
  if (value instanceof RHash) return [value]
  return Array.isArray(value) ? value.filter((item): item is RHash => item instanceof RHash) : []
}
