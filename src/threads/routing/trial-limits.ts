/**
 * Which searches over many documents the main thread tries, and how much it may put into them. A hop to another thread and back
 * costs more than a search that finds its hits without looking at much; but whatever the main thread does, others wait for.
 */
import type { WorkLimits } from '../../service/search/request-guard.ts'
import type { ExpectedWork } from './expected-work.ts'

/** A hundred windows of documents: about a millisecond. */
const TRY: WorkLimits = { steps: 100 }
/** While nobody else waits: some milliseconds, for which another thread would take a third more. */
const TRY_AGGREGATION: WorkLimits = { steps: 200 }
/** Steps of phrases and the like take long; the time is more than most searches take before their code is compiled. */
const TRY_ALONE: WorkLimits = { steps: 300, ms: 30 }
/** Far more than any search over few documents takes that ends at all soon. */
export const SMALL_LIMITS: WorkLimits = { steps: 5_000, ms: 100 }

/** Up to so many documents aggregations that measure take a few milliseconds. */
const MEASURED_DOCS_MAX = 150_000
const NESTED_DOCS_MAX = 1_000_000
const COMPOSITE_DOCS_MAX = 1_000_000

/** Undefined: another thread is to do it from the start. */
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
