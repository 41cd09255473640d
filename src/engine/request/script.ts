/**
 * Parses scripts in request bodies: the source alone, or an object with `source` or `id`, `lang`, `params` and
 * `options`.
 */

import { type JsonToken, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { newMembers } from '../../base/json/members.ts'
import { checkedScript, inlineScript, JSON_SOURCE, oneOfSourceAndId, type Script } from '../scripts/script.ts'
import { ACCEPTS_OBJECT, ACCEPTS_STRING, type MemberParser, type RequestReader } from './request-reader.ts'

export const ACCEPTS_SCRIPT: readonly JsonToken[] = [START_OBJECT, STRING]

/** Reads the script at the current token. */
export function readScript(reader: RequestReader): Script {
  if (reader.is(STRING)) return inlineScript(reader.text())
  let source: string | undefined
  let id: string | undefined
  let lang: string | undefined
  let params: Record<string, unknown> = newMembers()
  let options: Record<string, string> = newMembers()
  const checkOne = () => {
    if (source !== undefined || id !== undefined) throw oneOfSourceAndId()
  }
  const sourceMember: MemberParser = {
    accepts: ACCEPTS_SCRIPT,
    parse: () => {
      checkOne()
      const isObject = reader.is(START_OBJECT)
      source = isObject ? Buffer.from(encodeJson(reader.value())).toString() : reader.text()
      if (isObject) options = { ...options, ...JSON_SOURCE }
    },
  }
  reader.parseObject('script', {
    source: sourceMember,
    // The old names of the member.
    inline: sourceMember,
    id: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        checkOne()
        id = reader.text()
      },
    },
    lang: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        lang = reader.text()
      },
    },
    options: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        const given = Object.entries(reader.value() as Record<string, unknown>)
        options = { ...options, ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
      },
    },
    params: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        params = reader.decimalValue() as Record<string, unknown>
      },
    },
  })
  return checkedScript({ source, id, lang, params, options })
}

/** A member with a script. */
export const scriptMember = (reader: RequestReader, set: (script: Script) => void): MemberParser => ({
  accepts: ACCEPTS_SCRIPT,
  parse: () => set(readScript(reader)),
})
