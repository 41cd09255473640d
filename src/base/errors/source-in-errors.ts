/** Hides the pieces of documents in errors about malformed JSON, as `include_source_on_error=false` asks for. */
import { ApiError } from '../api-error.ts'

const REDACTED = '[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: $1, column: $2]'
/** The document may contain the text that ends the piece, so that the last end counts. */
const IN_TEXT = /\[Source: \(byte\[\]\)"[\s\S]*"(?:\[truncated \d+ bytes\])?; line: (\d+), column: (\d+)\]/g
/** The same within a string of JSON. */
const IN_JSON = /\[Source: \(byte\[\]\)\\"(?:[^"\\]|\\.)*\\"(?:\[truncated \d+ bytes\])?; line: (\d+), column: (\d+)\]/g
const MARK = '[Source: (byte[])'

export function withoutSource(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, type, message, details, causedBy, rootCauses, help, pipelineTrace } = error
  const hidden = new ApiError(status, type, message.replace(IN_TEXT, REDACTED), {
    details,
    causedBy: causedBy && (withoutSource(causedBy) as ApiError),
    ...(rootCauses === undefined ? {} : { rootCauses: rootCauses.map((root) => withoutSource(root) as ApiError) }),
    ...(help === undefined ? {} : { help }),
  })
  hidden.pipelineTrace = pipelineTrace
  return hidden
}

/** A response with errors in its items. */
export function withoutSourceInJson(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.includes(MARK) ? Buffer.from(buffer.toString('utf8').replace(IN_JSON, REDACTED)) : bytes
}
