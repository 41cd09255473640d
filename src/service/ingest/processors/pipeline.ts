/** pipeline: runs another pipeline. */
import { ApiError } from '../../../base/api-error.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import { calledPipelines, type Processor, type ProcessorFactory } from '../pipeline/processor.ts'
import { runPipeline } from '../pipeline/step.ts'

export const pipeline: ProcessorFactory = (reader, around) => {
  const name = reader.text('name')
  const ignoresMissing = reader.boolean('ignore_missing_pipeline', false)
  const called = (document: IngestDocument) => around.pipeline(name.render(document))
  const run: Processor = (document) => {
    const found = called(document)
    if (found !== undefined) runPipeline(found, document)
    else if (!ignoresMissing) {
      const reason = `Pipeline processor configured for non-existent pipeline [${name.render(document)}]`
      throw new ApiError(400, 'illegal_state_exception', reason)
    }
  }
  calledPipelines.set(run, called)
  return run
}
