/**
 * A context as plain data, for a searcher thread that answers its pages. The context itself stays with the main thread.
 * Its state is sent with each request, and the changes come back before the request is answered.
 */

import type { ContextKind } from '../../service/contexts/context-id.ts'
import {
  type ContextOrigin,
  type ContextShard,
  changingPart,
  type ScrollProgress,
  type ScrollState,
  type SearchContext,
} from '../../service/contexts/search-context.ts'
import type { Ending, NewContext, SearchContexts } from '../../service/contexts/search-contexts.ts'
import type { LentView } from '../../service/shards/shard-host.ts'

/** The constant part of a context, sent to a thread once. */
export interface LentContext {
  readonly key: string
  readonly kind: ContextKind
  readonly openedAtMs: number
  readonly origin: ContextOrigin
  readonly shards: readonly (Omit<ContextShard, 'lease' | 'keptName'> & { readonly view: ViewOnLoan | undefined })[]
  readonly scroll: Omit<ScrollState, keyof ScrollProgress> | undefined
}

type ViewOnLoan = Omit<LentView, 'release'>

/** The part of a context that requests change. */
export interface ContextProgress {
  readonly key: string
  readonly keepAliveMs: number
  readonly expiresAtMs: number
  readonly scroll: ScrollProgress | undefined
  /** Indexes of shards whose view is lost. */
  readonly lost: readonly number[]
}

/** What a request did to its context. */
export interface ContextUse {
  readonly keepAliveMs: number | undefined
  readonly ended: boolean
  readonly scroll: ContextProgress['scroll']
}

/**
 * A context opened by a search in another thread, with the views that were the newest when the search was sent there.
 */
export interface OpenedElsewhere extends Omit<NewContext, 'shards' | 'key'> {
  readonly key: string
  readonly shards: readonly (Omit<ContextShard, 'lease' | 'keptName' | 'searchId'> & { readonly generation: number })[]
}

/** The context with views of its shards, which the caller must release. */
export function lendContext(context: SearchContext): { lent: LentContext; views: LentView[] } {
  const views: LentView[] = []
  const shards = context.shards.map(({ lease, keptName: _kept, ...shard }) => {
    const lentView = lease?.lend()
    if (lentView !== undefined) views.push(lentView)
    const { release: _release, ...view } = lentView ?? { release: undefined }
    return { ...shard, view: lentView === undefined ? undefined : (view as ViewOnLoan) }
  })
  const { key, kind, openedAtMs, origin } = context
  return { lent: { key, kind, openedAtMs, origin, shards, scroll: fixedPart(context.scroll) }, views }
}

function fixedPart(scroll: ScrollState | undefined): LentContext['scroll'] {
  if (scroll === undefined) return undefined
  const { position: _position, idStyle: _idStyle, isAnswerLost: _isAnswerLost, ...fixed } = scroll
  return fixed
}

export function progressOf({ key, keepAliveMs, expiresAtMs, scroll, shards }: SearchContext): ContextProgress {
  const lost = [...shards.keys()].filter((place) => shards[place]!.lease === undefined)
  return { key, keepAliveMs, expiresAtMs, scroll: changingPart(scroll), lost }
}

/** Applies what a request in another thread did to its context. */
export function applyUse(contexts: SearchContexts, context: SearchContext, use: ContextUse): void {
  if (contexts.find(context.key) !== context) return
  const before = changingPart(context.scroll)
  if (context.scroll !== undefined && use.scroll !== undefined) Object.assign(context.scroll, use.scroll)
  try {
    if (use.ended) contexts.close(context, 'closed' satisfies Ending)
    else contexts.used(context, use.keepAliveMs)
  } catch (error) {
    // A page that is not answered does not advance the scroll.
    if (context.scroll !== undefined) Object.assign(context.scroll, before)
    throw error
  }
}
