/** `_nodes`: information about the node and its environment. */
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { BUILD_HASH, ELASTICSEARCH_VERSION } from '../../base/version.ts'
import { INDEX_VERSION } from '../indices/index-builder.ts'
import { processorTypes } from '../ingest/pipeline/compile-pipeline.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import { printSettings } from '../settings/flat-settings.ts'
import { aggregationTypes } from './aggregation-types.ts'
import { HOST, ROLES, TRANSPORT_ADDRESS } from './node-identity.ts'
import { threadPoolInfo } from './thread-pools.ts'

/** The node's HTTP address. */
export interface HttpAddress {
  /** `127.0.0.1:9200`; undefined without a socket. */
  readonly address: string | undefined
  readonly maxContentBytes: number
}

type Section = (node: SandpiperNode, http: HttpAddress, flatSettings: boolean) => unknown

/** The values of the Elasticsearch version we implement; clients compare them with those of other nodes. */
const TRANSPORT_VERSION = 8841096
const COMPONENT_VERSIONS = {
  api_key_version: 8150099,
  ml_config_version: 12000099,
  transform_config_version: 10000099,
}

const SECTIONS: Readonly<Record<string, Section>> = {
  settings: (node, _http, flat) =>
    printSettings(
      {
        'cluster.name': node.clusterName,
        // Elasticsearch's default distribution sets these four, and the Java client refuses a response without them.
        'cluster.election.strategy': 'supports_voting_only',
        'http.type.default': 'netty4',
        'node.attr.xpack.installed': 'true',
        'transport.type.default': 'netty4',
        'node.name': node.name,
        'discovery.type': 'single-node',
        ...(node.dataFolder === undefined ? {} : { 'path.data': node.dataFolder, 'path.home': node.dataFolder }),
        ...(node.repositoryFolders.length === 0 ? {} : { 'path.repo': [...node.repositoryFolders] }),
      },
      flat,
    ),
  os: () => ({
    refresh_interval_in_millis: 1000,
    name: platform(),
    pretty_name: `${platform()} ${release()}`,
    arch: arch(),
    version: release(),
    available_processors: cpus().length,
    allocated_processors: cpus().length,
  }),
  process: () => ({ refresh_interval_in_millis: 1000, id: process.pid, mlockall: false }),
  // There is no JVM. Tools that print its version get that of Node.
  jvm: (node) => ({
    pid: process.pid,
    version: process.versions.node,
    vm_name: 'Node.js',
    vm_version: process.versions.v8,
    vm_vendor: 'Node.js',
    using_bundled_jdk: false,
    start_time_in_millis: node.startedAtMs,
    mem: {
      heap_init_in_bytes: 0,
      heap_max_in_bytes: totalmem(),
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: 0,
      direct_max_in_bytes: 0,
    },
    gc_collectors: [],
    memory_pools: [],
    using_compressed_ordinary_object_pointers: 'false',
    input_arguments: process.execArgv,
  }),
  thread_pool: () => threadPoolInfo(),
  transport: () => ({ bound_address: [TRANSPORT_ADDRESS], publish_address: TRANSPORT_ADDRESS, profiles: {} }),
  http: (_node, { address, maxContentBytes }) => ({
    bound_address: address === undefined ? [] : [address],
    publish_address: address ?? '',
    max_content_length_in_bytes: maxContentBytes,
  }),
  plugins: () => [],
  modules: () => [],
  ingest: () => ({ processors: processorTypes().map((type) => ({ type })) }),
  aggregations: () => aggregationTypes(),
  indices: () => ({}),
}

export const NODE_INFO_METRICS = Object.keys(SECTIONS)

export function nodeInfo(
  node: SandpiperNode,
  http: HttpAddress,
  metrics: readonly string[],
  flatSettings: boolean,
): JsonObject {
  const info: JsonObject = {
    name: node.name,
    transport_address: TRANSPORT_ADDRESS,
    host: HOST,
    ip: HOST,
    version: ELASTICSEARCH_VERSION,
    transport_version: TRANSPORT_VERSION,
    index_version: Number(INDEX_VERSION),
    component_versions: COMPONENT_VERSIONS,
    build_flavor: 'default',
    build_type: 'zip',
    build_hash: BUILD_HASH,
    roles: ROLES,
    attributes: {},
  }
  for (const metric of NODE_INFO_METRICS) {
    if (metrics.includes(metric)) info[metric] = SECTIONS[metric]!(node, http, flatSettings)
  }
  return info
}
