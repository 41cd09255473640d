/**
 * The container format of a segment file: named sections, a directory, a footer.
 *
 *   0        magic "SPSEGM01", 8 zero bytes
 *   …        sections, each at a multiple of 16
 *   …        directory: JSON, see SegmentDirectory
 *   end-24   u32 offset of the directory, u32 high half of it, u32 its length, u32 its crc32, magic
 *
 * Every section has its crc32 in the directory and is verified when it is loaded. docs/formats/segment.md lists them.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import type { SlotShape } from './buffer/value-slots.ts'
import type { NumberEncoding } from './doc-values/number-codec.ts'

const MAGIC = Buffer.from('SPSEGM01')
const HEADER_BYTES = 16
const FOOTER_BYTES = 24
const ALIGNMENT = 16

/** Name, offset, length, crc32. */
export type SectionEntry = readonly [string, number, number, number]

export interface TermsInfo {
  readonly count: number
  readonly docCount: number
  readonly sumTotalTermFreq: number
  readonly sumDocFreq: number
  readonly freqs: boolean
  readonly positions: boolean
  /** False if the field has only doc values: terms without postings. */
  readonly inverted: boolean
}

export interface SlotsInfo {
  readonly shape: SlotShape
  readonly docsWithValue: number
  readonly valueCount: number
}

export interface DocValuesInfo extends SlotsInfo {
  readonly kind: 'number' | 'term' | 'geo' | 'binary'
  /** Numbers, ordinals or latitudes. */
  readonly values: NumberEncoding
  /** Longitudes. */
  readonly more?: NumberEncoding
  readonly min?: number
  readonly max?: number
  /** Whether the smallest and largest values of document blocks are stored. */
  readonly ranges?: true
  /** The encoding of the documents of point doc values in their spatial order. */
  readonly spatial?: NumberEncoding
}

export interface OrderedInfo {
  readonly count: number
  /** Documents are in value order: no permutation is stored. */
  readonly identity: boolean
  readonly docs: NumberEncoding
  readonly values: NumberEncoding
}

export interface FieldInfo {
  terms?: TermsInfo
  norms?: { readonly present: boolean }
  /** The doc values of the field. The name is part of the file format. */
  column?: DocValuesInfo
  ordered?: OrderedInfo
}

/** Increased with every change that an older or newer version could misread. */
const FORMAT = 3
/** Segments of this format have impacts in another encoding, which block-impact.ts recognizes. */
const OLDEST_FORMAT = 2

export interface SegmentDirectory {
  readonly format: number
  readonly docCount: number
  readonly rootCount: number
  readonly sections: SectionEntry[]
  readonly fields: Record<string, FieldInfo>
  readonly nestedPaths: readonly string[]
  readonly stored: { readonly codec: number; readonly blocks: number } | undefined
  readonly identity: {
    readonly seqNo: NumberEncoding
    readonly version: NumberEncoding
    readonly primaryTerm: NumberEncoding
    readonly routed: number
  }
  readonly minSeqNo: number
  readonly maxSeqNo: number
  /** The checksum of the directory, which has those of all sections; from the footer. */
  readonly checksum?: number
}

/** A file does not have the form it declares. It is never repaired in place: the shard fails. */
export class CorruptSegmentError extends Error {
  readonly file: string
  readonly problem: string

  constructor(file: string, problem: string) {
    super(`segment [${file}]: ${problem}`)
    this.name = 'CorruptSegmentError'
    this.file = file
    this.problem = problem
  }
}

/** Collects sections; `finish` produces the file. */
export class SegmentOutput {
  readonly #chunks: Uint8Array[] = []
  readonly #sections: SectionEntry[] = []
  #size = HEADER_BYTES

  constructor() {
    const header = new Uint8Array(HEADER_BYTES)
    header.set(MAGIC)
    this.#chunks.push(header)
  }

  /** Adds a section; empty ones take no space. The bytes must not change afterwards. */
  section(name: string, bytes: Uint8Array): void {
    this.#sections.push([name, this.#size, bytes.length, crc32(bytes)])
    if (bytes.length === 0) return
    this.#chunks.push(bytes)
    const padding = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT
    if (padding > 0) this.#chunks.push(PADDING.subarray(0, padding))
    this.#size += bytes.length + padding
  }

  finish(directory: Omit<SegmentDirectory, 'sections' | 'format'>): { chunks: Uint8Array[]; size: number } {
    const text = Buffer.from(JSON.stringify({ format: FORMAT, ...directory, sections: this.#sections }))
    const footer = Buffer.alloc(FOOTER_BYTES)
    footer.writeUInt32LE(this.#size % 2 ** 32, 0)
    footer.writeUInt32LE(Math.floor(this.#size / 2 ** 32), 4)
    footer.writeUInt32LE(text.length, 8)
    footer.writeUInt32LE(crc32(text), 12)
    footer.set(MAGIC, 16)
    this.#chunks.push(text, footer)
    return { chunks: this.#chunks, size: this.#size + text.length + FOOTER_BYTES }
  }
}

/** The source of the bytes of a segment: a file on disk or in memory. */
export interface SegmentFile {
  readonly name: string
  readonly size: number
  /** Fills `target` from `offset` on. */
  read(offset: number, target: Uint8Array): void
}

export function readDirectory(file: SegmentFile): SegmentDirectory {
  if (file.size < HEADER_BYTES + FOOTER_BYTES) throw new CorruptSegmentError(file.name, `only ${file.size} bytes long`)
  const footer = Buffer.alloc(FOOTER_BYTES)
  file.read(file.size - FOOTER_BYTES, footer)
  if (!footer.subarray(16).equals(MAGIC)) throw new CorruptSegmentError(file.name, 'no footer at the end of the file')
  const offset = footer.readUInt32LE(0) + footer.readUInt32LE(4) * 2 ** 32
  const length = footer.readUInt32LE(8)
  if (offset + length + FOOTER_BYTES !== file.size) {
    throw new CorruptSegmentError(file.name, 'the directory is not where the footer says')
  }
  const text = Buffer.alloc(length)
  file.read(offset, text)
  if (crc32(text) !== footer.readUInt32LE(12))
    throw new CorruptSegmentError(file.name, 'checksum of the directory is wrong')
  const directory: SegmentDirectory = { ...JSON.parse(text.toString()), checksum: footer.readUInt32LE(12) }
  if (!(directory.format >= OLDEST_FORMAT && directory.format <= FORMAT)) {
    throw new CorruptSegmentError(
      file.name,
      `written in format ${directory.format}, while this version reads formats ${OLDEST_FORMAT} to ${FORMAT}`,
    )
  }
  checkDirectory(file, directory, offset)
  return directory
}

/** The bytes of the directory are those that were written, so what does not fit was written wrongly. */
function checkDirectory(file: SegmentFile, directory: SegmentDirectory, end: number): void {
  const { docCount, rootCount, sections, minSeqNo, maxSeqNo } = directory
  const wrong = (problem: string) => new CorruptSegmentError(file.name, problem)
  if (!(rootCount >= 0 && rootCount <= docCount))
    throw wrong(`${rootCount} of ${docCount} documents are root documents`)
  if (!(minSeqNo <= maxSeqNo)) throw wrong(`its operations are numbered from ${minSeqNo} to ${maxSeqNo}`)
  let at = HEADER_BYTES
  for (const [name, offset, length] of sections) {
    if (offset < at || length < 0 || offset + length > end) throw wrong(`section [${name}] is not in its place`)
    at = offset + length
  }
}

const PADDING = new Uint8Array(ALIGNMENT)
