/** Compares sort values of hits with those of `search_after`. */
import { isIP } from 'node:net'
import { numberOf } from './answer-tree.ts'

/**
 * Whether a hit has the values after which a search begins, up to but not including `end`. A format of dates may be less exact than their values,
 * so that a search begins before the hit that it was made from. Undefined if the forms of the values do not tell: a number may be given as a date.
 */
export function haveSameValues(
  values: readonly unknown[],
  given: readonly unknown[],
  end: number,
): boolean | undefined {
  let isSame: boolean | undefined = true
  for (let i = 0; i < end; i++) {
    const isSameValue = compareForms(values[i], given[i])
    if (isSameValue === false) return false
    if (isSameValue === undefined) isSame = undefined
  }
  return isSame
}

function compareForms(value: unknown, given: unknown): boolean | undefined {
  if (value === null || given === null) return value === given ? true : undefined
  const a = numberOf(value)
  const b = numberOf(given) ?? (typeof given === 'string' && given.trim() !== '' ? numberIn(given) : undefined)
  if (a === undefined) return isSameText(String(value), String(given))
  if (b === undefined) return undefined
  if (typeof value === 'bigint' && typeof given === 'bigint') return value === given
  if (a === b) return true
  // A sort by floats rounds the values that it is given.
  return Math.fround(a) === Math.fround(b) && !Number.isInteger(a) ? undefined : false
}

function isSameText(value: string, given: string): boolean | undefined {
  if (value === given) return true
  // An address has several forms.
  return isIP(value) !== 0 && isIP(given) !== 0 ? undefined : false
}

function numberIn(text: string): number | undefined {
  const number = Number(text)
  return Number.isNaN(number) ? undefined : number
}
