/**
 * Doc values that are built from computed values. They have the encoding of a segment file, so that queries, sorts and
 * aggregations read them at the same speed.
 *
 * A document whose script failed has a failure instead of values. It is thrown when the document is read. Scorers use
 * `unfailing`, in which such documents have no values, and decide themselves which of them the search really visits.
 */
import type { DocFailures } from '../segment/segment-reader-api.ts'
import { ComputedNumbers } from './computed-numbers.ts'
import { ComputedPoints } from './computed-points.ts'
import { ComputedTerms } from './computed-terms.ts'
import type { AnyCollector, LongCollector, NumberCollector, PointCollector, TermCollector } from './value-collector.ts'

export type ComputedDocValues = ComputedNumbers | ComputedTerms | ComputedPoints

/** Builds the doc values from the values collected for the documents of a segment. */
export function computedDocValues(
  collector: AnyCollector,
  docCount: number,
  failures: DocFailures | undefined,
): ComputedDocValues {
  switch (collector.kind) {
    case 'term':
      return ComputedTerms.of(collector as TermCollector, docCount, failures)
    case 'geo':
      return ComputedPoints.of(collector as PointCollector, docCount, failures)
    default:
      return ComputedNumbers.of(collector as NumberCollector | LongCollector, docCount, failures)
  }
}
