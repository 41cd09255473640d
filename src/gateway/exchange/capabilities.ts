/**
 * What the cluster can do, by its distribution and version. Each rewrite names the capability that makes it
 * unnecessary.
 */

export interface Capabilities {
  readonly distribution: 'opensearch' | 'elasticsearch'
  readonly version: string
  readonly clusterName: string
  readonly clusterUuid: string
  /** Speaks Elasticsearch 8's API: requests and answers pass unchanged. */
  readonly speaksElasticsearch: boolean
  /** Sorts a point in time by `_shard_doc`. */
  readonly hasShardDoc: boolean
}

/** The cluster is of a kind or version that the gateway cannot work with. */
export class UnsupportedClusterError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnsupportedClusterError'
  }
}

interface RootAnswer {
  readonly cluster_name?: string
  readonly cluster_uuid?: string
  readonly version?: { readonly number?: string; readonly distribution?: string }
}

const OPENSEARCH_MIN = [2, 15] as const
const SHARD_DOC_SINCE = [3, 3] as const

/** Reads the answer of `GET /`. */
export function readCapabilities(answer: RootAnswer): Capabilities {
  const version = answer.version?.number ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOpenSearch = answer.version?.distribution === 'opensearch'
  if (isOpenSearch ? !isAtLeast(major, minor, OPENSEARCH_MIN) : major < 8) {
    const product = isOpenSearch ? 'OpenSearch' : 'Elasticsearch'
    throw new UnsupportedClusterError(
      `the cluster runs ${product} ${version || 'of an unknown version'}; a gateway needs OpenSearch 2.15 or later, or Elasticsearch 8 or 9`,
    )
  }
  return {
    distribution: isOpenSearch ? 'opensearch' : 'elasticsearch',
    version,
    clusterName: answer.cluster_name ?? '',
    clusterUuid: answer.cluster_uuid ?? '',
    speaksElasticsearch: !isOpenSearch,
    hasShardDoc: !isOpenSearch || isAtLeast(major, minor, SHARD_DOC_SINCE),
  }
}

function isAtLeast(major: number, minor: number, [leastMajor, leastMinor]: readonly [number, number]): boolean {
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
