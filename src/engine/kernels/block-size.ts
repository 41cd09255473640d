/** The number of documents in a block of postings, which are packed, unpacked and skipped together. */

export const BLOCK_SIZE = 128
