/** The shards of search paths, cached per path and state of the metadata. */

import { percentDecode } from '../../http/percent-decoding.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { type MetadataState, possibleTargets } from '../../service/search/shards/search-targets.ts'
import type { ShardKey } from '../../service/shards/shard-host.ts'

const PATHS_MAX = 1_000

export class PathShards {
  readonly #node: SandpiperNode
  readonly #shards = new Map<string, readonly ShardKey[] | undefined>()
  #state: MetadataState | undefined

  constructor(node: SandpiperNode) {
    this.#node = node
  }

  /** Undefined for requests that are no searches. */
  of(uri: string): readonly ShardKey[] | undefined {
    const { state } = this.#node.metadata
    if (this.#state !== state) {
      this.#shards.clear()
      this.#state = state
    }
    const known = this.#shards.get(uri)
    if (known !== undefined || this.#shards.has(uri)) return known
    const names = searchTarget(uri)
    const shards = names && possibleTargets(this.#node.indexContext, names)
    // Date math in names resolves differently as time passes.
    const changes = names?.some((name) => name.includes('<')) === true
    if (!changes && this.#shards.size < PATHS_MAX) this.#shards.set(uri, shards)
    return shards
  }
}

/** The names in the path of another request that searchers can answer: a template, a check of a query, the fields of an index. */
export function readTarget(uri: string): string[] | undefined {
  const match = /^(?:\/([^/?]+))?\/_(?:m?search\/template|validate\/query|field_caps|explain\/[^/?]+)\/?(?:\?|$)/.exec(
    uri,
  )
  return match === null ? undefined : namesOf(match)
}

/** Whether a request names no documents and makes text of text, for as long as its parts like. */
export const isTextRequest = (uri: string) =>
  /^(?:\/[^/?]+)?\/_(?:analyze|render\/template(?:\/[^/?]+)?)\/?(?:\?|$)/.test(uri)

/** The names in the path of a search; empty means all indices. Undefined: not a request for searchers. */
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
