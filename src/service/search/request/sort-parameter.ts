/** The part of the sort grammar that the query string uses. */
export { type SortSpec, sortBy } from '../../../engine/request/sort/sort-spec.ts'
