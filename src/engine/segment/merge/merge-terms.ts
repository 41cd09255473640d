/** Merges the terms and postings of one field. */
import { countBits, hasBit, setBit, wordsFor } from '../../../base/bit-set.ts'
import { ByteList, IntList } from '../buffer/growable.ts'
import { compareBytes } from '../buffer/term-table.ts'
import { writeDictionary, writeNorms, writeSortedSetDocValues } from '../field-writer.ts'
import type { PostingsReader } from '../postings/postings-reader.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import type { InvertedTerms, TermDictionaryReader } from '../postings/terms-reader.ts'
import type { FieldInfo, SegmentOutput } from '../segment-file.ts'
import type { MergeInput, MergeOrder } from './merge-order.ts'

export function mergeTermField(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  inputs: readonly MergeInput[],
  order: MergeOrder,
): void {
  const infos = inputs.map(({ reader }) => reader.directory.fields[name]?.terms)
  const inverted = infos.some((terms) => terms?.inverted === true)
  const hasFreqs = infos.some((terms) => terms?.freqs === true)
  const hasPositions = infos.some((terms) => terms?.positions === true)
  const norms = inputs.some(({ reader }) => reader.norms(name) !== undefined)
    ? mergeNorms(out, name, info, inputs, order)
    : undefined
  const postings = new PostingsWriter({ hasFreqs, hasPositions, norms })
  const merge = new TermMerge(name, inputs, order, postings, inverted)
  merge.run()
  if (inverted) {
    out.section(`p:${name}`, postings.bytes.view())
    if (hasPositions) out.section(`q:${name}`, postings.positionBytes.view())
  }
  info.terms = {
    count: merge.addresses.length,
    docCount: merge.docsWithTerms(),
    sumTotalTermFreq: inverted ? (hasFreqs ? postings.sumTotalTermFreq : postings.sumDocFreq) : 0,
    sumDocFreq: inverted ? postings.sumDocFreq : 0,
    freqs: hasFreqs,
    positions: hasPositions,
    inverted,
  }
  writeDictionary(out, name, {
    offsets: new Uint32Array(merge.offsets.array.subarray(0, merge.offsets.length)),
    bytes: merge.bytes.view(),
    addresses: inverted ? Uint32Array.from(merge.addresses) : undefined,
  })
  if (inputs.some(({ reader }) => reader.sortedSetDocValues(name) !== undefined)) {
    mergeOrdinals(out, name, info, inputs, order, merge.ordinalMaps)
  }
}

class TermMerge {
  readonly offsets = new IntList(64)
  readonly bytes = new ByteList(1024)
  readonly addresses: number[] = []
  /** Per input: old ordinal to new, -1 if no kept document has the term. */
  readonly ordinalMaps: Int32Array[]
  readonly #name: string
  readonly #inputs: readonly MergeInput[]
  readonly #order: MergeOrder
  readonly #postings: PostingsWriter
  readonly #inverted: boolean
  readonly #seen: Uint32Array
  readonly #sorter = new PostingSorter()
  readonly #dictionaries: readonly (TermDictionaryReader | undefined)[]
  readonly #terms: readonly (InvertedTerms | undefined)[]
  readonly #readers: (PostingsReader | undefined)[] = []

  constructor(
    name: string,
    inputs: readonly MergeInput[],
    order: MergeOrder,
    postings: PostingsWriter,
    inverted: boolean,
  ) {
    this.#name = name
    this.#inputs = inputs
    this.#order = order
    this.#postings = postings
    this.#inverted = inverted
    this.#seen = new Uint32Array(wordsFor(order.docCount))
    this.#dictionaries = inputs.map(({ reader }) => reader.dictionary(name))
    this.#terms = inputs.map(({ reader }) => reader.terms(name))
    this.ordinalMaps = inputs.map(({ reader }) =>
      new Int32Array(reader.directory.fields[name]?.terms?.count ?? 0).fill(-1),
    )
    this.offsets.push(0)
  }

