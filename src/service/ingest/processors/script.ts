/** script: runs a Painless script on the document. */
import { compile } from '../../../engine/scripts/compile-script.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { readScript } from '../pipeline/read-script.ts'

export const script: ProcessorFactory = (reader) => {
  const given = readScript(reader.takeRest())
  const compiled = compile(given, 'ingest')
  if (given.id !== undefined) {
    // A stored script may be replaced after the pipeline was compiled.
    return (document) => {
      const instance = compile(given, 'ingest').newInstance({ params: given.params })
      instance.set('ctx', document.ctx)
      document.budget.script(() => instance.execute())
    }
  }
  const instance = compiled.newInstance({ params: given.params })
  return (document) => {
    instance.set('ctx', document.ctx)
    document.budget.script(() => instance.execute())
  }
}
