/** The parts of a service that is a gateway to a cluster: a node in memory that becomes the shadow, and the gateway. */
import { readFileSync } from 'node:fs'
import type { Log } from '../../base/log.ts'
import { type ConnectedCluster, connectCluster } from '../../gateway/open-gateway.ts'
import type { SearchServerOptions } from '../../server/search-server.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import type { ClusterOptions } from './cluster-settings.ts'
import type { Settings } from './settings.ts'

export async function gatewayParts(
  { security }: Settings,
  options: ClusterOptions,
  dataFolder: string,
  log: Log,
): Promise<Pick<SearchServerOptions, 'sideFolder' | 'threads' | 'clusterName' | 'gateway'>> {
  if (options.passesCredentials && security)
    throw new SettingsError('--cluster-auth pass leaves authentication to the cluster; it contradicts --security true')
  const connected = await connectCluster({
    urls: options.urls,
    authorization: authorizationOf(options),
    passesCredentials: options.passesCredentials,
    ca: readFile(options.ca),
    cert: readFile(options.cert),
    key: readFile(options.key),
    sniffs: options.sniffs,
    partialPages: options.partialPages,
    compareUrls: options.compareUrls,
    log,
  })
  log.info('connected to the cluster', describe(connected))
  return {
    // Users and certificates are the gateway's own; documents are the cluster's.
    ...(security ? { sideFolder: dataFolder } : {}),
    threads: 0,
    clusterName: connected.capabilities.clusterName,
    gateway: (shadow) => connected.gateway(shadow),
  }
}

const readFile = (path: string) => (path === '' ? undefined : readFileSync(path, 'utf8'))

function authorizationOf({ user, password, apiKey }: ClusterOptions): string | undefined {
  if (apiKey !== '') return `ApiKey ${apiKey}`
  if (user === '') return undefined
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function describe({ capabilities, cluster }: ConnectedCluster): Record<string, unknown> {
  return {
    distribution: capabilities.distribution,
    version: capabilities.version,
    name: capabilities.clusterName,
    nodes: cluster.nodes.map(({ url }) => url).join(','),
  }
}
