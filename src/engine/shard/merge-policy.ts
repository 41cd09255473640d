/**
 * Which segments to merge, as Lucene's tiered policy decides it: sizes of the same order are merged together, up to
 * `segmentsPerTier` at a time, once there are more segments than a staircase of such tiers would hold. Segments count
 * by the bytes of what a merge would keep of them, so that one with many deletes is merged sooner.
 */

export interface MergeCandidate {
  readonly name: string
  readonly fileBytes: number
  readonly docCount: number
  /** Documents that a merge keeps. */
  readonly keptCount: number
}

export interface MergePolicySettings {
  readonly segmentsPerTier: number
  readonly maxMergeAtOnce: number
  readonly floorSegmentBytes: number
  readonly maxMergedSegmentBytes: number
  /** A shard with more deleted documents than this, in percent, is merged to get rid of them. */
  readonly deletesPercentAllowed: number
}

export const DEFAULT_MERGE_SETTINGS: MergePolicySettings = {
  segmentsPerTier: 10,
  maxMergeAtOnce: 10,
  floorSegmentBytes: 2 * 1024 * 1024,
  maxMergedSegmentBytes: 5 * 1024 ** 3,
  deletesPercentAllowed: 20,
}

const keptBytes = ({ fileBytes, docCount, keptCount }: MergeCandidate): number =>
  docCount === 0 ? 0 : fileBytes * (keptCount / docCount)

/** The best merge to run now, or undefined when there are few enough segments. Those being merged are left out. */
export function findMerge(
  segments: readonly MergeCandidate[],
  settings: MergePolicySettings,
): readonly MergeCandidate[] | undefined {
  const bySize = [...segments].sort((a, b) => keptBytes(b) - keptBytes(a) || (a.name < b.name ? -1 : 1))
  const tooManyDeletes = deletedPercent(segments) > settings.deletesPercentAllowed
  // Half the limit: two such segments would already make more than it.
  const eligible = bySize.filter(
    (segment) =>
      keptBytes(segment) <= settings.maxMergedSegmentBytes / 2 ||
      (tooManyDeletes && segment.keptCount < segment.docCount),
  )
  if (eligible.length === 0) return undefined
  if (eligible.length > allowedSegments(eligible, settings)) {
    const merge = bestMerge(eligible, settings)
    if (merge !== undefined) return merge
  }
  return tooManyDeletes ? worstDeletes(eligible, settings) : undefined
}

/** How many segments the tiers hold, one tier at least: each tier `segmentsPerTier` segments, `maxMergeAtOnce` times the size of the last. */
function allowedSegments(eligible: readonly MergeCandidate[], settings: MergePolicySettings): number {
  let bytesLeft = eligible.reduce((sum, segment) => sum + keptBytes(segment), 0)
  let levelBytes = Math.max(settings.floorSegmentBytes, keptBytes(eligible.at(-1)!))
  let allowed = 0
  for (;;) {
    const segmentsOnLevel = bytesLeft / levelBytes
    if (segmentsOnLevel < settings.segmentsPerTier) {
      return Math.max(allowed + Math.ceil(segmentsOnLevel), settings.segmentsPerTier)
    }
    allowed += settings.segmentsPerTier
    bytesLeft -= settings.segmentsPerTier * levelBytes
    levelBytes = Math.min(levelBytes * settings.maxMergeAtOnce, settings.maxMergedSegmentBytes)
  }
}

/** The cheapest window of segments of neighbouring sizes: balanced, small, and rich in deletes. */
function bestMerge(
  eligible: readonly MergeCandidate[],
  settings: MergePolicySettings,
): readonly MergeCandidate[] | undefined {
  let best: readonly MergeCandidate[] | undefined
  let bestScore = Number.POSITIVE_INFINITY
  for (let start = 0; start < eligible.length - 1; start++) {
    const window: MergeCandidate[] = []
    let bytes = 0
    for (let i = start; i < eligible.length && window.length < settings.maxMergeAtOnce; i++) {
      if (bytes + keptBytes(eligible[i]!) > settings.maxMergedSegmentBytes) continue
      bytes += keptBytes(eligible[i]!)
      window.push(eligible[i]!)
    }
    // A short window at the small end would be merged again at once, with whatever comes next.
    if (window.length < 2 || (window.length < settings.maxMergeAtOnce && best !== undefined)) continue
    const score = scoreOf(window, bytes, settings)
    if (score < bestScore) {
      best = window
      bestScore = score
    }
  }
  return best
}

function scoreOf(window: readonly MergeCandidate[], bytes: number, settings: MergePolicySettings): number {
  const floored = (segment: MergeCandidate) => Math.max(keptBytes(segment), settings.floorSegmentBytes)
  const flooredBytes = window.reduce((sum, segment) => sum + floored(segment), 0)
  const skew = floored(window[0]!) / flooredBytes
  const fileBytes = window.reduce((sum, segment) => sum + segment.fileBytes, 0)
  const keptShare = fileBytes === 0 ? 1 : bytes / fileBytes
  return skew * Math.max(bytes, 1) ** 0.05 * keptShare ** 2
}

/** One segment rewritten without its dead documents. Small ones are merged soon enough for other reasons. */
function worstDeletes(
  eligible: readonly MergeCandidate[],
  settings: MergePolicySettings,
): readonly MergeCandidate[] | undefined {
  const share = (segment: MergeCandidate) => 1 - segment.keptCount / segment.docCount
  const large = eligible.filter((segment) => segment.fileBytes >= settings.floorSegmentBytes && share(segment) > 0)
  return large.length === 0 ? undefined : [large.reduce((a, b) => (share(b) > share(a) ? b : a))]
}

function deletedPercent(segments: readonly MergeCandidate[]): number {
  let docs = 0
  let live = 0
  for (const segment of segments) {
    docs += segment.docCount
    live += segment.keptCount
  }
  return docs === 0 ? 0 : (100 * (docs - live)) / docs
}

/** What `_forcemerge` merges next: the smallest segments, the larger first, until no more than `maxSegments` are left. */
export function findForcedMerge(
  segments: readonly MergeCandidate[],
  options: { maxSegments: number; onlyExpungeDeletes: boolean },
): readonly MergeCandidate[] | undefined {
  if (options.onlyExpungeDeletes) {
    const dirty = segments.filter(({ docCount, keptCount }) => (docCount - keptCount) / docCount > 0.1)
    return dirty.length === 0 ? undefined : dirty
  }
  const bySize = [...segments].sort((a, b) => keptBytes(b) - keptBytes(a))
  const excess = segments.length - options.maxSegments
  if (excess > 0) return bySize.slice(-excess - 1)
  // At one segment per shard, the wish is also to be rid of deleted documents.
  return options.maxSegments === 1 && segments[0] !== undefined && segments[0].keptCount < segments[0].docCount
    ? segments
    : undefined
}
