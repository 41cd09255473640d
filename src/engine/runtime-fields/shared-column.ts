/** Computed doc values as plain data for another thread. Large arrays are in shared memory and are not copied. */
import { leaveToGarbageCollector } from './column-memory.ts'
import type { ComputedDocValues } from './computed-doc-values.ts'
import { ComputedNumbers, type SharedNumbers } from './computed-numbers.ts'
import { ComputedPoints, type PointContents } from './computed-points.ts'
import { ComputedTerms, type SharedTerms } from './computed-terms.ts'

export type SharedColumn =
  | { readonly kind: 'numbers'; readonly contents: SharedNumbers }
  | { readonly kind: 'terms'; readonly contents: SharedTerms }
  | { readonly kind: 'points'; readonly contents: PointContents }

/** Undefined if documents failed: only the thread that ran the script can repeat the failure. */
export function shareColumn(values: ComputedDocValues): SharedColumn | undefined {
  if (values.failures !== undefined) return undefined
  const shared = columnOf(values)
  leaveArrays(shared.contents)
  return shared
}

function leaveArrays(contents: object): void {
  for (const member of Object.values(contents)) {
    if (ArrayBuffer.isView(member)) leaveToGarbageCollector(member)
    else if (typeof member === 'object' && member !== null) leaveArrays(member)
  }
}

function columnOf(values: ComputedDocValues): SharedColumn {
  if (values instanceof ComputedNumbers) return { kind: 'numbers', contents: values.shared() }
  if (values instanceof ComputedTerms) return { kind: 'terms', contents: values.shared() }
  return { kind: 'points', contents: values.shared() }
}

export function sharedDocValues({ kind, contents }: SharedColumn): ComputedDocValues {
  switch (kind) {
    case 'numbers':
      return ComputedNumbers.ofShared(contents)
    case 'terms':
      return ComputedTerms.ofShared(contents)
    default:
      return new ComputedPoints(contents)
  }
}