  docsWithTerms(): number {
    return countBits(this.#seen)
  }

  run(): void {
    const dictionaries = this.#dictionaries
    const used = this.#inverted ? undefined : this.#usedOrdinals()
    const next = new Int32Array(dictionaries.length)
    const holders = new Int32Array(dictionaries.length)
    for (;;) {
      let holderCount = 0
      for (let input = 0; input < dictionaries.length; input++) {
        const dictionary = dictionaries[input]
        if (dictionary === undefined || next[input]! >= dictionary.termCount) continue
        const order = holderCount === 0 ? -1 : this.#compare(input, next[input]!, holders[0]!, next[holders[0]!]!)
        if (order < 0) holderCount = 0
        if (order <= 0) holders[holderCount++] = input
      }
      if (holderCount === 0) return
      this.#mergeTerm(holders.subarray(0, holderCount), next, used)
      for (let i = 0; i < holderCount; i++) next[holders[i]!] = next[holders[i]!]! + 1
    }
  }

  #mergeTerm(holders: Int32Array, ordinals: Int32Array, used: readonly Uint32Array[] | undefined): void {
    let address = 0
    if (used === undefined) {
      this.#postings.beginTerm()
      if (this.#order.sequential) for (const input of holders) this.#copyPostings(input, ordinals[input]!)
      else this.#sortPostings(holders, ordinals)
      address = this.#postings.endTerm()
      if (address < 0) return
    } else if (!holders.some((input) => hasBit(used[input]!, ordinals[input]!))) return
    const first = holders[0]!
    const dictionary = this.#dictionaries[first]!
    const start = dictionary.offsets[ordinals[first]!]!
    this.bytes.append(dictionary.bytes, start, dictionary.offsets[ordinals[first]! + 1]!)
    this.offsets.push(this.bytes.length)
    for (const input of holders) this.ordinalMaps[input]![ordinals[input]!] = this.addresses.length
    this.addresses.push(address)
  }

  #copyPostings(input: number, ordinal: number): void {
    const docMap = this.#order.docMaps[input]!
    const terms = this.#terms[input]!
    const from = this.#open(input, ordinal)
    while (from.nextBlock()) {
      for (let i = 0; i < from.count; i++) {
        const doc = docMap[from.docs[i]!]!
        if (doc < 0) continue
        setBit(this.#seen, doc)
        this.#postings.addDoc(doc, from.freqs[i]!)
        if (!terms.hasPositions) continue
        const count = from.readPositions(i)
        for (let p = 0; p < count; p++) this.#postings.addPosition(from.positions[p]!)
      }
    }
  }

  /** With an index sort the inputs interleave: gather, sort, write. */
  #sortPostings(holders: Int32Array, ordinals: Int32Array): void {
    const sorter = this.#sorter
    sorter.clear()
    for (const input of holders) {
      const from = this.#open(input, ordinals[input]!)
      sorter.gather(from, this.#terms[input]!.hasPositions, this.#order.docMaps[input]!)
    }
    for (const entry of sorter.inOrder()) {
      setBit(this.#seen, sorter.docs.array[entry]!)
      this.#postings.addDoc(sorter.docs.array[entry]!, sorter.freqs.array[entry]!)
      for (let p = sorter.positionStart(entry); p < sorter.positionEnd(entry); p++) {
        this.#postings.addPosition(sorter.positions.array[p]!)
      }
    }
  }

  #open(input: number, ordinal: number): PostingsReader {
    const terms = this.#terms[input]!
    const reader = this.#readers[input]
    if (reader !== undefined) return terms.reuse(reader, ordinal)
    return (this.#readers[input] = terms.postings(ordinal, true))
  }

  /** For a field with only doc values: the kept documents determine which terms stay. */
  #usedOrdinals(): Uint32Array[] {
    return this.#inputs.map(({ reader }, input) => {
      const docValues = reader.sortedSetDocValues(this.#name)
      const bits = new Uint32Array(wordsFor(docValues?.termCount ?? 0))
      if (docValues === undefined) return bits
      const docMap = this.#order.docMaps[input]!
      for (let doc = 0; doc < reader.docCount; doc++) {
        if (docMap[doc]! < 0) continue
        const end = docValues.end(doc)
        for (let slot = docValues.start(doc); slot < end; slot++) setBit(bits, docValues.ordinalAt(slot))
        if (end > docValues.start(doc)) setBit(this.#seen, docMap[doc]!)
      }
      return bits
    })
  }

  #compare(a: number, aOrdinal: number, b: number, bOrdinal: number): number {
    const left = this.#dictionaries[a]!
    const right = this.#dictionaries[b]!
    return compareBytes(
      left.bytes,
      left.offsets[aOrdinal]!,
      left.offsets[aOrdinal + 1]!,
      right.bytes,
      right.offsets[bOrdinal]!,
      right.offsets[bOrdinal + 1]!,
    )
  }
}

