/** Connects to a cluster and makes a gateway to it. */
import type { Log } from '../base/log.ts'
import type { GatewayStatus } from '../http/metrics/gateway-status.ts'
import { Comparer } from './compare/comparer.ts'
import { Bridge } from './exchange/bridge.ts'
import { type Capabilities, readCapabilities, UnsupportedClusterError } from './exchange/capabilities.ts'
import { Gateway } from './gateway.ts'
import { gatewayStatus } from './gateway-status.ts'
import { Shadow, type ShadowNode } from './shadow/shadow.ts'
import { Cluster, type Limits } from './upstream/cluster.ts'
import { Sniffer } from './upstream/sniffer.ts'

export interface ClusterSettings {
  readonly urls: readonly URL[]
  /** The `Authorization` header of the gateway itself. */
  readonly authorization?: string | undefined
  /** Hands on the credentials of clients instead of the gateway's own. */
  readonly passesCredentials: boolean
  /** Certificates of the authorities that sign the nodes' certificates, in PEM. */
  readonly ca?: string | undefined
  /** The client certificate of the gateway and its private key, in PEM. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Whether the nodes that the cluster names are used. */
  readonly sniffs: boolean
  readonly partialPages: boolean
  /** A service that reads are also sent to, to compare the answers. */
  readonly compareUrls?: readonly URL[] | undefined
  readonly limits?: Partial<Limits> | undefined
  readonly log: Log
}

/** A cluster that answers, before the gateway to it is made. */
export interface ConnectedCluster {
  readonly capabilities: Capabilities
  readonly cluster: Cluster
  /** The gateway beside a node of ours, which becomes the shadow of the cluster. */
  gateway(shadow: ShadowNode): OpenGateway
  close(): void
}

export interface OpenGateway {
  readonly routing: Gateway
  readonly status: GatewayStatus
  close(): Promise<void>
}

const CONNECT_MS = 1_000
/**
 * How often the metadata is brought up to date without being asked for. Other gateways and clients of the cluster may
 * change mappings that the rewrites of a search depend on.
 */
const METADATA_EVERY_MS = 5_000
/** How often the version of the cluster is read: a rolling upgrade changes what it can do. */
const VERSION_EVERY_MS = 30_000

/** Fails with `UnsupportedClusterError` when no node answers or when the cluster is too old. */
export async function connectCluster(settings: ClusterSettings): Promise<ConnectedCluster> {
  const { urls, authorization, log } = settings
  const ownHeaders: Record<string, string> = authorization === undefined ? {} : { authorization }
  const { ca, cert, key } = settings
  const connection = { connectMs: CONNECT_MS, ca, cert, key }
  const cluster = new Cluster({ urls, connection, ownHeaders, limits: settings.limits, log })
  try {
    const capabilities = await askCapabilities(cluster, urls)
    return {
      capabilities,
      cluster,
      gateway: (shadow) => openGateway(settings, cluster, capabilities, shadow),
      close: () => cluster.close(),
    }
  } catch (error) {
    cluster.close()
    throw error
  }
}

async function askCapabilities(cluster: Cluster, urls: readonly URL[]): Promise<Capabilities> {
  const where = urls.map((url) => url.host).join(', ')
  let answer: Awaited<ReturnType<Cluster['ask']>>
  try {
    answer = await cluster.ask('GET', '/')
  } catch (error) {
    throw new UnsupportedClusterError(`no cluster answers at ${where}: ${(error as Error).message}`)
  }
  if (answer.status === 401 || answer.status === 403) {
    throw new UnsupportedClusterError(
      `the cluster at ${where} asks for credentials (${answer.status}); set cluster-user and cluster-password, or cluster-api-key`,
    )
  }
  if (answer.status !== 200) throw new UnsupportedClusterError(`GET / at ${where} answers ${answer.status}`)
  return readCapabilities(JSON.parse(answer.body.toString('utf8')) as object)
}

function openGateway(
  settings: ClusterSettings,
  cluster: Cluster,
  capabilities: Capabilities,
  parts: ShadowNode,
): OpenGateway {
  const { urls, authorization, passesCredentials, sniffs, partialPages, log } = settings
  const { clusterUuid } = capabilities
  void parts.node.metadata.update(() => [{ section: 'identity', name: 'clusterUuid', value: clusterUuid }])
  const shadow = new Shadow(parts, cluster, log)
  const bridge = new Bridge({
    cluster,
    shadow,
    capabilities,
    authorization: passesCredentials ? 'pass' : authorization,
    partialPages,
  })
  const compared = comparedCluster(settings)
  const comparer = compared && new Comparer(compared, passesCredentials, log)
  const sniffer = sniffs ? new Sniffer(cluster, urls, log) : undefined
  sniffer?.start()
  const timer = setInterval(() => void followVersion(cluster, bridge, urls, log), VERSION_EVERY_MS)
  timer.unref()
  const polling = setInterval(() => {
    // A cluster that speaks Elasticsearch answers everything itself.
    if (!bridge.capabilities.speaksElasticsearch) void shadow.sync()
  }, METADATA_EVERY_MS)
  polling.unref()
  return {
    routing: new Gateway(bridge, comparer),
    status: gatewayStatus(bridge, comparer),
    async close() {
      clearInterval(timer)
      clearInterval(polling)
      sniffer?.close()
      compared?.close()
      cluster.close()
    },
  }
}

function comparedCluster({ compareUrls: urls = [], ca, log }: ClusterSettings): Cluster | undefined {
  if (urls.length === 0) return undefined
  return new Cluster({ urls, connection: { connectMs: CONNECT_MS, ca }, ownHeaders: {}, log })
}

/** A cluster that became unsupported keeps its last known capabilities: it cannot be left while clients use it. */
async function followVersion(cluster: Cluster, bridge: Bridge, urls: readonly URL[], log: Log): Promise<void> {
  try {
    const now = await askCapabilities(cluster, urls)
    if (now.version === bridge.capabilities.version) return
    log.info('the version of the cluster changed', { from: bridge.capabilities.version, to: now.version })
    bridge.capabilities = now
    bridge.forgetSearches()
  } catch (error) {
    log.debug('the version of the cluster cannot be read', { reason: (error as Error).message })
  }
}
