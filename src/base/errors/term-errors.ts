/** Terms have a greatest length, for keywords and for what analyzers make of text. */
import { ApiError, illegalArgument } from '../api-error.ts'

export const TERM_BYTES_MAX = 32766

const PREFIX_BYTES = 30

/** A value that would become one term. */
export const immenseTerm = (field: string, bytes: Uint8Array, start: number) =>
  illegalArgument(immenseTermReason(field, bytes, start, ' '))

/** A token an analyzer made. Found while the document is being indexed, and therefore told with its cause. */
export const immenseToken = (field: string, bytes: Uint8Array, start: number, end: number) =>
  illegalArgument(
    `${immenseTermReason(field, bytes, start, '  ')}, original message: ${tooLong(end - start)}`,
    new ApiError(400, 'max_bytes_length_exceeded_exception', tooLong(end - start)),
  )

/** Fields and the index say it alike but for the blanks between their sentences. */
function immenseTermReason(field: string, bytes: Uint8Array, start: number, gap: string): string {
  // Bytes are signed where this text comes from.
  const prefix = [...bytes.subarray(start, start + PREFIX_BYTES)].map((byte) => (byte << 24) >> 24).join(', ')
  return (
    `Document contains at least one immense term in field="${field}" (whose UTF8 encoding is longer than the max length ` +
    `${TERM_BYTES_MAX}), all of which were skipped.${gap}Please correct the analyzer to not produce such terms.${gap}The prefix of ` +
    `the first immense term is: '[${prefix}]...'`
  )
}

const tooLong = (length: number) => `bytes can be at most ${TERM_BYTES_MAX} in length; got ${length}`
