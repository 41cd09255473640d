/** Computes the fields of a mapping that have a script, when a document is indexed. */
import { ApiError } from '../../base/api-error.ts'
import { decodeUtf8 } from '../../base/json/json-reader.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { IndexMapping } from '../mapping/mapping.ts'
import type { RuntimeFieldType } from '../mapping/runtime-field-type.ts'
import type { EncodedPoint, KeptValue } from '../runtime-fields/runtime-field.ts'
import { formatIp } from '../values/ip.ts'
import { singleDocument } from './single-document.ts'

/** The values as JSON, by path; undefined where a script failed and is allowed to. */
export function runIndexScripts(
  mapping: IndexMapping,
  source: Uint8Array,
): ReadonlyMap<string, readonly string[] | undefined> {
  const { segment, doc } = singleDocument(mapping, source)
  const found = new Map<string, readonly string[] | undefined>()
  for (const { plan, values } of mapping.layout.scripted) {
    const { on_script_error: onError } = values.definition
    try {
      const computed = values.field.strictValuesOf(segment.reader, doc)
      found.set(
        plan.path,
        computed.map((value) => valueJson(values, value)),
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (onError !== 'continue') throw scriptFailed(plan.path, error)
      found.set(plan.path, undefined)
    }
  }
  return found
}

/** The cause of a failed request is the error of the script. */
const scriptFailed = (path: string, error: ApiError) =>
  new ApiError(400, 'document_parsing_exception', `Error executing script on field [${path}]`, {
    causedBy: error,
    ...(error.type === 'script_exception' ? { rootCauses: error.rootCauses ?? [error] } : {}),
  })

/** A value in a form that the field reads. */
function valueJson({ type }: RuntimeFieldType, value: KeptValue | EncodedPoint): string {
  switch (type) {
    case 'boolean':
      return value === 0 ? 'false' : 'true'
    case 'date':
      return String(value)
    case 'geo_point': {
      const { lat, lon } = (value as EncodedPoint).exact
      return `{"lat":${lat},"lon":${lon}}`
    }
    case 'ip':
      return JSON.stringify(formatIp(value as Uint8Array))
    case 'keyword':
      return JSON.stringify(decodeUtf8(value as Uint8Array, 0, (value as Uint8Array).length))
    default:
      return Buffer.from(encodeJson(value)).toString()
  }
}
