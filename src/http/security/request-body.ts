/** The body of a request as the handler is going to see it: JSON, whatever format and place it came in. */
import { JsonReader } from '../../base/json/json-reader.ts'
import type { IncomingRequest } from '../dispatcher.ts'
import { toJsonBytes } from '../formats/body-formats.ts'
import { formatOf, negotiate } from '../formats/media-types.ts'
import type { QueryParameters } from '../query-parameters.ts'

/** Undefined when there is none, or none the handler can read. The bytes are a copy: readers unescape in place. */
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

/** The first value of a body. Throws what is wrong with it. */
export function parseBody(body: Uint8Array): unknown {
  const reader = new JsonReader().reset(Uint8Array.from(body))
  reader.next()
  return reader.value()
}
