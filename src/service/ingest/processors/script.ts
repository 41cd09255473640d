/** script: runs a Painless script on the document. */
import { ApiError } from '../../../base/api-error.ts'
import { compile } from '../../../engine/scripts/compile-script.ts'
import { checkedScript, oneOfSourceAndId, type Script } from '../../../engine/scripts/script.ts'
import type { ConfigReader } from '../pipeline/config-reader.ts'
import { isObject } from '../pipeline/config-reader.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import '../script-api/processors.ts'

export const script: ProcessorFactory = (reader) => {
  const given = readScript(reader)
  const compiled = compile(given, 'ingest')
  if (given.id !== undefined) {
    // A stored script may be replaced after the pipeline was compiled.
    return (document) => {
      const instance = compile(given, 'ingest').newInstance({ params: given.params })
      instance.set('ctx', document.ctx)
      instance.execute()
    }
  }
  const instance = compiled.newInstance({ params: given.params })
  return (document) => {
    instance.set('ctx', document.ctx)
    instance.execute()
  }
}

function readScript(reader: ConfigReader): Script {
  const source = reader.take('source') ?? reader.take('inline')
  const id = reader.take('id')
  const lang = reader.optionalString('lang')
  const params = reader.optionalMap('params')
  const options = reader.optionalMap('options')
  if (source !== undefined && id !== undefined) {
    const shown = `[1:20] [script] failed to parse field [source]`
    throw new ApiError(400, 'x_content_parse_exception', shown, { causedBy: oneOfSourceAndId() })
  }
  return checkedScript({
    source: isObject(source) ? JSON.stringify(source) : (source as string | undefined),
    id: id as string | undefined,
    lang,
    params: params ?? {},
    options: (options ?? {}) as Record<string, string>,
  })
}
