/**
 * Errors for values that cannot be parsed: booleans, numbers, units, enum constants. The texts are those of the JVM and
 * Elasticsearch.
 */
import { ApiError, illegalArgument, notANumber } from '../api-error.ts'

export const hasDecimalPart = (value: unknown) => illegalArgument(`Value [${value}] has a decimal part`)

export const illegalNumber = (text: string) => illegalArgument(`For input string: "${text}"`)

export const noEnumConstant = (javaClass: string, name: string) =>
  illegalArgument(`No enum constant ${javaClass}.${name}`)

export const notTrueOrFalse = (value: unknown) =>
  illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`)

export const outOfRange = (value: unknown, type: string) =>
  illegalArgument(`Value [${value}] is out of range for ${type}`)

export const unknownDistanceUnit = (unit: string) => illegalArgument(`No distance unit match [${unit}]`)

export const unknownGeoDistance = (name: string) => illegalArgument(`No geo distance for [${name}]`)

export const unparsableBoolean = (text: string) =>
  illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`)

export const badActiveShardCount = (text: string) =>
  illegalArgument(`cannot parse ActiveShardCount[${text}]`, notANumber(text))

export const badBase64Character = (character: string) =>
  illegalArgument(`Illegal base64 character ${character.charCodeAt(0).toString(16)}`)

export const base64TooShort = () => illegalArgument('Input byte[] should at least have 2 bytes for base64 bytes')

export const patternSyntax = (problem: string) => new ApiError(400, 'pattern_syntax_exception', problem)

export const emptyDateTime = () => illegalArgument('cannot parse empty datetime')

export const escapedCharacterMissing = () => illegalArgument('character to be escaped is missing')

export const illegalGroupReference = () => illegalArgument('Illegal group reference')

/** `where` says what contains the object. */
export const selfReferencing = (where?: string) =>
  illegalArgument(`Iterable object is self-referencing itself${where === undefined ? '' : ` (${where})`}`)

/** A string where an object is expected is compressed content in base64, which nodes exchange and clients do not send. */
export function notCompressedContent(text: string): ApiError {
  const odd = /[^A-Za-z0-9+/=]/.exec(text)?.[0]
  if (odd !== undefined) return badBase64Character(odd)
  const reason = 'Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes'
  return new ApiError(400, 'not_x_content_exception', reason)
}
