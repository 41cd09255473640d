/** The complete service: a node, its endpoints, and optionally a socket. Commands and tests start it the same way. */
import { formatByteSize } from '../base/byte-size.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { breakers } from '../base/memory/process-memory.ts'
import { BUILD_HASH, ELASTICSEARCH_VERSION } from '../base/version.ts'
import { apiRoutes } from '../http/api/index.ts'
import { ConsoleFiles } from '../http/console-files.ts'
import {
  type Answer,
  Dispatcher,
  type IncomingRequest,
  type RequestDispatcher,
  type SearchRouting,
} from '../http/dispatcher.ts'
import { LocalApi } from '../http/local-api.ts'
import { activityOf } from '../http/metrics/activity-history.ts'
import type { GatewayStatus } from '../http/metrics/gateway-status.ts'
import { RequestMetrics } from '../http/metrics/request-metrics.ts'
import type { PipelineWorkbench } from '../http/pipeline-workbench.ts'
import type { Routes } from '../http/router.ts'
import { RequestGate } from '../http/security/request-gate.ts'
import { HttpServer } from '../http/server.ts'
import type { Security } from '../security/security.ts'
import type { ClientAuthentication, TlsFiles } from '../security/tls/tls-material.ts'
import type { HttpAddress } from '../service/cluster/node-info.ts'
import type { MetadataState } from '../service/metadata/metadata-state.ts'
import { SandpiperNode } from '../service/sandpiper-node.ts'
import { startScripts } from '../service/scripts/start-scripts.ts'
import { createShardHost, type ShardHostOptions } from '../threads/create-shard-host.ts'
import { SearcherPool, type SearcherPoolOptions } from '../threads/searchers/searcher-pool.ts'
import type { EarlyWriter } from '../threads/writer/writer-start.ts'
import { type OpenSecurity, openSecurity, type SecuritySettings } from './open-security.ts'
import { openTls } from './open-tls.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface SearchServerOptions {
  /** The pipeline tool, for trials in the console; without it those are refused. */
  readonly pipelineWorkbench?: PipelineWorkbench | undefined
  /** The data folder. Without it all data is in memory. */
  readonly dataFolder?: string | undefined
  /** The folder for users and certificates beside a node in memory. */
  readonly sideFolder?: string | undefined
  /** Number of threads besides the main thread; 0 runs everything on the main thread. */
  readonly threads: number
  /** A writer thread that was launched before the service was loaded. */
  readonly earlyWriter?: EarlyWriter | undefined
  /** Starts searcher threads in place of the pool. */
  readonly startSearcher?: SearcherPoolOptions['startThread']
  /** When a writer thread that died is replaced. */
  readonly writerRestarts?: ShardHostOptions['restarts']
  /** Called when a thread that the service needs has died too often: the process should end, and report the reason. */
  readonly onGivenUp?: ((reason: string) => void) | undefined
  /** The address to listen on. Without it there is no socket, and requests come through `dispatch`. */
  readonly listen?: { readonly host: string; readonly port: number } | undefined
  readonly clusterName?: string | undefined
  readonly nodeName?: string | undefined
  readonly maxContentBytes: number
  readonly strictMediaTypes: boolean
  /** Whether errors with a remedy have a `help` member; true by default. */
  readonly errorHelp?: boolean | undefined
  /** Remote servers that reindex may read from, as patterns over `host:port`. */
  readonly reindexRemoteWhitelist?: readonly string[] | undefined
  /** Whether the node has the built-in index templates; true by default. */
  readonly stackTemplates?: boolean | undefined
  /** Folders that may contain snapshot repositories. */
  readonly pathRepo?: readonly string[] | undefined
  /** Which scripts may run, and the regular expressions in them. */
  readonly scripts?: Parameters<typeof startScripts>[0] | undefined
  /** Host names the server accepts in addition to those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of pages that may read and write, in addition to those of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Encrypts connections, with files of the operator or with a certificate that is generated in the data folder. */
  readonly tls?: TlsFiles | 'auto' | undefined
  /** Asks clients for certificates; absent: they are not asked. */
  readonly clientAuthentication?: ClientAuthentication | undefined
  /** How often the files of the certificate are checked for changes. */
  readonly certificateCheckMs?: number | undefined
  /** Allows unencrypted connections from other machines. */
  readonly insecureHttp?: boolean | undefined
  /** Users, roles and keys. If absent, everybody may do everything. */
  readonly security?: SecuritySettings | undefined
  /** Records a span for every request of the socket. It is closed with the service. */
  readonly tracing?: Tracing | undefined
  readonly log: Log
  readonly clock?: Clock | undefined
  /** The published address when another part of the process owns the socket: `127.0.0.1:9200`. */
  readonly publishedAddress?: (() => string | undefined) | undefined
  /** The initial contents of an in-memory node: the result of another node's `copyMemory`. */
  readonly image?: MemoryImage | undefined
  /** Defaults for index settings that an index does not set itself. For nodes without threads. */
  readonly defaultIndexSettings?: Readonly<Record<string, string>> | undefined
  /** Minimum number of documents for a search to run on a searcher thread. */
  readonly forwardFromDocs?: number | undefined
  /** Makes the gateway to a cluster that answers instead of this node. The node is its shadow. */
  readonly gateway?: ((shadow: ShadowParts) => GatewayParts) | undefined
}

