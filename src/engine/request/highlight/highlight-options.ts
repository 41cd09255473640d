/** The highlight options of a field. */
import type { Query } from '../../scoring/query.ts'

export type BoundaryScanner = 'chars' | 'word' | 'sentence'

export interface HighlightOptions {
  readonly type: string
  readonly preTags: readonly string[]
  readonly postTags: readonly string[]
  /** Best fragments first and not in text order. */
  readonly byScore: boolean
  readonly fragmentSize: number
  /** Zero highlights the whole value. */
  readonly fragmentCount: number
  /** Whether only matches of queries on this field are highlighted. */
  readonly requireFieldMatch: boolean
  readonly boundaryScanner: BoundaryScanner | undefined
  readonly boundaryMaxScan: number
  readonly boundaryChars: string
  readonly fragmenter: string | undefined
  /** Length of the excerpt for a field without a match; zero shows none. */
  readonly noMatchSize: number
  readonly encodeHtml: boolean
  readonly maxAnalyzedOffset: number | undefined
  readonly phraseLimit: number
  readonly fragmentOffset: number
  readonly matchedFields: readonly string[]
  /** Highlighted in place of the search's own query. */
  readonly query: Query | undefined
}

export const DEFAULT_OPTIONS: HighlightOptions = {
  type: 'unified',
  preTags: ['<em>'],
  postTags: ['</em>'],
  byScore: false,
  fragmentSize: 100,
  fragmentCount: 5,
  requireFieldMatch: true,
  boundaryScanner: undefined,
  boundaryMaxScan: 20,
  boundaryChars: '.,!? \t\n',
  fragmenter: undefined,
  noMatchSize: 0,
  encodeHtml: false,
  maxAnalyzedOffset: undefined,
  phraseLimit: 256,
  fragmentOffset: 0,
  matchedFields: [],
  query: undefined,
}

export interface HighlightedField {
  /** A name or a name pattern. */
  readonly field: string
  readonly options: HighlightOptions
}

export type HighlightRequest = readonly HighlightedField[]
