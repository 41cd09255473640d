/** Reads the script of a definition, with the same checks and error positions as in request bodies. */
import { encodeJson } from '../../../base/json/json-writer.ts'
import { RequestReader } from '../../../engine/request/request-reader.ts'
import { readScript as readRequestScript } from '../../../engine/request/script.ts'
import { inlineScript, type Script } from '../../../engine/scripts/script.ts'
import type { Config } from './config-reader.ts'

/** Positions in errors refer to the options as JSON on one line, as in Elasticsearch. */
export function readScript(given: string | Config): Script {
  if (typeof given === 'string') return inlineScript(given)
  const reader = new RequestReader(encodeJson(given))
  reader.next()
  return readRequestScript(reader)
}
