/** A block of postings: how many documents are packed, unpacked and skipped together. */

export const BLOCK_SIZE = 128
