/**
 * Writes the buffered terms of a field: sorts them, gathers postings per term by a counting sort, and ranks the values
 * of the doc values.
 */
import { setBit, wordsFor } from '../../../base/bit-set.ts'
import type { IntList } from '../buffer/growable.ts'
import type { TermFieldBuffer } from '../buffer/term-field-buffer.ts'
import { writeDictionary, writeNorms, writeSortedSetDocValues } from '../field-writer.ts'
import type { FieldInfo, SegmentOutput } from '../segment-file.ts'
import { bitsNeeded } from './block-packing.ts'
import { encodeLength } from './norm-encoding.ts'
import { PostingsWriter } from './postings-writer.ts'

export function writeTermField(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: TermFieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): void {
  field.analyzeTexts()
  const groups = orderGroups(field, docMap)
  const sorted = field.table.sorted()
  const norms = field.schema.norms ? writeFieldNorms(out, name, info, field, docCount, docMap) : undefined

  let addresses: Uint32Array | undefined
  if (field.schema.inverted !== 'none') {
    const postings = new PostingsWriter({
      hasFreqs: field.schema.inverted !== 'docs',
      hasPositions: field.positions !== undefined,
      norms,
    })
    addresses = writePostings(field, groups, sorted, docMap, docCount, postings)
    out.section(`p:${name}`, postings.bytes.view())
    if (field.positions !== undefined) out.section(`q:${name}`, postings.positionBytes.view())
    info.terms = {
      count: sorted.length,
      docCount: groupsWithTokens(field),
      sumTotalTermFreq: field.schema.inverted === 'docs' ? postings.sumDocFreq : postings.sumTotalTermFreq,
      sumDocFreq: postings.sumDocFreq,
      freqs: field.schema.inverted !== 'docs',
      positions: field.positions !== undefined,
      inverted: true,
    }
  } else {
    info.terms = {
      count: sorted.length,
      docCount: field.groupDocs.length,
      sumTotalTermFreq: 0,
      sumDocFreq: 0,
      freqs: false,
      positions: false,
      inverted: false,
    }
  }
  writeDictionary(out, name, { ...gatherTerms(field, sorted), addresses })
  if (field.schema.docValues === 'term') writeOrdinals(out, name, info, field, groups, sorted, docCount, docMap)
}

/** Groups by new document number; undefined if the order of arrival is kept. */
function orderGroups(field: TermFieldBuffer, docMap: Int32Array | undefined): Int32Array | undefined {
  if (docMap === undefined) return undefined
  const docs = field.groupDocs.array
  const order = new Int32Array(field.groupDocs.length)
  for (let i = 0; i < order.length; i++) order[i] = i
  return order.sort((a, b) => docMap[docs[a]!]! - docMap[docs[b]!]!)
}

function groupsWithTokens(field: TermFieldBuffer): number {
  let count = 0
  for (let group = 0; group < field.groupDocs.length; group++) {
    if (groupEnd(field, group) > field.groupStarts.array[group]!) count++
  }
  return count
}

export function groupEnd(field: TermFieldBuffer, group: number): number {
  return group + 1 < field.groupStarts.length ? field.groupStarts.array[group + 1]! : field.tokens.length
}

function gatherTerms(field: TermFieldBuffer, sorted: Int32Array): { offsets: Uint32Array; bytes: Uint8Array } {
  const { pool } = field.table
  const offsets = new Uint32Array(sorted.length + 1)
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) {
    const term = sorted[ordinal]!
    offsets[ordinal + 1] = offsets[ordinal]! + field.table.termEnd(term) - field.table.termStart(term)
  }
  const bytes = new Uint8Array(offsets[sorted.length]!)
  let at = 0
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) {
    const end = field.table.termEnd(sorted[ordinal]!)
    for (let i = field.table.termStart(sorted[ordinal]!); i < end; i++) bytes[at++] = pool[i]!
  }
  return { offsets, bytes }
}

/** A document's length as in Lucene: its tokens, or its distinct terms if frequencies are not stored. */
function lengthOf({ schema, groupLengths, groupStarts, tokens }: TermFieldBuffer, group: number): number {
  if (schema.inverted !== 'docs') return groupLengths.array[group]!
  const start = groupStarts.array[group]!
  const end = group + 1 < groupStarts.length ? groupStarts.array[group + 1]! : tokens.length
  return end - start < 2 ? end - start : new Set(tokens.array.subarray(start, end)).size
}

function writeFieldNorms(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: TermFieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): Uint8Array {
  const norms = new Uint8Array(docCount)
  let present: Uint32Array | undefined
  for (let group = 0; group < field.groupDocs.length; group++) {
    const doc = field.groupDocs.array[group]!
    const norm = encodeLength(lengthOf(field, group))
    norms[docMap === undefined ? doc : docMap[doc]!] = norm
    if (norm === 0) present ??= new Uint32Array(wordsFor(docCount))
  }
  if (present !== undefined) {
    for (let group = 0; group < field.groupDocs.length; group++) {
      const doc = field.groupDocs.array[group]!
      setBit(present, docMap === undefined ? doc : docMap[doc]!)
    }
  }
  writeNorms(out, name, info, norms, present)
  return norms
}

/**
 * Gathers occurrences per term with a counting sort. Groups are in document order, and so are the postings of a term.
 *
 * The sort is by term number, not by ordinal: frequent terms occur early and have low numbers, so that most tokens go
 * to few places in memory. Document and position share a word for the same reason, if they fit.
 */
