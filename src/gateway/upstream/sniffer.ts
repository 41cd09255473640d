/** Finds the nodes of the cluster: `GET _nodes/http` every minute and after a failure. */
import type { Log } from '../../base/log.ts'
import type { Cluster } from './cluster.ts'

const EVERY_MS = 60_000
/** After a failure the cluster needs a moment to notice it. */
const AFTER_FAILURE_MS = 2_000

interface NodesAnswer {
  readonly nodes?: Readonly<
    Record<string, { readonly roles?: readonly string[]; readonly http?: { readonly publish_address?: string } }>
  >
}

export class Sniffer {
  readonly #cluster: Cluster
  readonly #given: readonly URL[]
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `given` are the addresses of the settings. They stay in use while the cluster names none that answers. */
  constructor(cluster: Cluster, given: readonly URL[], log: Log) {
    this.#cluster = cluster
    this.#given = given
    this.#log = log
  }

  start(): void {
    this.#cluster.onFailure = () => this.#later(AFTER_FAILURE_MS)
    this.#later(EVERY_MS)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** Asks once. The list stays as it is when the cluster does not answer. */
  async sniff(): Promise<void> {
    const { status, body } = await this.#cluster.ask('GET', '/_nodes/http')
    if (status !== 200) return
    const found = publishedUrls(JSON.parse(body.toString('utf8')) as NodesAnswer, this.#given[0]!)
    const answering: URL[] = []
    for (const url of found) if (await this.#answers(url)) answering.push(url)
    if (answering.length > 0) this.#cluster.useNodes(answering)
  }

  /** Published addresses may lie in a network that the gateway does not reach. */
  async #answers(url: URL): Promise<boolean> {
    if (this.#cluster.nodes.some((node) => node.url === url.origin && node.isAlive)) return true
    return this.#cluster.answers(url)
  }

  #later(ms: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), ms)
    this.#timer.unref()
  }

  async #run(): Promise<void> {
    try {
      await this.sniff()
    } catch (error) {
      this.#log.debug('the nodes of the cluster cannot be listed', { reason: (error as Error).message })
    }
    this.#later(EVERY_MS)
  }
}

/** `publish_address` is `10.0.0.1:9200`, `[::1]:9200` or `name/10.0.0.1:9200`. */
export function publishedUrls({ nodes = {} }: NodesAnswer, like: URL): URL[] {
  const urls: URL[] = []
  for (const { http, roles } of Object.values(nodes)) {
    const published = http?.publish_address
    if (published === undefined || isManagerOnly(roles)) continue
    const slash = published.indexOf('/')
    const name = slash < 0 ? undefined : published.slice(0, slash)
    const address = slash < 0 ? published : published.slice(slash + 1)
    const host = name === undefined || name === '' ? address : `${name}:${address.slice(address.lastIndexOf(':') + 1)}`
    urls.push(new URL(`${like.protocol}//${host}`))
  }
  return urls
}

/** Nodes that only manage the cluster should not be loaded with searches. */
function isManagerOnly(roles: readonly string[] | undefined): boolean {
  return roles !== undefined && roles.length === 1 && (roles[0] === 'master' || roles[0] === 'cluster_manager')
}