/** Postings of one term from several inputs, to be sorted by new document. */
class PostingSorter {
  readonly docs = new IntList(64)
  readonly freqs = new IntList(64)
  readonly positions = new IntList(64)
  readonly #positionEnds = new IntList(64)

  clear(): void {
    this.docs.length = this.freqs.length = this.positions.length = this.#positionEnds.length = 0
  }

  gather(from: PostingsReader, hasPositions: boolean, docMap: Int32Array): void {
    while (from.nextBlock()) {
      for (let i = 0; i < from.count; i++) {
        const doc = docMap[from.docs[i]!]!
        if (doc < 0) continue
        this.docs.push(doc)
        this.freqs.push(from.freqs[i]!)
        if (hasPositions) {
          const count = from.readPositions(i)
          for (let p = 0; p < count; p++) this.positions.push(from.positions[p]!)
        }
        this.#positionEnds.push(this.positions.length)
      }
    }
  }

  inOrder(): Int32Array {
    const docs = this.docs.array
    const order = new Int32Array(this.docs.length)
    for (let i = 0; i < order.length; i++) order[i] = i
    return order.sort((a, b) => docs[a]! - docs[b]!)
  }

  positionStart(entry: number): number {
    return entry === 0 ? 0 : this.#positionEnds.array[entry - 1]!
  }

  positionEnd(entry: number): number {
    return this.#positionEnds.array[entry]!
  }
}

function mergeNorms(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  inputs: readonly MergeInput[],
  order: MergeOrder,
): Uint8Array {
  const norms = new Uint8Array(order.docCount)
  const present = new Uint32Array(wordsFor(order.docCount))
  let presenceNeeded = false
  inputs.forEach(({ reader }, input) => {
    const old = reader.norms(name)
    if (old === undefined) return
    const oldPresent = reader.normsPresence(name)
    const docMap = order.docMaps[input]!
    for (let doc = 0; doc < docMap.length; doc++) {
      const to = docMap[doc]!
      if (to < 0) continue
      norms[to] = old[doc]!
      const has = oldPresent === undefined ? old[doc] !== 0 : hasBit(oldPresent, doc)
      if (has) setBit(present, to)
      if (has && old[doc] === 0) presenceNeeded = true
    }
  })
  writeNorms(out, name, info, norms, presenceNeeded ? present : undefined)
  return norms
}

function mergeOrdinals(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  inputs: readonly MergeInput[],
  order: MergeOrder,
  ordinalMaps: readonly Int32Array[],
): void {
  const allDocValues = inputs.map(({ reader }) => reader.sortedSetDocValues(name))
  const total = allDocValues.reduce((sum, docValues) => sum + (docValues?.valueCount ?? 0), 0)
  const docs = new Int32Array(total)
  const ordinals = new Float64Array(total)
  let count = 0
  for (let doc = 0; doc < order.docCount; doc++) {
    const docValues = allDocValues[order.fromInput[doc]!]
    if (docValues === undefined) continue
    const map = ordinalMaps[order.fromInput[doc]!]!
    const end = docValues.end(order.fromDoc[doc]!)
    for (let slot = docValues.start(order.fromDoc[doc]!); slot < end; slot++) {
      docs[count] = doc
      ordinals[count++] = map[docValues.ordinalAt(slot)]!
    }
  }
  writeSortedSetDocValues(out, name, info, docs.subarray(0, count), ordinals.subarray(0, count), order.docCount)
}
