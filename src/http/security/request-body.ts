/** The body of a request as handlers see it: JSON, whatever its format, and also from the `source` parameter. */
import { JsonReader } from '../../base/json/json-reader.ts'
import type { IncomingRequest } from '../dispatcher.ts'
import { toJsonBytes } from '../formats/body-formats.ts'
import { formatOf, negotiate } from '../formats/media-types.ts'
import type { QueryParameters } from '../query-parameters.ts'

/** Undefined if there is no body or its format is unsupported. The bytes are a copy, because readers unescape in place. */
export function bodyOf(incoming: IncomingRequest, query: QueryParameters, strict: boolean): Buffer | undefined {
  const { headers, body } = incoming
  if (body.length === 0) {
    const source = query.string('source')
    const type = query.string('source_content_type')
    const format = type === undefined ? undefined : formatOf(type)
    return source === undefined || format === undefined ? undefined : toJsonBytes(Buffer.from(source), format)
  }
  const { bodyFormat } = negotiate(headers['content-type'], headers.accept, { hasBody: true, strict })
  return bodyFormat === undefined ? undefined : toJsonBytes(Buffer.from(body), bodyFormat)
}

/** Parses the first JSON value of a body. */
export function parseBody(body: Uint8Array): unknown {
  const reader = new JsonReader().reset(Uint8Array.from(body))
  reader.next()
  return reader.value()
}
