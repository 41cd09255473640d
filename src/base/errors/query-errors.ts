/** Errors for members of queries, sorts and slices that are missing or have an invalid value. */
import { illegalArgument } from '../api-error.ts'

export const fieldNameMissing = () => illegalArgument('field name is null or empty')

export const noRangeQueries = (field: string, type: string) =>
  illegalArgument(`Field [${field}] of type [${type}] does not support range queries`)

export const requiredMember = (name: string) => illegalArgument(`Required [${name}]`)

export const sliceIdNegative = () => illegalArgument('id must be greater than or equal to 0')

export const sliceMaxTooSmall = () => illegalArgument('max must be greater than id')

export const spanFieldsDiffer = () => illegalArgument('Clauses must have same field.')

export const unknownSortMode = (mode: string) => illegalArgument(`Illegal sort mode: ${mode}`)

export const valueMissing = () => illegalArgument('value cannot be null')

/** A member that a join query lacks. */
export const requiresField = (clause: string, member: string) =>
  illegalArgument(`[${clause}] requires '${member}' field`)

export const unknownChildScoreMode = (mode: string) => illegalArgument(`No score mode for child query [${mode}] found`)
