/**
 * The pipeline tool for trials in the console. It is loaded with the first trial, so that other services do not pay for
 * it.
 */
import type { JsonValue } from '../../base/json/json-writer.ts'
import type { PipelineWorkbench } from '../../http/pipeline-workbench.ts'
import type { Workbench } from '../../pipeline/workbench/workbench.ts'

export function lazyWorkbench(): PipelineWorkbench {
  const load = () => import('../../pipeline/workbench/workbench.ts')
  let workbench: Workbench | undefined
  const opened = async () => (workbench ??= new (await load()).Workbench())
  return {
    tryGrok: async (grok) => (await (await opened()).run({ grok })) as JsonValue,
    tryConfig: async (config) => (await (await opened()).run({ config })) as JsonValue,
    running: async (port) => (await (await load()).runningPipelines(port)) as JsonValue,
  }
}
