/** `minimum_should_match`: `2`, `-1`, `75%`, `-25%`, `3<90%`, `2<-25% 9<-3`. */
import { notANumber } from '../../../base/api-error.ts'

/** The number of `optional` clauses that must match. */
export function minimumShouldMatch(optional: number, spec: string): number {
  return Math.max(0, calculate(optional, spec.trim()))
}

function calculate(optional: number, spec: string): number {
  if (spec.includes('<')) {
    let result = optional
    for (const part of spec.replace(/\s*<\s*/g, '<').split(/\s+/)) {
      const [bound, rest] = part.split('<', 2)
      if (optional <= parseWhole(bound ?? '')) return result
      result = calculate(optional, rest ?? '')
    }
    return result
  }
  if (spec.endsWith('%')) {
    const percent = parseWhole(spec.slice(0, -1))
    const share = Math.fround(Math.fround(optional * percent) * Math.fround(1 / 100))
    // A negative percentage counts from the total, even if it is less than one clause.
    return share < 0 ? optional + Math.trunc(share) : Math.trunc(share)
  }
  const count = parseWhole(spec)
  return count < 0 ? optional + count : count
}

function parseWhole(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw notANumber(text)
  return Number(text)
}
