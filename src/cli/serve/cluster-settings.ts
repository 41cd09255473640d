/** The settings of a gateway to a cluster. */
import { SettingsError } from '../arguments/settings-error.ts'
import { type Definition, define } from './setting-definition.ts'
import { readBoolean, readClusterAuth, readUrls } from './setting-values.ts'

export interface ClusterOptions {
  readonly urls: readonly URL[]
  readonly user: string
  readonly password: string
  readonly apiKey: string
  /** A file with certificates in PEM; empty: those of the system. */
  readonly ca: string
  /** Files with the client certificate of the gateway and its private key; empty: none. */
  readonly cert: string
  readonly key: string
  readonly passesCredentials: boolean
  readonly sniffs: boolean
  readonly partialPages: boolean
  /** A service that reads are also sent to, to compare the answers; empty: none. */
  readonly compareUrls: readonly URL[]
}

export const CLUSTER_DEFINITIONS = {
  cluster: define({
    name: 'cluster',
    placeholder: 'URLS',
    standard: '',
    about: 'serve as a gateway to the OpenSearch or Elasticsearch cluster at these addresses, separated by commas',
    read: readUrls,
  }),
  clusterUser: define({
    name: 'cluster-user',
    placeholder: 'NAME',
    standard: '',
    about:
      'user of the gateway in the cluster; the password is cluster-password in the settings file or SANDPIPER_CLUSTER_PASSWORD',
    read: (text: string) => text,
  }),
  clusterPassword: define({
    name: 'cluster-password',
    placeholder: 'PASSWORD',
    standard: '',
    about: 'password of the user of the gateway',
    read: (text: string) => text,
  }),
  clusterApiKey: define({
    name: 'cluster-api-key',
    placeholder: 'KEY',
    standard: '',
    about: 'API key of the gateway in the cluster',
    read: (text: string) => text,
  }),
  clusterCa: define({
    name: 'cluster-ca',
    placeholder: 'FILE',
    standard: '',
    about: 'certificates in PEM format of the authorities that sign the certificates of the cluster',
    read: (text: string) => text,
  }),
  clusterCert: define({
    name: 'cluster-cert',
    placeholder: 'FILE',
    standard: '',
    about: 'client certificate of the gateway in PEM format, for a cluster that asks for one',
    read: (text: string) => text,
  }),
  clusterKey: define({
    name: 'cluster-key',
    placeholder: 'FILE',
    standard: '',
    about: 'private key of the client certificate in PEM format',
    read: (text: string) => text,
  }),
  clusterAuth: define({
    name: 'cluster-auth',
    placeholder: 'MODE',
    standard: 'own',
    about: 'credentials for the cluster: own uses those of the gateway, pass hands on those of the client',
    read: readClusterAuth,
  }),
  sniff: define({
    name: 'sniff',
    placeholder: 'BOOLEAN',
    standard: 'true',
    about: 'use all nodes that the cluster names; false for a cluster behind a load balancer',
    read: readBoolean,
  }),
  partialPages: define({
    name: 'partial-pages',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'answer pages of points in time and scrolls that lost a shard, instead of refusing them with 503',
    read: readBoolean,
  }),
  compare: define({
    name: 'compare',
    placeholder: 'URLS',
    standard: '',
    about: 'send reads to this service as well, and log where its answers differ',
    read: readUrls,
  }),
}

/** Undefined without addresses of a cluster. Settings of a cluster without addresses are a mistake. */
export function clusterOptions(settingOf: <T>(definition: Definition<T>) => T): ClusterOptions | undefined {
  const urls = settingOf(CLUSTER_DEFINITIONS.cluster)
  const options = {
    urls,
    user: settingOf(CLUSTER_DEFINITIONS.clusterUser),
    password: settingOf(CLUSTER_DEFINITIONS.clusterPassword),
    apiKey: settingOf(CLUSTER_DEFINITIONS.clusterApiKey),
    ca: settingOf(CLUSTER_DEFINITIONS.clusterCa),
    cert: settingOf(CLUSTER_DEFINITIONS.clusterCert),
    key: settingOf(CLUSTER_DEFINITIONS.clusterKey),
    passesCredentials: settingOf(CLUSTER_DEFINITIONS.clusterAuth) === 'pass',
    sniffs: settingOf(CLUSTER_DEFINITIONS.sniff),
    partialPages: settingOf(CLUSTER_DEFINITIONS.partialPages),
    compareUrls: settingOf(CLUSTER_DEFINITIONS.compare),
  }
  if ((options.cert === '') !== (options.key === ''))
    throw new SettingsError('--cluster-cert and --cluster-key belong together')
  if (urls.length > 0) return options
  const isSet = [options.user, options.apiKey, options.ca, options.cert].some((text) => text !== '')
  if (isSet || options.passesCredentials || options.compareUrls.length > 0)
    throw new SettingsError(
      '--cluster-user, --cluster-api-key, --cluster-ca, --cluster-cert, --cluster-auth and --compare belong to --cluster',
    )
  return undefined
}
