/** The options shared by both s3 plugins: the location of the bucket, and the credentials. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { proxyOf } from '../net/proxy-agents.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { AssumedRole } from './assumed-role.ts'
import { S3Client } from './s3-client.ts'
import type { Credentials } from './signature.ts'

export const S3_OPTIONS = {
  bucket: option.string({ required: true }),
  region: option.string({ default: 'us-east-1' }),
  endpoint: option.string(),
  access_key_id: option.string(),
  secret_access_key: option.password(),
  session_token: option.password(),
  aws_credentials_file: option.path(),
  role_arn: option.string(),
  role_session_name: option.string({ default: 'logstash' }),
  role_external_id: option.string(),
  proxy_uri: option.string(),
  use_aws_bundled_ca: option.ignored('Certificates are checked with the authorities of Node.'),
  additional_settings: option.hash({ default: new Map<string, ConfigValue>() }),
} as const

type Options = OptionValues<typeof S3_OPTIONS>

/** Supported settings of Amazon's Ruby library. */
const ADDITIONAL: ReadonlySet<string> = new Set(['force_path_style', 'follow_redirects'])

export function s3Client(options: Options, context: PluginContext): S3Client {
  const { region, additional_settings: more } = options
  for (const name of more.keys()) {
    if (!ADDITIONAL.has(name)) {
      throw new PluginOptionError(
        `additional_settings: "${name}" is not known; there are ${[...ADDITIONAL].join(' and ')}`,
      )
    }
  }
  const isSet = (name: string, fallback: boolean) => String(more.get(name) ?? fallback) === 'true'
  const endpoint = endpointOf(options.endpoint, region)
  const isLocal = isIP(endpoint.hostname.replaceAll(/[[\]]/g, '')) !== 0 || endpoint.hostname === 'localhost'
  // A name with dots does not match the certificate of its host, and capitals are not part of host names.
  const fitsHost = /^[a-z0-9-]+$/.test(options.bucket)
  return new S3Client({
    endpoint,
    region,
    isPathStyle: isSet('force_path_style', false) || isLocal || !fitsHost,
    followsRedirects: isSet('follow_redirects', true),
    credentials: credentialSource(options, context),
    proxy: proxyOf(options.proxy_uri),
  })
}

/** The given credentials, or those of the role that they may assume. */
function credentialSource(options: Options, context: PluginContext): () => Promise<Credentials> {
  const own = credentialsOf(options, context)
  if (options.role_arn === undefined) return async () => own
  const role = new AssumedRole({
    arn: options.role_arn,
    sessionName: options.role_session_name,
    externalId: options.role_external_id,
    endpoint: tokenEndpointOf(options, context),
    region: options.region,
    own,
    proxy: proxyOf(options.proxy_uri),
  })
  return () => role.credentials()
}

/** Servers other than Amazon's have the token service at the address of the buckets. */
function tokenEndpointOf({ endpoint, region }: Options, { environment }: PluginContext): URL {
  const given = environment['AWS_ENDPOINT_URL_STS']
  if (given !== undefined) return endpointOf(given, region)
  const isAmazon = endpoint === undefined || /\.amazonaws\.com(?:\.cn)?$/.test(endpointOf(endpoint, region).hostname)
  return isAmazon ? new URL(`https://sts.${region}.${domainOf(region)}`) : endpointOf(endpoint, region)
}

function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}

function endpointOf(text: string | undefined, region: string): URL {
  try {
    return new URL(text ?? `https://s3.${region}.${domainOf(region)}`)
  } catch {
    throw new PluginOptionError(`endpoint "${text}" is no address; an example is "http://localhost:9000"`)
  }
}

function credentialsOf(options: Options, { environment, log }: PluginContext): Credentials {
  const { access_key_id: id, secret_access_key: secret, session_token: token, aws_credentials_file: file } = options
  if ((id === undefined) !== (secret === undefined)) {
    log.warn('Likely config error: Only one of access_key_id or secret_access_key was provided but not both.')
  }
  const found =
    credentials(id, secret, token) ??
    (file === undefined ? undefined : credentialsFile(file)) ??
    credentials(
      environment['AWS_ACCESS_KEY_ID'] ?? environment['AMAZON_ACCESS_KEY_ID'],
      environment['AWS_SECRET_ACCESS_KEY'] ?? environment['AMAZON_SECRET_ACCESS_KEY'],
      environment['AWS_SESSION_TOKEN'],
    ) ??
    sharedCredentials(environment)
  if (found !== undefined) return found
  throw new PluginOptionError(
    'no credentials: set access_key_id and secret_access_key, aws_credentials_file, the variables AWS_ACCESS_KEY_ID and ' +
      'AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws/credentials. The profile of a machine in the cloud is not asked',
  )
}

function credentials(id?: string, secret?: string, token?: string): Credentials | undefined {
  return id === undefined || secret === undefined
    ? undefined
    : { accessKeyId: id, secretAccessKey: secret, sessionToken: token }
}

/** A YAML file whose names are Ruby's symbols. */
function credentialsFile(path: string): Credentials | undefined {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  const content = (parse(readFileSync(path, 'utf8')) ?? {}) as Record<string, unknown>
  const text = (name: string) => {
    const value = content[`:${name}`] ?? content[name]
    return value === undefined || value === null ? undefined : String(value)
  }
  const found = credentials(text('access_key_id'), text('secret_access_key'), text('session_token'))
  if (found === undefined)
    throw new PluginOptionError(`aws_credentials_file ${path} has no :access_key_id and :secret_access_key`)
  return found
}

/** The file of Amazon's tools: sections of profiles with lines `name = value`. */
function sharedCredentials(environment: PluginContext['environment']): Credentials | undefined {
  const path = environment['AWS_SHARED_CREDENTIALS_FILE'] ?? join(environment['HOME'] ?? homedir(), '.aws/credentials')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const profile = environment['AWS_PROFILE'] ?? 'default'
  const values = new Map<string, string>()
  let isOurs = false
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[\s*(.+?)\s*\]/.exec(line)
    if (section !== null) isOurs = section[1] === profile
    const value = /^\s*([a-z_]+)\s*=\s*(\S*)/.exec(line)
    if (isOurs && value !== null) values.set(value[1]!, value[2]!)
  }
  return credentials(
    values.get('aws_access_key_id'),
    values.get('aws_secret_access_key'),
    values.get('aws_session_token'),
  )
}