/** The parts of the node that a gateway uses as its shadow. */
export interface ShadowParts {
  readonly node: SandpiperNode
  readonly routes: Routes
  /** Returns the response of the node, bypassing the gateway and authentication. */
  readonly dispatcher: RequestDispatcher
}

export interface GatewayParts {
  readonly routing: SearchRouting
  readonly status: GatewayStatus
  close(): Promise<void>
}

const SEARCHERS_MIN = 2

/** The complete contents of an in-memory node. */
export interface MemoryImage {
  readonly state: MetadataState
  readonly files: NonNullable<ShardHostOptions['memory']>
}

interface ServerParts {
  readonly node: SandpiperNode
  readonly metrics: RequestMetrics
  readonly dispatcher: Dispatcher
  readonly searchers: SearcherPool | undefined
  readonly gateway: GatewayParts | undefined
  readonly opened: OpenSecurity | undefined
  readonly caFingerprint: string | undefined
  readonly tracing: Tracing | undefined
  readonly http?: HttpServer
  readonly url?: string
  readonly stopWatching?: (() => void) | undefined
}

export class SearchServer {
  readonly node: SandpiperNode
  /** Undefined without a socket. */
  readonly url: string | undefined
  /** Undefined when security is off. */
  readonly security: Security | undefined
  /** The generated password of the user `elastic`; undefined if there already was one. */
  readonly newPassword: string | undefined
  /** Fingerprint of the certificate that clients may trust; undefined without TLS. */
  readonly caFingerprint: string | undefined
  readonly #parts: ServerParts

  private constructor(parts: ServerParts) {
    this.node = parts.node
    this.url = parts.url
    this.security = parts.opened?.security
    this.newPassword = parts.opened?.newPassword
    this.caFingerprint = parts.caFingerprint
    this.#parts = parts
  }

