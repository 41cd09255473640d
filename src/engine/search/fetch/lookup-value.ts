/** A value of a `lookup` field: the document that has it, to be found in another index after the hits are known. */
export interface LookupValue {
  readonly targetIndex: string
  readonly targetField: string
  readonly value: string
  /** The `fields` of the search for the document. */
  readonly fetchFields: unknown
}
