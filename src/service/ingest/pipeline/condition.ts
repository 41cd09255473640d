/** The option `if` of a processor: a Painless script that is evaluated for each document. */
import { compile } from '../../../engine/scripts/compile-script.ts'
import type { Script } from '../../../engine/scripts/script.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import { readOnlyView } from '../document/read-only-view.ts'
import type { Condition } from './step.ts'

const CONTEXT = 'processor_conditional'

/** Compiles a condition. Throws a script_exception. */
export function compileCondition(script: Script): Condition {
  const compiled = compile(script, CONTEXT)
  const { source } = compiled
  if (script.id !== undefined) return { source, holds: (document) => holdsStored(script, document) }
  const instance = compiled.newInstance({ params: script.params })
  return {
    source,
    holds: (document) => {
      instance.set('ctx', readOnlyView(document.ctx))
      return document.budget.script(() => instance.execute()) === true
    },
  }
}

/** Compiled for each document, because the stored script may have been replaced since the pipeline was compiled. */
function holdsStored(script: Script, document: IngestDocument): boolean {
  const instance = compile(script, CONTEXT).newInstance({ params: script.params })
  instance.set('ctx', readOnlyView(document.ctx))
  return document.budget.script(() => instance.execute()) === true
}
