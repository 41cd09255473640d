/** The settings of the service: their names, defaults and descriptions. */
import { availableParallelism } from 'node:os'
import { LOG_LEVELS } from '../../base/log.ts'
import { CLUSTER_DEFINITIONS } from './cluster-settings.ts'
import { define } from './setting-definition.ts'
import {
  number,
  plain,
  readBoolean,
  readClientAuth,
  readLogFormat,
  readLogLevel,
  readMemory,
  readNames,
  readOrigins,
  readProxies,
  readRegexEnabled,
  readScriptContexts,
  readScriptTypes,
  readSize,
  readTlsMode,
  UNSET,
} from './setting-values.ts'

export const DEFINITIONS = {
  host: define({
    name: 'host',
    placeholder: 'ADDRESS',
    standard: '127.0.0.1',
    about: 'address to listen on; addresses other than loopback need --security true',
    read: plain,
  }),
  port: define({
    name: 'port',
    placeholder: 'N',
    standard: '9200',
    about: 'port to listen on; 0 selects a free one',
    read: number(0, 65535),
  }),
  data: define({
    name: 'data',
    placeholder: 'FOLDER',
    standard: './data',
    about: 'folder of the data',
    read: plain,
  }),
  clusterName: define({
    name: 'cluster-name',
    placeholder: 'NAME',
    standard: 'sandpiper',
    about: 'name of the cluster',
    read: plain,
  }),
  nodeName: define({
    name: 'node-name',
    placeholder: 'NAME',
    standard: 'node-1',
    about: 'name of the node',
    read: plain,
  }),
  threads: define({
    name: 'threads',
    placeholder: 'N',
    standard: String(Math.max(2, availableParallelism())),
    about: 'threads besides the main thread: one for writes, the rest for searches; 0 runs everything in one thread',
    read: number(0, 64),
  }),
  memory: define({
    name: 'memory',
    placeholder: 'SIZE',
    standard: UNSET.memory,
    about: 'memory of the whole process; requests that would exceed it are rejected with 429',
    read: readMemory,
  }),
  maxContentBytes: define({
    name: 'max-content-length',
    placeholder: 'SIZE',
    standard: '100mb',
    about: 'largest request body',
    read: readSize,
  }),
  allowedHosts: define({
    name: 'http-allowed-hosts',
    placeholder: 'NAMES',
    standard: UNSET.allowedHosts,
    about: 'additional host names of the service, separated by commas; *.example.org allows all subdomains',
    read: readNames,
  }),
  reindexRemoteWhitelist: define({
    name: 'reindex-remote-whitelist',
    placeholder: 'HOSTS',
    standard: '',
    about: 'servers that reindex may read from, as host:port separated by commas; * matches any characters',
    read: (text: string) =>
      text
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
  }),
  pathRepo: define({
    name: 'path-repo',
    placeholder: 'FOLDERS',
    standard: '',
    about: 'folders for snapshot repositories, separated by commas; relative locations are below the first',
    read: (text: string) =>
      text
        .split(',')
        .map((folder) => folder.trim())
        .filter((folder) => folder !== ''),
  }),
  stackTemplates: define({
    name: 'stack-templates',
    placeholder: 'BOOLEAN',
    standard: 'true',
    about: 'built-in index templates for logs-*-*, metrics-*-* and synthetics-*-*, with their policies and pipelines',
    read: readBoolean,
  }),
  security: define({
    name: 'security',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'require authentication: users, roles and API keys as in Elasticsearch',
    read: readBoolean,
  }),
  elasticPassword: define({
    name: 'elastic-password',
    placeholder: 'PASSWORD',
    standard: '',
    about: 'initial password of the user elastic; only in the settings file',
    read: (text: string) => (text === '' ? undefined : text),
  }),
  tls: define({
    name: 'tls',
    placeholder: 'MODE',
    standard: UNSET.tls,
    about: 'auto creates certificates in the data folder; off disables TLS',
    read: readTlsMode,
  }),
  tlsCert: define({
    name: 'tls-cert',
    placeholder: 'FILE',
    standard: '',
    about: 'certificate in PEM format; reloaded when it changes',
    read: (text: string) => text,
  }),
  tlsKey: define({
    name: 'tls-key',
    placeholder: 'FILE',
    standard: '',
    about: 'private key of the certificate in PEM format',
    read: (text: string) => text,
  }),
  tlsCa: define({
    name: 'tls-ca',
    placeholder: 'FILE',
    standard: '',
    about: 'certificates of the issuers in PEM format; sent together with the certificate',
    read: (text: string) => text,
  }),
  tlsClientAuth: define({
    name: 'tls-client-auth',
    placeholder: 'MODE',
    standard: 'none',
    about:
      'ask clients for a certificate: none, optional or required; users of certificates get roles by role mappings',
    read: readClientAuth,
  }),
  tlsClientCa: define({
    name: 'tls-client-ca',
    placeholder: 'FILE',
    standard: '',
    about: 'authorities of client certificates in PEM format; default: the issuers of the certificate of the service',
    read: (text: string) => text,
  }),
  insecureHttp: define({
    name: 'insecure-http',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'listen on other than loopback addresses without TLS, behind a proxy with TLS',
    read: readBoolean,
  }),
  scriptAllowedTypes: define({
    name: 'script-allowed-types',
    placeholder: 'TYPES',
    standard: 'both',
    about: 'which scripts may run: both, inline, stored or none',
    read: readScriptTypes,
  }),
  scriptAllowedContexts: define({
    name: 'script-allowed-contexts',
    placeholder: 'CONTEXTS',
    standard: 'all',
    about: 'allowed script contexts, separated by commas: score, update, field …; none allows no scripts',
    read: readScriptContexts,
  }),
  scriptRegex: define({
    name: 'script-painless-regex-enabled',
    placeholder: 'CHOICE',
    standard: 'limited',
    about: 'regular expressions in scripts: limited, true or false',
    read: readRegexEnabled,
  }),
  scriptRegexLimitFactor: define({
    name: 'script-painless-regex-limit-factor',
    placeholder: 'N',
    standard: '6',
    about: 'number of characters that a limited regular expression may examine, per character of its input',
    read: number(1, 2147483647),
  }),
  audit: define({
    name: 'audit',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'write an audit log to audit/audit.ndjson in the data folder; it is rotated like the log file',
    read: readBoolean,
  }),
  corsOrigins: define({
    name: 'http-cors-allow-origin',
    placeholder: 'ORIGINS',
    standard: UNSET.corsOrigins,
    about: 'additional allowed CORS origins, separated by commas: https://app.example, * or /a regular expression/',
    read: readOrigins,
  }),
  trustedProxies: define({
    name: 'trusted-proxies',
    placeholder: 'ADDRESSES',
    standard: '',
    about:
      'proxies whose X-Forwarded-For header is trusted, separated by commas; ranges such as 10.0.0.0/8 are allowed',
    read: readProxies,
  }),
  strictMediaTypes: define({
    name: 'strict-media-types',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'reject clients of the major versions that Elasticsearch 8 rejects',
    read: readBoolean,
  }),
  errorHelp: define({
    name: 'error-help',
    placeholder: 'BOOLEAN',
    standard: 'true',
    about:
      'add a help member to errors that have a remedy; without it error responses are exactly those of Elasticsearch',
    read: readBoolean,
  }),
  ...CLUSTER_DEFINITIONS,
  logLevel: define({
    name: 'log-level',
    placeholder: 'LEVEL',
    standard: 'info',
    about: LOG_LEVELS.join(', '),
    read: readLogLevel,
  }),
  logFormat: define({
    name: 'log-format',
    placeholder: 'FORMAT',
    standard: 'text',
    about: 'text, or json with one object per line',
    read: readLogFormat,
  }),
  logFile: define({
    name: 'log-file',
    placeholder: 'FILE',
    standard: '',
    about: 'write log lines to this file instead of standard error',
    read: (text: string) => text,
  }),
  logFileBytes: define({
    name: 'log-file-size',
    placeholder: 'SIZE',
    standard: '64mb',
    about: 'start a new log file at this size',
    read: readSize,
  }),
  logFileCount: define({
    name: 'log-file-count',
    placeholder: 'N',
    standard: '5',
    about: 'log files to keep, the current one included',
    read: number(1, 1000),
  }),
}

/** Settings that have no flag, with the variables to use instead. */
export const SECRETS: ReadonlyMap<string, string> = new Map([
  [DEFINITIONS.elasticPassword.name, 'ELASTIC_PASSWORD, ELASTIC_PASSWORD_FILE'],
  [CLUSTER_DEFINITIONS.clusterPassword.name, 'SANDPIPER_CLUSTER_PASSWORD'],
  [CLUSTER_DEFINITIONS.clusterApiKey.name, 'SANDPIPER_CLUSTER_API_KEY'],
])
