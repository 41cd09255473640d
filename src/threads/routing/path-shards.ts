/** The shards of search paths, cached per path and version of the metadata. */

import { percentDecode } from '../../http/percent-decoding.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { type MetadataState, possibleTargets } from '../../service/search/shards/search-targets.ts'
import type { ShardKey } from '../../service/shards/shard-host.ts'

const PATHS_MAX = 1_000

export class PathShards {
  readonly #node: SandpiperNode
  readonly #shards = new Map<string, readonly ShardKey[]>()
  #state: MetadataState | undefined

  constructor(node: SandpiperNode) {
    this.#node = node
  }

  /** Undefined for requests that are not searches. */
  of(uri: string): readonly ShardKey[] | undefined {
    const { state } = this.#node.metadata
    if (this.#state !== state) {
      this.#shards.clear()
      this.#state = state
    }
    const known = this.#shards.get(uri)
    if (known !== undefined) return known
    // Other requests, such as writes with an id in the path, would fill the cache.
    const names = searchTarget(uri)
    if (names === undefined) return undefined
    const shards = possibleTargets(this.#node.indexContext, names)
    // Date math in names resolves differently over time.
    const changes = names.some((name) => name.includes('<'))
    if (!changes && this.#shards.size < PATHS_MAX) this.#shards.set(uri, shards)
    return shards
  }
}

/**
 * The names in the path of other requests that searchers can answer: templates, query validation, field capabilities.
 */
export function readTarget(uri: string): string[] | undefined {
  const match = /^(?:\/([^/?]+))?\/_(?:m?search\/template|validate\/query|field_caps|explain\/[^/?]+)\/?(?:\?|$)/.exec(
    uri,
  )
  return match === null ? undefined : namesOf(match)
}

/** Whether a request tries a script. */
export const isScriptTrial = (uri: string) =>
  uri.startsWith('/_scripts/') && /^\/_scripts\/painless\/_execute\/?(?:\?|$)/.test(uri)

/** Whether a request tries a pipeline on documents that it brings along. */
export const isPipelineTrial = (uri: string) =>
  uri.startsWith('/_ingest/') && /^\/_ingest\/pipeline(?:\/[^/?]+)?\/_simulate\/?(?:\?|$)/.test(uri)

/** Whether a request explains the score of one document. */
export const isExplanation = (uri: string) => /^\/[^/?]+\/_explain\/[^/?]+\/?(?:\?|$)/.test(uri)

/** Whether a request only transforms text (`_analyze`, templates), which may take arbitrarily long. */
export const isTextRequest = (uri: string) =>
  /^(?:\/[^/?]+)?\/_(?:analyze|render\/template(?:\/[^/?]+)?)\/?(?:\?|$)/.test(uri)

/** The names in the path of a search; empty means all indices. Undefined if searchers cannot answer the request. */
function searchTarget(uri: string): string[] | undefined {
  const match = /^(?:\/([^/?]+))?\/_(?:search|count|msearch)\/?(?:\?|$)/.exec(uri)
  return match === null ? undefined : namesOf(match)
}

function namesOf(match: RegExpExecArray): string[] | undefined {
  try {
    return match[1] === undefined ? [] : percentDecode(match[1]).split(',')
  } catch {
    return undefined
  }
}