  static async open(options: SearchServerOptions): Promise<SearchServer> {
    const { threads, log } = options
    const scriptSettings = startScripts(options.scripts ?? {})
    const node = await SandpiperNode.open({
      dataFolder: options.dataFolder,
      sideFolder: options.sideFolder,
      log,
      settings: {
        'http.max_content_length': formatByteSize(options.maxContentBytes),
        'reindex.remote.whitelist': [...(options.reindexRemoteWhitelist ?? [])],
        'path.repo': [...(options.pathRepo ?? [])],
        ...(options.stackTemplates === false ? { 'stack.templates.enabled': 'false' } : {}),
        ...scriptSettings,
      },
      ...(options.nodeName === undefined ? {} : { nodeName: options.nodeName }),
      ...(options.clusterName === undefined ? {} : { clusterName: options.clusterName }),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      initialState: options.image?.state,
      createHost: (callbacks) =>
        createShardHost(
          {
            threads,
            startThread: options.earlyWriter && ((start) => options.earlyWriter!.start(start)),
            restarts: options.writerRestarts,
            onGivenUp: options.onGivenUp,
            log,
            dataFolder: options.dataFolder,
            clock: options.clock,
            memory: options.image?.files,
            defaultSettings: options.defaultIndexSettings,
          },
          callbacks,
        ),
    })
    try {
      let bound: string | undefined
      const address: HttpAddress = {
        get address() {
          return bound ?? options.publishedAddress?.()
        },
        maxContentBytes: options.maxContentBytes,
      }
      const { strictMediaTypes, errorHelp } = options
      const warningAgent = `Elasticsearch-${ELASTICSEARCH_VERSION}-${BUILD_HASH}`
      const { lender } = node.shards.host
      // One thread writes, the others search. There are at least two searchers, so that large searches are shared and
      // small ones do not wait for them.
      const searchers =
        lender === undefined || threads < 2
          ? undefined
          : new SearcherPool({
              node,
              lender,
              threads: Math.max(SEARCHERS_MIN, threads - 1),
              strictMediaTypes,
              errorHelp,
              warningAgent,
              log,
              forwardFromDocs: options.forwardFromDocs,
              startThread: options.startSearcher,
            })
      const metrics = new RequestMetrics()
      const api = new LocalApi()
      const { clientAuthentication } = options
      const host = options.listen?.host ?? 'localhost'
      const tls = await openTls(node, { tls: options.tls, clientAuthentication, host, log })
      const opened = options.security && (await openSecurity(node, options.security, tls, log))
      const routes = apiRoutes(node, address, metrics, api, opened?.security, options.pipelineWorkbench)
      const gate =
        opened &&
        new RequestGate(routes, {
          security: opened.security,
          node,
          strictMediaTypes,
          certificates: tls?.clientCertificates,
          audit: opened.audit,
        })
      const style = { strictMediaTypes, errorHelp, log, warningAgent }
      const gateway = options.gateway?.({ node, routes, dispatcher: new Dispatcher(routes, style) })
      metrics.gateway = gateway?.status
      if (gateway === undefined && options.listen !== undefined) metrics.activity = activityOf(node, metrics)
      const dispatcher = new Dispatcher(routes, { ...style, searchers: gateway?.routing ?? searchers, metrics, gate })
      api.connect(dispatcher)
      const { tracing } = options
      const parts = {
        node,
        metrics,
        dispatcher,
        searchers,
        gateway,
        opened,
        tracing,
        caFingerprint: tls?.caFingerprint,
      }
      if (options.listen === undefined) return new SearchServer(parts)
      const routeOf = (method: string, path: string) => routes.find(method, path).route?.path
      const http = new HttpServer(tracing?.trace(dispatcher, routeOf) ?? dispatcher, {
        ...options.listen,
        allowedHosts: options.allowedHosts,
        allowedOrigins: options.allowedOrigins,
        trustedProxies: options.trustedProxies,
        isSecured: opened !== undefined,
        tls: tls?.content,
        clientCertificates: tls?.clientCertificates,
        insecureHttp: options.insecureHttp,
        maxContentBytes: options.maxContentBytes,
        inFlight: breakers().inFlightRequests,
        console: new ConsoleFiles(),
        log,
      })
      const { url } = await http.listen()
      metrics.activity?.start()
      bound = new URL(url).host
      opened?.announce(url)
      const stopWatching = tls?.watch(http, options.certificateCheckMs)
      return new SearchServer({ ...parts, http, url, stopWatching })
    } catch (error) {
      await node.close()
      throw error
    }
  }

  get dispatcher(): RequestDispatcher {
    return this.#parts.dispatcher
  }

  /**
   * Copies the metadata and files of an in-memory node, for `image` of another node. Later changes do not affect the
   * copy.
   */
  async copyMemory(): Promise<MemoryImage> {
    const copy = this.node.host.copyMemory
    if (copy === undefined) throw new Error('only a node in memory can be copied')
    const files = await copy.call(this.node.host)
    return { state: this.node.state, files }
  }

  /** Answers a request that did not arrive over a socket. */
  async dispatch(request: IncomingRequest): Promise<Answer> {
    const answer = await this.#parts.dispatcher.dispatch(request)
    answer.onSent?.()
    return answer
  }

  /** Waits for running requests, then closes the data. */
  async stop(): Promise<void> {
    const { stopWatching, http, metrics, tracing, searchers, gateway, opened, node } = this.#parts
    stopWatching?.()
    metrics.activity?.stop()
    await http?.stop()
    await tracing?.close()
    await gateway?.close()
    await searchers?.close()
    await opened?.close()
    await node.close()
  }
}
