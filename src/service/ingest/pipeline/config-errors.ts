/** Errors in pipeline and processor definitions, with the members that clients read to locate them. */
import { ApiError, elasticsearchException, parseFailure } from '../../../base/api-error.ts'

export interface ConfigPlace {
  readonly type?: string | undefined
  readonly tag?: string | undefined
  readonly property?: string | undefined
}

function members({ type, tag, property }: ConfigPlace): Record<string, unknown> {
  return {
    ...(property === undefined ? {} : { property_name: property }),
    ...(type === undefined ? {} : { processor_type: type }),
    ...(tag === undefined ? {} : { processor_tag: tag }),
  }
}

/** An error such as `[field] required property is missing`. Without a property the message is the reason alone. */
export function configError(place: ConfigPlace, reason: string): ApiError {
  const text = place.property === undefined ? reason : `[${place.property}] ${reason}`
  return new ApiError(400, 'parse_exception', text, { details: members(place) })
}

/** An error during the creation of a processor, with the members that identify the processor. */
export function locatedError(error: unknown, place: ConfigPlace): ApiError {
  if (!(error instanceof ApiError)) throw error
  const details = { ...error.details, ...members(place) }
  const { causedBy } = error
  if (OWN_TYPES.has(error.type)) {
    return new ApiError(error.status, error.type, error.message, { details, causedBy })
  }
  const javaClass = JAVA_CLASSES[error.type] ?? 'java.lang.IllegalArgumentException'
  return elasticsearchException(`${javaClass}: ${error.message}`, { details: members(place), causedBy: error })
}

/**
 * Error types that Elasticsearch extends with these members. Other errors are wrapped in an `exception` that has them.
 */
const OWN_TYPES = new Set([
  'parse_exception',
  'script_exception',
  'resource_not_found_exception',
  'circuit_breaking_exception',
  'exception',
])

const JAVA_CLASSES: Readonly<Record<string, string>> = {
  illegal_argument_exception: 'java.lang.IllegalArgumentException',
  pattern_parse: 'org.elasticsearch.dissect.DissectException$PatternParse',
  x_content_parse_exception: 'org.elasticsearch.xcontent.XContentParseException',
}

export const bodyOrSourceRequired = () => parseFailure('request body or source parameter is required')
