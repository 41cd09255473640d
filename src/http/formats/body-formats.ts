/** Converts bodies in other formats to JSON before parsing, so that one grammar serves all formats. */
import { createRequire } from 'node:module'
import { illegalArgument } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { decodeCbor } from './cbor.ts'
import type { Format } from './media-types.ts'

export function toJsonBytes(body: Buffer, format: Format): Buffer {
  switch (format) {
    case 'json':
      return body
    case 'yaml':
      return encodeJson(parseYaml(body.toString('utf8')))
    case 'cbor':
      return encodeJson(decodeCbor(body))
    case 'smile':
      throw illegalArgument('bodies in [application/smile] are not supported; send JSON, YAML or CBOR')
  }
}

/** Loaded on first use, because few requests are YAML and startup should not pay for them. */
function parseYaml(text: string): unknown {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  try {
    return parse(text, { intAsBigInt: true })
  } catch (error) {
    throw illegalArgument((error as Error).message)
  }
}
