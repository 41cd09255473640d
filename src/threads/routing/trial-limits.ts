/**
 * Decides which searches over many documents the main thread tries, and with which limits. Switching to another thread
 * and back costs more than a search that reads few documents, but other requests wait while the main thread works.
 */
import type { WorkLimits } from '../../service/search/request-guard.ts'
import type { ExpectedWork } from './expected-work.ts'

/** A hundred windows of documents take about a millisecond. */
const TRY: WorkLimits = { steps: 100 }
/** While no other client waits: some milliseconds, which would take a third longer in another thread. */
const TRY_AGGREGATION: WorkLimits = { steps: 200 }
/**
 * Steps of phrases take long, so there is also a time limit. It is longer than most searches take before their code is
 * compiled.
 */
const TRY_ALONE: WorkLimits = { steps: 300, ms: 30 }
/** Far more than an ordinary search over few documents needs. */
export const SMALL_LIMITS: WorkLimits = { steps: 5_000, ms: 100 }

/** Up to this many documents, aggregations with metrics take a few milliseconds. */
const MEASURED_DOCS_MAX = 150_000
const NESTED_DOCS_MAX = 1_000_000
const COMPOSITE_DOCS_MAX = 1_000_000

/** Undefined if another thread should run the search from the start. */
export function trialLimits(
  { isCostly, aggregates, measures, isNested, isCompositePage }: ExpectedWork,
  docs: number,
  isAlone: boolean | undefined,
): WorkLimits | undefined {
  if (isCompositePage ? docs >= COMPOSITE_DOCS_MAX : isCostly) return undefined
  if (aggregates && isAlone === false) return undefined
  if (!isCompositePage && measures && docs >= MEASURED_DOCS_MAX) return undefined
  if (isNested && (aggregates || docs >= NESTED_DOCS_MAX)) return undefined
  if (isAlone !== true) return TRY
  if (!aggregates) return TRY_ALONE
  return docs < MEASURED_DOCS_MAX ? TRY_AGGREGATION : TRY
}
