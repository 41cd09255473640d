/**
 * A flattened field of a segment with granted keys only. Its two physical fields, the values of all keys (`labels`) and
 * the values with their keys (`labels._keyed`), have the terms and doc values that a segment would have if the values of
 * other keys had never been written. They are made once for each segment and caller, and only if a key is hidden.
 */
import type { MemoryClaim } from '../../base/memory/circuit-breakers.ts'
import { breakers } from '../../base/memory/process-memory.ts'
import type { SegmentReader, SortedSetDocValues, TermsReader } from '../segment/segment-reader-api.ts'
import type { FieldGrants } from './field-grants.ts'
import { ListedPostings, unionOfDocs } from './listed-postings.ts'
import { SelectedOrdinals } from './selected-ordinals.ts'
import { SelectedTerms, TermSelection, type Texts } from './term-selection.ts'

const KEYED_SUFFIX = '._keyed'
/** Between the key and the value of a keyed term. */
const SEPARATOR = 0

/** The path of the flattened field that a physical field belongs to; undefined for other fields. */
export function flattenedPath(name: string, stored: ReadonlySet<string>): string | undefined {
  if (stored.has(`${name}${KEYED_SUFFIX}`)) return name
  const root = name.endsWith(KEYED_SUFFIX) ? name.slice(0, -KEYED_SUFFIX.length) : undefined
  return root !== undefined && stored.has(root) ? root : undefined
}

const CLAIM_RELEASES = new FinalizationRegistry<MemoryClaim>((claim) => claim.release())

export class FlattenedSubset {
  readonly #reader: SegmentReader
  readonly #path: string
  readonly #grants: FieldGrants
  readonly #keyed: string
  /** The ordinals of the granted keyed terms; undefined if all are granted. */
  readonly #granted: Int32Array | undefined
  readonly #selections = new Map<string, TermSelection>()
  readonly #docValues = new Map<string, SelectedOrdinals>()
  readonly #claim: MemoryClaim
  #bytes = 0

  /** Undefined if the two physical fields are not those of a flattened field. */
  static of(reader: SegmentReader, path: string, grants: FieldGrants): FlattenedSubset | undefined {
    const dictionary = dictionaryOf(reader, `${path}${KEYED_SUFFIX}`)
    const granted = dictionary && grantedTerms(dictionary, path, grants)
    return granted && new FlattenedSubset(reader, path, grants, granted)
  }

  private constructor(reader: SegmentReader, path: string, grants: FieldGrants, { ordinals, isWhole }: GrantedTerms) {
    this.#reader = reader
    this.#path = path
    this.#keyed = `${path}${KEYED_SUFFIX}`
    this.#grants = grants
    this.#granted = isWhole ? undefined : ordinals
    this.#claim = breakers().fielddata.claim(path)
    CLAIM_RELEASES.register(this, this.#claim)
    this.#count(isWhole ? 0 : ordinals.byteLength)
  }

  /** Throws when the breaker for fielddata has no room. */
  #count(bytes: number): void {
    this.#bytes += bytes
    this.#claim.resize(this.#bytes)
  }

  /** Whether a physical field has values for the caller. */
  has(name: string): boolean {
    if (name === this.#path && !this.#grants.has(name)) return false
    return this.#granted === undefined || this.#granted.length > 0
  }

  hasKey(key: string): boolean {
    return this.#grants.has(`${this.#path}.${key}`)
  }

  terms(name: string): TermsReader | undefined {
    if (!this.has(name)) return undefined
    if (this.#granted === undefined) return this.#reader.terms(name)
    const all = this.#reader.terms(this.#keyed)
    return all && new SelectedTerms(this.#selection(name, all), all, this.#reader.docCount)
  }

  sortedSetDocValues(name: string): SortedSetDocValues | undefined {
    if (!this.has(name)) return undefined
    if (this.#granted === undefined) return this.#reader.sortedSetDocValues(name)
    let docValues = this.#docValues.get(name)
    if (docValues !== undefined) return docValues
    const all = this.#reader.sortedSetDocValues(this.#keyed)
    if (all === undefined) return undefined
    docValues = new SelectedOrdinals(this.#selection(name, textsOf(all)!), all, this.#reader.docCount)
    this.#count(docValues.byteLength)
    this.#docValues.set(name, docValues)
    return docValues
  }

  /** The documents with a value of a granted key, if some keys are hidden; undefined without an inverted index. */
  docs(): ListedPostings | undefined {
    const all = this.#reader.terms(this.#keyed)
    if (all === undefined || this.#granted === undefined) return undefined
    const lists = Array.from(this.#granted, (ordinal) => all.postings(ordinal, false))
    return new ListedPostings(unionOfDocs(lists, this.#reader.docCount))
  }

  get isWhole(): boolean {
    return this.#granted === undefined
  }

  #selection(name: string, all: Texts): TermSelection {
    let selection = this.#selections.get(name)
    if (selection !== undefined) return selection
    const granted = this.#granted!
    selection =
      name === this.#keyed
        ? TermSelection.of(all, granted)
        : TermSelection.withoutPrefixes(all, granted, (ordinal) => separatorOf(all, ordinal) + 1)
    this.#count(selection.byteLength)
    this.#selections.set(name, selection)
    return selection
  }
}

interface Dictionary extends Texts {
  readonly termCount: number
  find(term: Uint8Array): number
}

function dictionaryOf(reader: SegmentReader, name: string): Dictionary | undefined {
  const terms = reader.terms(name)
  if (terms !== undefined) return terms
  const docValues = reader.sortedSetDocValues(name)
  const texts = docValues && textsOf(docValues)
  if (docValues === undefined || texts === undefined) return undefined
  return { ...texts, termCount: docValues.termCount, find: (term) => docValues.find(term) }
}

function textsOf({ termBytes, termOffsets }: SortedSetDocValues): Texts | undefined {
  return termBytes === undefined || termOffsets === undefined ? undefined : { termBytes, termOffsets }
}

interface GrantedTerms {
  readonly ordinals: Int32Array
  readonly isWhole: boolean
}

/** The terms of granted keys, or undefined if a term has no key. The terms of a key are adjacent. */
function grantedTerms(dictionary: Dictionary, path: string, grants: FieldGrants): GrantedTerms | undefined {
  const { termCount, termBytes, termOffsets } = dictionary
  const ordinals = new Int32Array(termCount)
  let count = 0
  for (let ordinal = 0; ordinal < termCount; ) {
    const separator = separatorOf(dictionary, ordinal)
    if (separator < 0) return undefined
    const key = Buffer.from(termBytes.subarray(termOffsets[ordinal]!, separator))
    const next = firstBehind(dictionary, key)
    if (grants.has(`${path}.${key}`)) for (let i = ordinal; i < next; i++) ordinals[count++] = i
    ordinal = next
  }
  return { ordinals: ordinals.slice(0, count), isWhole: count === termCount }
}

/** Where the key of a term ends; -1 if it has none. */
function separatorOf({ termBytes, termOffsets }: Texts, ordinal: number): number {
  const at = termBytes.indexOf(SEPARATOR, termOffsets[ordinal]!)
  return at < termOffsets[ordinal + 1]! ? at : -1
}

/** The first term behind those of a key. */
function firstBehind(dictionary: Dictionary, key: Uint8Array): number {
  const found = dictionary.find(Buffer.concat([key, Buffer.from([SEPARATOR + 1])]))
  return found >= 0 ? found : -found - 1
}
