/** What the fetch of a hit asks for, and the members of a hit that come from its document. */

import type { RawJson } from '../../../base/json/json-writer.ts'
import type { FieldAndFormat } from '../../request/fields.ts'
import type { HighlightRequest } from '../../request/highlight/highlight-options.ts'
import type { ScriptField } from '../../request/script-fields.ts'
import type { SourceSelection } from '../../request/source-selection.ts'
import type { Explanation } from '../../scoring/explanation.ts'
import type { Query } from '../../scoring/query.ts'
import type { NestedStep } from './nested-place.ts'

export interface FetchRequest {
  /** Whether `_source` is shown, and which parts of it; undefined shows it unless stored fields were asked for. */
  readonly source: SourceSelection | undefined
  /** Undefined: nothing said. `none` leaves out even the id. */
  readonly storedFields: readonly string[] | 'none' | undefined
  readonly docvalueFields: readonly FieldAndFormat[]
  readonly fields: readonly FieldAndFormat[]
  readonly scriptFields?: readonly ScriptField[]
  readonly version: boolean
  readonly seqNoPrimaryTerm: boolean
  readonly highlight: HighlightRequest | undefined
  /** What the search looked for: highlights mark it, and its `nested` clauses may ask for inner hits. */
  readonly query: Query | undefined
}

/** The members of a hit that come from the document, in the order of the answer. Undefined ones are left out. */
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
  readonly highlight: Record<string, string[]> | undefined
  /** Where a nested object stands in its document; empty for documents. */
  readonly nestedSteps: readonly NestedStep[]
  readonly innerHits: readonly InnerHits[]
}

export interface InnerHit {
  readonly fetched: FetchedHit
  /** NaN when scores were not computed. */
  readonly score: number
  /** As the answer shows it; undefined without a sort. */
  readonly sort: readonly unknown[] | undefined
  readonly matchedQueries: readonly string[]
  /** Why the object has its score, when that was asked for. */
  readonly explanation: Explanation | undefined
}

export interface InnerHits {
  readonly name: string
  readonly total: number
  readonly maxScore: number
  readonly hits: readonly InnerHit[]
}
