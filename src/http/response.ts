/**
 * The response of a handler and its encoding: format, layout, filter.
 *
 *   { status: 200, body: { acknowledged: true } }        JSON (or YAML, CBOR, as requested)
 *   { status: 200, body: new RawJson(bytes) }             encoded JSON, passed on unchanged
 *   { status: 200, text: 'green\n' }                      a cat table
 *   { status: 404 }                                       no body, for HEAD requests
 */

import { type PathFilter, prettyJson } from '../base/json/filter-path.ts'
import { encodeResponse, type JsonValue, RawJson } from '../base/json/json-writer.ts'
import { borrowed, type LentBytes, lentBytes } from '../base/memory/lent-bytes.ts'
import { jsonToCbor } from './formats/cbor.ts'
import type { Format } from './formats/media-types.ts'
import { jsonToYaml } from './formats/yaml-writer.ts'
import { withTypes } from './version-7/typed-answers.ts'

export interface HttpResponse {
  readonly status: number
  readonly body?: JsonValue
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** An error: sent completely, regardless of `filter_path`. */
  readonly isError?: boolean
  /** Called when the response was handed to the system completely. */
  readonly onSent?: (() => void) | undefined
  /** Texts of `Warning` headers, for deprecated features that still work. */
  readonly warnings?: readonly string[]
}

/** The layout that the client requests. */
export interface AnswerStyle {
  readonly format: Format
  readonly pretty: boolean
  readonly filter: PathFilter | undefined
  /** The client reads the answers of Elasticsearch 7, where documents have a `_type`. */
  readonly addsTypes?: boolean
}

export function encodeBody(body: JsonValue, style: AnswerStyle): LentBytes {
  let json = body instanceof RawJson ? asBuffer(body.bytes) : borrowed(encodeResponse(body))
  if (style.addsTypes === true) json = withTypes(json)
  if (style.filter !== undefined || (style.pretty && style.format === 'json')) {
    const text = json.toString('utf8')
    const pretty = style.pretty && style.format === 'json'
    json = Buffer.from(style.filter === undefined ? prettyJson(text) : style.filter.apply(text, pretty))
  } else if (style.format !== 'json' && body instanceof RawJson) json = Buffer.from(json)

  switch (style.format) {
    case 'yaml':
      return lentBytes(Buffer.from(jsonToYaml(json)))
    case 'cbor':
      return lentBytes(jsonToCbor(json))
    default:
      return lentBytes(style.pretty ? Buffer.concat([json, NEWLINE]) : json)
  }
}

const NEWLINE = Buffer.from('\n')

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
