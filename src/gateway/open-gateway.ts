/** Connects to a cluster and makes a gateway to it. */
import type { Log } from '../base/log.ts'
import { Bridge } from './exchange/bridge.ts'
import { type Capabilities, readCapabilities, UnsupportedClusterError } from './exchange/capabilities.ts'
import { Gateway } from './gateway.ts'
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
  /** Whether the nodes that the cluster names are used. */
  readonly sniffs: boolean
  readonly partialPages: boolean
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
  close(): Promise<void>
}

const CONNECT_MS = 1_000
/** How often the version of the cluster is read: a rolling upgrade changes what it can do. */
const VERSION_EVERY_MS = 30_000

/** Fails with `UnsupportedClusterError` when no node answers or when the cluster is too old. */
export async function connectCluster(settings: ClusterSettings): Promise<ConnectedCluster> {
  const { urls, authorization, log } = settings
  const ownHeaders: Record<string, string> = authorization === undefined ? {} : { authorization }
  const connection = { connectMs: CONNECT_MS, ca: settings.ca }
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
  { urls, authorization, passesCredentials, sniffs, partialPages, log }: ClusterSettings,
  cluster: Cluster,
  capabilities: Capabilities,
  parts: ShadowNode,
): OpenGateway {
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
  const sniffer = sniffs ? new Sniffer(cluster, urls, log) : undefined
  sniffer?.start()
  const timer = setInterval(() => void followVersion(cluster, bridge, urls, log), VERSION_EVERY_MS)
  timer.unref()
  return {
    routing: new Gateway(bridge),
    async close() {
      clearInterval(timer)
      sniffer?.close()
      cluster.close()
    },
  }
}

/** A cluster that became unsupported keeps its last known capabilities: it cannot be left while clients use it. */
async function followVersion(cluster: Cluster, bridge: Bridge, urls: readonly URL[], log: Log): Promise<void> {
  try {
    const now = await askCapabilities(cluster, urls)
    if (now.version !== bridge.capabilities.version)
      log.info('the version of the cluster changed', { from: bridge.capabilities.version, to: now.version })
    bridge.capabilities = now
  } catch (error) {
    log.debug('the version of the cluster cannot be read', { reason: (error as Error).message })
  }
}
