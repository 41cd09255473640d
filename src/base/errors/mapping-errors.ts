/** Errors of mappings, and of documents that do not fit their mapping. */
import { ApiError, illegalArgument } from '../api-error.ts'

/**
 * Types that unwrap: `root_cause` names the innermost cause in a chain of Elasticsearch's own exceptions, and stops at
 * the first foreign one (a number format error, an illegal argument).
 */
const UNWRAPPED = new Set([
  'mapper_parsing_exception',
  'mapper_exception',
  'document_parsing_exception',
  'strict_dynamic_mapping_exception',
  'parse_exception',
  'parsing_exception',
])

/** An error with a cause. Its `root_cause` is the innermost of Elasticsearch's own exceptions. */
function causedError(status: number, type: string, reason: string, causedBy?: ApiError): ApiError {
  if (causedBy === undefined) return new ApiError(status, type, reason)
  const unwraps = UNWRAPPED.has(causedBy.type)
  return new ApiError(status, type, reason, {
    causedBy,
    ...(unwraps ? { rootCauses: causedBy.rootCauses ?? [causedBy] } : {}),
  })
}

export const mapperParsing = (reason: string, causedBy?: ApiError) =>
  causedError(400, 'mapper_parsing_exception', reason, causedBy)

/** The response of index creation or a mapping update whose definition cannot be parsed. */
export const failedToParseMapping = (cause: ApiError) => {
  const error = mapperParsing(`Failed to parse mapping: ${cause.message}`, cause)
  if (cause.type !== 'script_exception') return error
  return new ApiError(error.status, error.type, error.message, { causedBy: cause, rootCauses: [cause] })
}

export const mapperException = (reason: string) => new ApiError(500, 'mapper_exception', reason)

export const noHandlerForType = (type: string, field: string) =>
  mapperParsing(
    `The mapper type [${type}] declared on field [${field}] does not exist. It might have been created within a ` +
      'future version or requires a plugin to be installed. Check the documentation.',
  )

export const noHandlerForRuntimeType = (type: string, field: string) =>
  mapperParsing(
    `The mapper type [${type}] declared on runtime field [${field}] does not exist. It might have been created within ` +
      'a future version or requires a plugin to be installed. Check the documentation.',
  )

export const illegalState = (reason: string) => new ApiError(500, 'illegal_state_exception', reason)

/** A document does not fit its mapping. `place` is the `[line:column]` in front of the reason. */
/** A value where the mapping has an object. `name` is null for an element of an array. */
export const concreteValue = (place: string, path: string, name: string | null) =>
  documentParsing(
    place,
    `object mapping for [${path}] tried to parse field [${name}] as object, but found a concrete value`,
  )

export const documentParsing = (place: string, reason: string, causedBy?: ApiError) =>
  causedError(400, 'document_parsing_exception', place === '' ? reason : `${place} ${reason}`, causedBy)

export const strictDynamicMapping = (place: string, name: string, parent: string) =>
  new ApiError(
    400,
    'strict_dynamic_mapping_exception',
    `${place} mapping set to strict, dynamic introduction of [${name}] within [${parent}] is not allowed`,
  )

/** Data after the end of a document. Elasticsearch reports it without a position. */
export class ExtraDataError extends ApiError {
  constructor(token: string) {
    super(400, 'illegal_argument_exception', `Malformed content, found extra data after parsing: ${token}`)
  }
}

/** The message of the Java runtime, which Elasticsearch passes on. `what` is the expression that is null. */
export const nullValueInMapping = (what = 'the return value of "java.util.Map$Entry.getValue()"') =>
  new ApiError(400, 'null_pointer_exception', `Cannot invoke "Object.toString()" because ${what} is null`)

export const fieldNameEmpty = () => illegalArgument('field name cannot be an empty string')

export const fieldNameOnlyDots = () => illegalArgument('field name cannot contain only dots')

export const mapperConflict = (path: string, conflicts: string) =>
  illegalArgument(`Mapper for [${path}] conflicts with existing mapper:\n\t${conflicts}`)

export const mappingTooDeep = (limit: unknown, path: string) =>
  illegalArgument(`Limit of mapping depth [${limit}] has been exceeded due to object field [${path}]`)

export const objectAsNumber = () => illegalArgument('Cannot parse object as number')

export const objectOverField = (path: string) =>
  illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`)

export const unknownMappingType = (type: string) => illegalArgument(`No mapper found for type [${type}]`)

export const nullValueUnparsable = (field: string, cause: ApiError) =>
  mapperParsing(`Error parsing [null_value] on field [${field}]: ${cause.message}`, cause)

/** A value of a document that should be a text. `place` is its line and column. */
export const textExpected = (place: string, found: string) =>
  illegalArgument(`Expected text at ${place} but found ${found}`)

export const noFeatureValues = (type: string) =>
  illegalArgument(`[${type}] fields do not support sorting, scripting or aggregating`)
