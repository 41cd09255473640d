import type { ValueSource } from '../../value-source.ts'

/** Under which name segments know the field of a source. */
export const columnName = ({ field }: ValueSource) => field?.schema?.name ?? field?.name ?? ''
