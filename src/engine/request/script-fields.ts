/** `script_fields`: values of hits computed by scripts. */
import { END_OBJECT, START_OBJECT } from '../../base/json/json-reader.ts'
import type { Script } from '../scripts/script.ts'
import type { RequestReader } from './request-reader.ts'
import { readScript } from './script.ts'

export interface ScriptField {
  readonly name: string
  readonly script: Script
  /** Whether a hit for which the script fails omits the field. */
  readonly ignoreFailure: boolean
}

/** Reads the object at the current token. */
export function readScriptFields(reader: RequestReader): ScriptField[] {
  const fields: ScriptField[] = []
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    reader.next()
    if (!reader.is(START_OBJECT)) {
      throw reader.parsingError(`Expected [START_OBJECT] in [${name}] but found [${reader.tokenName}]`)
    }
    let script: Script | undefined
    let ignoreFailure = false
    while (reader.next() !== END_OBJECT) {
      const member = reader.name
      reader.next()
      if (member === 'script' && (reader.isValue || reader.is(START_OBJECT))) script = readScript(reader)
      else if (member === 'ignore_failure' && reader.isValue) ignoreFailure = reader.boolean()
      else throw reader.unknownKey(member)
    }
    if (script !== undefined) fields.push({ name, script, ignoreFailure })
  }
  return fields
}
