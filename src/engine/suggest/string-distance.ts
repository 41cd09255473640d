/** The similarity of two words, from 0 to 1, computed in single precision as Lucene does. */

import type { StringDistance } from '../request/suggest/suggester-options.ts'

const float = Math.fround

export function similarity(distance: StringDistance, a: string, b: string): number {
  switch (distance) {
    case 'internal':
    case 'damerau_levenshtein':
      return byEdits(a, b, true, Math.min)
    case 'levenshtein':
      return byEdits(a, b, false, Math.max)
    case 'jaro_winkler':
      return jaroWinkler(a, b)
    case 'ngram':
      return bigrams(a, b)
  }
}

/** Lucene relates edits to the shorter word if letters may be swapped, otherwise to the longer one. */
function byEdits(a: string, b: string, transpositions: boolean, lengthOf: (a: number, b: number) => number): number {
  const left = [...a]
  const right = [...b]
  const length = lengthOf(left.length, right.length)
  if (length === 0) return left.length === right.length ? 1 : 0
  return float(1 - float(editDistance(left, right, transpositions) / length))
}

function editDistance(a: readonly string[], b: readonly string[], transpositions: boolean): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost)
      const swapped = transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) best = Math.min(best, rows[i - 2]![j - 2]! + 1)
      row.push(best)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

const WINKLER_THRESHOLD = float(0.7)

function jaroWinkler(a: string, b: string): number {
  const [longer, shorter] = a.length > b.length ? [a, b] : [b, a]
  const range = Math.max(Math.floor(longer.length / 2) - 1, 0)
  const taken = new Array<boolean>(longer.length).fill(false)
  const matched: string[] = []
  for (let i = 0; i < shorter.length; i++) {
    const to = Math.min(i + range + 1, longer.length)
    for (let j = Math.max(i - range, 0); j < to; j++) {
      if (taken[j] || shorter[i] !== longer[j]) continue
      taken[j] = true
      matched.push(shorter[i]!)
      break
    }
  }
  const matches = matched.length
  if (matches === 0) return 0
  const inLonger = [...longer].filter((_, j) => taken[j])
  let swaps = 0
  for (let i = 0; i < matches; i++) if (matched[i] !== inLonger[i]) swaps++
  const transpositions = Math.floor(swaps / 2)
  const shares = float(float(matches / a.length) + float(matches / b.length))
  const jaro = float(float(shares + float((matches - transpositions) / matches)) / 3)
  if (jaro < WINKLER_THRESHOLD) return jaro
  let prefix = 0
  while (prefix < shorter.length && a[prefix] === b[prefix]) prefix++
  const step = float(Math.min(0.1, 1 / longer.length))
  return float(jaro + float(float(step * prefix) * float(1 - jaro)))
}

/** Edits on pairs of letters: a replaced pair costs the fraction of its letters that differ. */
function bigrams(source: string, target: string): number {
  const n = 2
  const length = source.length
  if (length === 0 || target.length === 0) return length === target.length ? 1 : 0
  if (length < n || target.length < n) {
    let same = 0
    for (let i = 0; i < Math.min(length, target.length); i++) if (source[i] === target[i]) same++
    return float(same / Math.max(length, target.length))
  }
  // A padding character before the first letter, which never equals a real one.
  const pad = '\0'
  const padded = pad.repeat(n - 1) + source
  let previous = Array.from({ length: length + 1 }, (_, i) => i)
  for (let j = 1; j <= target.length; j++) {
    const gram = j < n ? pad.repeat(n - j) + target.slice(0, j) : target.slice(j - n, j)
    const row = [j]
    for (let i = 1; i <= length; i++) {
      let cost = 0
      let counted = n
      for (let k = 0; k < n; k++) {
        if (padded[i - 1 + k] !== gram[k]) cost++
        else if (padded[i - 1 + k] === pad) counted--
      }
      row.push(Math.min(row[i - 1]! + 1, previous[i]! + 1, float(previous[i - 1]! + float(cost / counted))))
    }
    previous = row
  }
  return float(1 - float(previous[length]! / Math.max(target.length, length)))
}
