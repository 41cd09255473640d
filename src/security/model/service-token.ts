/** Tokens of service accounts: `AAEAAW…`, base64 of four fixed bytes and `namespace/service/name:secret`. */
import type { RoleDescriptor } from './role-descriptor.ts'

export interface ServiceToken {
  readonly account: string
  readonly name: string
  readonly salt: string
  readonly hash: string
}

const PREFIX = Buffer.from([0, 1, 0, 1])

export interface ParsedToken {
  readonly account: string
  readonly name: string
  readonly secret: string
}

export function encodeToken({ account, name, secret }: ParsedToken): string {
  return Buffer.concat([PREFIX, Buffer.from(`${account}/${name}:${secret}`)]).toString('base64')
}

/** Undefined if the text is not a token of a service account. */
export function decodeToken(text: string): ParsedToken | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < PREFIX.length || !bytes.subarray(0, PREFIX.length).equals(PREFIX)) return undefined
  const match = /^([^/:]+\/[^/:]+)\/([^/:]+):(.*)$/s.exec(bytes.toString('utf8', PREFIX.length))
  return match === null ? undefined : { account: match[1]!, name: match[2]!, secret: match[3]! }
}

const TOKEN_NAME = /^[A-Za-z0-9-][A-Za-z0-9_-]{0,255}$/
export const isTokenName = (name: string) => TOKEN_NAME.test(name)
export const invalidTokenName = (name: string) =>
  `invalid service token name [${name}]. service account token name must have at least 1 character and at most 256 characters that are ` +
  'alphanumeric (A-Z, a-z, 0-9) or hyphen (-) or underscore (_). It must not begin with an underscore (_).'

const account = (
  cluster: readonly string[],
  names: readonly string[],
  privileges: readonly string[],
): RoleDescriptor => ({
  cluster,
  indices: names.length === 0 ? [] : [{ names, privileges, allowRestricted: false }],
  applications: [],
  runAs: [],
  metadata: {},
})

const FLEET_INDICES = [
  ...[
    'logs-*',
    'metrics-*',
    'traces-*',
    '.logs-endpoint.diagnostic.collection-*',
    'synthetics-*',
    '.logs-endpoint.action.responses-*',
  ],
]
const FLEET = account(['monitor', 'manage_own_api_key', 'read_fleet_secrets'], FLEET_INDICES, [
  'write',
  'create_index',
  'auto_configure',
])

/** The service accounts, with their fixed roles. */
export const SERVICE_ACCOUNTS: ReadonlyMap<string, RoleDescriptor> = new Map([
  ['elastic/auto-ops', account(['monitor', 'read_ilm', 'read_slm'], ['*'], ['monitor', 'view_index_metadata'])],
  [
    'elastic/enterprise-search-server',
    account(
      ['manage', 'manage_security', 'read_connector_secrets', 'write_connector_secrets'],
      ['search-*', '.ent-search-*', '.monitoring-ent-search-*', 'metricbeat-ent-search-*', 'logs-*'],
      ['manage', 'read', 'write'],
    ),
  ],
  ['elastic/fleet-server', FLEET],
  [
    'elastic/fleet-server-remote',
    account(['manage_own_api_key', 'monitor'], FLEET_INDICES, ['create_doc', 'auto_configure']),
  ],
  [
    'elastic/kibana',
    account(
      [
        'monitor',
        'manage_index_templates',
        'manage_pipeline',
        'manage_ilm',
        'manage_own_api_key',
        'grant_api_key',
        'cancel_task',
      ],
      ['.kibana*', '.reporting-*'],
      ['all'],
    ),
  ],
])
