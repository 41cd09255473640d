/** The services that all index services share: metadata, parsed mappings, shards, clock. */
import type { Clock } from '../../base/clock.ts'
import type { Change, IndexMetadata } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { NameResolver } from '../names/name-resolver.ts'
import type { IndexMappings } from './index-mappings.ts'
import type { IndexShards } from './index-shards.ts'

export interface IndexContext {
  readonly store: MetadataStore
  readonly mappings: IndexMappings
  readonly shards: IndexShards
  readonly clock: Clock
  readonly nodeName: string
}

/** Resolves names against the durable state, or against `state` inside a change. */
export function resolverOf(context: IndexContext, state: MetadataState = context.store.state): NameResolver {
  return new NameResolver(state, context.clock.nowMs())
}

export const putIndex = (index: IndexMetadata): Change => ({ section: 'indices', name: index.name, value: index })
export const removeIndex = (name: string): Change => ({ section: 'indices', name, value: undefined })

export const ACKNOWLEDGED = { acknowledged: true } as const
