/** The fetch options of a hit, and the members of a hit that come from its document. */

import type { RawJson } from '../../../base/json/json-writer.ts'
import type { FieldAndFormat } from '../../request/fields.ts'
import type { HighlightRequest } from '../../request/highlight/highlight-options.ts'
import type { ScriptField } from '../../request/script-fields.ts'
import type { SourceSelection } from '../../request/source-selection.ts'
import type { Explanation } from '../../scoring/explanation.ts'
import type { Query } from '../../scoring/query.ts'
import type { LookupValue } from './lookup-value.ts'
import type { NestedStep } from './nested-place.ts'

export interface FetchRequest {
  /** Whether `_source` is shown, and which parts of it; undefined shows it unless stored fields were requested. */
  readonly source: SourceSelection | undefined
  /** Undefined if not given. `none` omits even the id. */
  readonly storedFields: readonly string[] | 'none' | undefined
  readonly docvalueFields: readonly FieldAndFormat[]
  readonly fields: readonly FieldAndFormat[]
  readonly scriptFields?: readonly ScriptField[]
  readonly version: boolean
  readonly seqNoPrimaryTerm: boolean
  readonly highlight: HighlightRequest | undefined
  /** The query of the search: highlights mark it, and its `nested` clauses may have inner hits. */
  readonly query: Query | undefined
  /** `post_filter`, whose `nested` clauses may have inner hits, too. */
  readonly postFilter?: Query | undefined
}

/** The members of a hit that come from the document, in response order. Undefined ones are omitted. */
export interface FetchedHit {
  readonly _id: string | undefined
  readonly _version: number | undefined
  readonly _seq_no: number | undefined
  readonly _primary_term: number | undefined
  readonly _routing: string | undefined
  readonly _ignored: readonly string[] | undefined
  readonly _source: RawJson | undefined
  readonly fields: Record<string, unknown[]> | undefined
  readonly ignored_field_values: Record<string, unknown[]> | undefined
  /** Values of `lookup` fields, which are read from other indices when all hits are known. */
  readonly lookups?: Readonly<Record<string, readonly LookupValue[]>> | undefined
  readonly highlight: Record<string, string[]> | undefined
  /** The position of a nested object in its document; empty for documents. */
  readonly nestedSteps: readonly NestedStep[]
  readonly innerHits: readonly InnerHits[]
}

export interface InnerHit {
  readonly fetched: FetchedHit
  /** NaN if scores were not computed. */
  readonly score: number
  /** In response form; undefined without a sort. */
  readonly sort: readonly unknown[] | undefined
  readonly matchedQueries: readonly string[]
  /** The score explanation of the object, if requested. */
  readonly explanation: Explanation | undefined
}

export interface InnerHits {
  readonly name: string
  readonly total: number
  readonly maxScore: number
  readonly hits: readonly InnerHit[]
}
