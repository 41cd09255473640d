/** `wrapper`: a query in base64, for tools that pass it through places where JSON does not fit. */
import { END_OBJECT, FIELD_NAME, STRING } from '../../../base/json/json-reader.ts'
import { RequestReader } from '../../request/request-reader.ts'
import type { QueryClause } from '../clause.ts'

export const wrapperClause: QueryClause = {
  name: 'wrapper',
  parse(reader, inner) {
    if (reader.next() !== FIELD_NAME) throw reader.parsingError('[wrapper] query malformed')
    if (reader.name !== 'query') {
      throw reader.parsingError(`[wrapper] query malformed, expected \`query\` but was ${reader.name}`)
    }
    reader.next()
    const bytes = decodeBase64(reader)
    if (reader.next() !== END_OBJECT) throw reader.parsingError('[wrapper] query malformed')
    const wrapped = new RequestReader(bytes)
    wrapped.next()
    return inner(wrapped)
  },
}

function decodeBase64(reader: RequestReader): Uint8Array {
  if (!reader.is(STRING)) {
    throw reader.contentError(
      `Current token (${reader.tokenName}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary`,
    )
  }
  const text = reader.text()
  const illegal = /[^A-Za-z0-9+/=\s]/.exec(text)?.[0]
  if (illegal === undefined) return Buffer.from(text, 'base64')
  const code = illegal.charCodeAt(0).toString(16)
  throw reader.contentError(
    `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): Illegal character '${illegal}' (code 0x${code}) in ` +
      'base64 content',
  )
}
