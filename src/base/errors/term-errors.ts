/** Errors for terms that exceed the maximum length, in keyword fields and in analyzed text. */
import { ApiError, illegalArgument } from '../api-error.ts'

export const TERM_BYTES_MAX = 32766

const PREFIX_BYTES = 30

/** A whole value that would become one term. */
export const immenseTerm = (field: string, bytes: Uint8Array, start: number) =>
  illegalArgument(immenseTermReason(field, bytes, start, ' '))

/** A token produced by an analyzer. It is detected during indexing, so the error carries a cause. */
export const immenseToken = (field: string, bytes: Uint8Array, start: number, end: number) =>
  illegalArgument(
    `${immenseTermReason(field, bytes, start, '  ')}, original message: ${tooLong(end - start)}`,
    new ApiError(400, 'max_bytes_length_exceeded_exception', tooLong(end - start)),
  )

/** The two messages differ only in the spaces between their sentences. */
function immenseTermReason(field: string, bytes: Uint8Array, start: number, gap: string): string {
  // The message prints bytes as signed numbers, as Java does.
  const prefix = [...bytes.subarray(start, start + PREFIX_BYTES)].map((byte) => (byte << 24) >> 24).join(', ')
  return (
    `Document contains at least one immense term in field="${field}" (whose UTF8 encoding is longer than the max length ` +
    `${TERM_BYTES_MAX}), all of which were skipped.${gap}Please correct the analyzer to not produce such terms.${gap}The prefix of ` +
    `the first immense term is: '[${prefix}]...'`
  )
}

const tooLong = (length: number) => `bytes can be at most ${TERM_BYTES_MAX} in length; got ${length}`
