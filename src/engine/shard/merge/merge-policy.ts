/**
 * Selects segments to merge like Lucene's tiered policy: segments of similar size are merged together, up to
 * `segmentsPerTier` at a time, once there are more segments than the tiers allow. A segment counts by the bytes that a
 * merge would keep, so that one with many deletes is merged sooner.
 */

export interface MergeCandidate {
  /** Segment names of a shard count up from 1. */
  readonly number: number
  /** The position in the shard's list: its documents follow those of all segments before it. */
  readonly position: number
  /** The size in Lucene's files (`lucene-size.ts`). */
  readonly bytes: number
  readonly docCount: number
  /** Documents that a merge keeps. */
  readonly keptCount: number
}

export interface MergePolicySettings {
  readonly segmentsPerTier: number
  readonly maxMergeAtOnce: number
  readonly floorSegmentBytes: number
  readonly maxMergedSegmentBytes: number
  /** A shard with a higher percentage of deleted documents is merged to remove them. */
  readonly deletesPercentAllowed: number
}

export const DEFAULT_MERGE_SETTINGS: MergePolicySettings = {
  segmentsPerTier: 10,
  maxMergeAtOnce: 10,
  floorSegmentBytes: 2 * 1024 * 1024,
  maxMergedSegmentBytes: 5 * 1024 ** 3,
  deletesPercentAllowed: 20,
}

const keptBytes = ({ bytes, docCount, keptCount }: MergeCandidate): number =>
  docCount === 0 ? 0 : Math.trunc(bytes * (keptCount / docCount))

const largestFirst = (a: MergeCandidate, b: MergeCandidate) => keptBytes(b) - keptBytes(a) || byName(a, b)

/** Lucene's names are numbers from 0 in base 36, compared as text. */
const byName = (a: MergeCandidate, b: MergeCandidate) =>
  (a.number - 1).toString(36) < (b.number - 1).toString(36) ? -1 : 1

/**
 * The best merge to run now, or undefined if there are few enough segments. Segments being merged are excluded. The
 * result is in join order, largest first, which determines the document numbers that clients see.
 */
export function findMerge(
  segments: readonly MergeCandidate[],
  settings: MergePolicySettings,
): readonly MergeCandidate[] | undefined {
  const tooManyDeletes = deletedPercent(segments) > settings.deletesPercentAllowed
  if (segments.length <= settings.segmentsPerTier && !tooManyDeletes) return undefined
  const bySize = [...segments].sort(largestFirst)
  // Half the limit: two such segments would already exceed it.
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

/**
 * The number of segments that the tiers allow, at least one tier: each tier has `segmentsPerTier` segments,
 * `maxMergeAtOnce` times the size of the previous.
 */
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

/** The cheapest window of segments with adjacent sizes: balanced, small, and rich in deletes. */
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
    // A short window at the small end would soon be merged again with the next segments.
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
  const allBytes = window.reduce((sum, segment) => sum + segment.bytes, 0)
  const keptShare = allBytes === 0 ? 1 : bytes / allBytes
  return skew * Math.max(bytes, 1) ** 0.05 * keptShare ** 2
}

/** Rewrites one segment without its deleted documents. Small segments are merged soon for other reasons. */
function worstDeletes(
  eligible: readonly MergeCandidate[],
  settings: MergePolicySettings,
): readonly MergeCandidate[] | undefined {
  const share = (segment: MergeCandidate) => 1 - segment.keptCount / segment.docCount
  const large = eligible.filter((segment) => segment.bytes >= settings.floorSegmentBytes && share(segment) > 0)
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

/** The next merge of `_forcemerge`, in join order: the smallest segments, until at most `maxSegments` are left. */
export function findForcedMerge(
  segments: readonly MergeCandidate[],
  options: { maxSegments: number; onlyExpungeDeletes: boolean },
): readonly MergeCandidate[] | undefined {
  if (options.onlyExpungeDeletes) {
    const dirty = segments.filter(({ docCount, keptCount }) => (docCount - keptCount) / docCount > 0.1)
    return dirty.length === 0 ? undefined : interleaved(dirty)
  }
  const excess = segments.length - options.maxSegments
  if (excess > 0) return interleaved([...segments].sort(largestFirst).slice(-excess - 1))
  // With max_num_segments 1, deleted documents are removed too.
  return options.maxSegments === 1 && segments[0] !== undefined && segments[0].keptCount < segments[0].docCount
    ? segments
    : undefined
}

/**
 * Elasticsearch's join order in a forced merge: oldest and newest in turn, so that recent documents are found early
 * too; of each pair the smaller first.
 */
function interleaved(segments: readonly MergeCandidate[]): MergeCandidate[] {
  const byAge = [...segments].sort(byName)
  const joined: MergeCandidate[] = []
  for (let left = 0, right = byAge.length - 1; left <= right; left++, right--) {
    const older = byAge[left]!
    const newer = byAge[right]!
    if (older === newer) joined.push(older)
    else joined.push(...(older.bytes < newer.bytes ? [older, newer] : [newer, older]))
  }
  return joined
}