function writePostings(
  field: TermFieldBuffer,
  groups: Int32Array | undefined,
  sorted: Int32Array,
  docMap: Int32Array | undefined,
  docCount: number,
  postings: PostingsWriter,
): Uint32Array {
  const positionBits = field.positions === undefined ? 0 : bitsOfPositions(field.positions)
  const { features } = field
  const isWide = features !== undefined || bitsNeeded(docCount) + positionBits > 32
  const docs = isWide ? new Int32Array(field.tokens.length) : undefined
  const tokens = field.tokens.array
  const positions = field.positions?.array
  const { starts, ends } = occurrenceRanges(field)
  const occurrences = new Int32Array(field.tokens.length)
  for (let i = 0; i < field.groupDocs.length; i++) {
    const group = groups === undefined ? i : groups[i]!
    const oldDoc = field.groupDocs.array[group]!
    const doc = docMap === undefined ? oldDoc : docMap[oldDoc]!
    const end = groupEnd(field, group)
    const start = field.groupStarts.array[group]!
    docs?.fill(doc, start, end)
    for (let token = start; token < end; token++) {
      const term = tokens[token]!
      const at = ends[term]!
      ends[term] = at + 1
      if (isWide) occurrences[at] = token
      else occurrences[at] = positions === undefined ? doc : (doc << positionBits) | positions[token]!
    }
  }
  const addresses = new Uint32Array(sorted.length)
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) {
    const term = sorted[ordinal]!
    if (docs === undefined) {
      addresses[ordinal] = postings.writeTerm(occurrences, starts[term]!, ends[term]!, positionBits)
      continue
    }
    const own = occurrences.subarray(starts[term], ends[term])
    addresses[ordinal] =
      features === undefined
        ? writeWideTerm(postings, own, docs, positions!)
        : writeFeature(postings, own, docs, features.array)
  }
  return addresses
}

/** Writes a term of a field whose documents and positions do not fit into one word: `tokens` are its tokens. */
function writeWideTerm(postings: PostingsWriter, tokens: Int32Array, docs: Int32Array, positions: Int32Array): number {
  postings.beginTerm()
  for (let at = 0; at < tokens.length; ) {
    const doc = docs[tokens[at]!]!
    let end = at + 1
    while (end < tokens.length && docs[tokens[end]!] === doc) end++
    postings.addDoc(doc, end - at)
    for (; at < end; at++) postings.addPosition(positions[tokens[at]!]!)
  }
  return postings.endTerm()
}

/** Writes a feature: of several numbers in one document the largest counts. */
function writeFeature(postings: PostingsWriter, tokens: Int32Array, docs: Int32Array, features: Int32Array): number {
  postings.beginTerm()
  for (let at = 0; at < tokens.length; ) {
    const doc = docs[tokens[at]!]!
    let most = 0
    for (; at < tokens.length && docs[tokens[at]!] === doc; at++) most = Math.max(most, features[tokens[at]!]!)
    postings.addDoc(doc, most)
  }
  return postings.endTerm()
}

function bitsOfPositions(positions: IntList): number {
  let combined = 0
  for (let i = 0; i < positions.length; i++) combined |= positions.array[i]!
  return bitsNeeded(combined)
}

/** Where the occurrences of each term start, and `ends` to fill from there. */
function occurrenceRanges(field: TermFieldBuffer): { starts: Int32Array; ends: Int32Array } {
  const tokens = field.tokens.array
  const tokenCount = field.tokens.length
  const termCount = field.table.size
  const starts = new Int32Array(termCount + 1)
  for (let i = 0; i < tokenCount; i++) {
    const next = tokens[i]! + 1
    starts[next] = starts[next]! + 1
  }
  for (let term = 0; term < termCount; term++) starts[term + 1] = starts[term + 1]! + starts[term]!
  return { starts, ends: starts.slice() }
}

/** The sorted-set doc values: each document's distinct ordinals in order. */
function writeOrdinals(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: TermFieldBuffer,
  groups: Int32Array | undefined,
  sorted: Int32Array,
  docCount: number,
  docMap: Int32Array | undefined,
): void {
  const ordinalOf = new Int32Array(sorted.length)
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) ordinalOf[sorted[ordinal]!] = ordinal
  const docs = new Int32Array(field.tokens.length)
  const ordinals = new Float64Array(field.tokens.length)
  let count = 0
  for (let i = 0; i < field.groupDocs.length; i++) {
    const group = groups === undefined ? i : groups[i]!
    const oldDoc = field.groupDocs.array[group]!
    const doc = docMap === undefined ? oldDoc : docMap[oldDoc]!
    const first = count
    const end = groupEnd(field, group)
    for (let token = field.groupStarts.array[group]!; token < end; token++) {
      ordinals[count] = ordinalOf[field.tokens.array[token]!]!
      docs[count++] = doc
    }
    if (count - first > 1) count = first + sortUnique(ordinals, first, count)
  }
  writeSortedSetDocValues(out, name, info, docs.subarray(0, count), ordinals.subarray(0, count), docCount)
}

/** Sorts `values[start, end)` and drops duplicates; returns the number left. */
function sortUnique(values: Float64Array, start: number, end: number): number {
  values.subarray(start, end).sort()
  let kept = start + 1
  for (let i = start + 1; i < end; i++) if (values[i] !== values[kept - 1]) values[kept++] = values[i]!
  return kept - start
}
