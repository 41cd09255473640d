/** Privileges on indices, from the least to the most powerful: the order in which the reason of a 403 lists them. */
import { type ActionMatcher, actionMatcher, type Privilege, PrivilegeList } from './privilege.ts'

const BULK = ['indices:data/write/bulk*', 'indices:data/write/simulate/bulk*']
const RESOLVE = ['indices:admin/resolve/index', 'indices:admin/resolve/cluster']
const SEARCH_SHARDS = ['indices:admin/shards/search_shards', 'indices:admin/search/search_shards']

const PRIVILEGES: readonly Privilege[] = [
  {
    name: 'create_doc',
    patterns: [
      'indices:data/write/index',
      'indices:data/write/index[*',
      'indices:data/write/index:op_type/create',
      ...BULK,
    ],
  },
  { name: 'create', patterns: ['indices:data/write/index*', ...BULK] },
  { name: 'auto_configure', patterns: ['indices:admin/mapping/auto_put', 'indices:admin/auto_create'] },
  {
    name: 'create_index',
    patterns: ['indices:admin/create', 'indices:admin/auto_create', 'indices:admin/data_stream/create'],
  },
  { name: 'delete', patterns: ['indices:data/write/delete*', 'indices:data/write/bulk*'] },
  { name: 'delete_index', patterns: ['indices:admin/delete', 'indices:admin/data_stream/delete'] },
  { name: 'index', patterns: ['indices:data/write/index*', ...BULK, 'indices:data/write/update*'] },
  {
    name: 'maintenance',
    patterns: [
      'indices:admin/refresh*',
      'indices:admin/flush*',
      'indices:admin/synced_flush',
      'indices:admin/forcemerge*',
    ],
  },
  { name: 'manage_data_stream_lifecycle', patterns: ['indices:admin/data_stream/lifecycle/*'] },
  {
    name: 'manage_follow_index',
    patterns: ['indices:admin/close*', 'indices:admin/rollover', 'indices:admin/data_stream/promote'],
  },
  { name: 'manage_ilm', patterns: ['indices:admin/ilm/*'] },
  { name: 'manage_leader_index', patterns: ['indices:admin/xpack/ccr/forget_follower*'] },
  { name: 'monitor', patterns: ['indices:monitor/*'] },
  {
    name: 'view_index_metadata',
    patterns: [
      'indices:admin/aliases/get',
      'indices:admin/get',
      'indices:admin/mappings/get',
      'indices:admin/mappings/fields/get*',
      ...SEARCH_SHARDS,
      'indices:admin/validate/query*',
      'indices:admin/ilm/explain',
      'indices:admin/data_stream/get',
      'indices:admin/data_stream/lifecycle/get',
      'indices:admin/data_stream/lifecycle/explain',
      ...RESOLVE,
      'indices:monitor/settings/get',
      'indices:data/read/field_caps*',
    ],
  },
  { name: 'cross_cluster_replication', patterns: ['indices:monitor/stats*'] },
  { name: 'cross_cluster_replication_internal', patterns: [] },
  { name: 'manage', patterns: ['indices:monitor/*', 'indices:admin/*', 'indices:data/read/field_caps*'] },
  { name: 'read', patterns: ['indices:data/read/*', ...RESOLVE] },
  { name: 'read_cross_cluster', patterns: SEARCH_SHARDS },
  { name: 'write', patterns: ['indices:data/write/*', 'indices:admin/mapping/auto_put'] },
  { name: 'all', patterns: ['indices:*', 'failures:*'] },
]

/** Actions on the failure stores of data streams are written with this prefix. */
export const ON_FAILURES = 'failures:'

const FAILURE_PRIVILEGES: Readonly<Record<string, readonly string[]>> = {
  manage_failure_store: ['indices:monitor/*', 'indices:admin/*', 'indices:data/read/field_caps*'].map(onFailures),
  read_failure_store: ['indices:data/read/*', ...RESOLVE].map(onFailures),
}

function onFailures(action: string): string {
  return `${ON_FAILURES}${action}`
}

/** Privileges that a 403 never lists: `none` grants nothing, the others only failure stores. */
const UNLISTED = [...Object.keys(FAILURE_PRIVILEGES), 'none']

export const INDEX_PRIVILEGES = new PrivilegeList(PRIVILEGES)

/** In the order of the error for an unknown privilege. */
export const INDEX_PRIVILEGE_NAMES: readonly string[] = [...UNLISTED, ...INDEX_PRIVILEGES.names]

/** Write privileges that also grant mapping updates on indices and aliases, but not on data streams, for backward compatibility. */
const MAY_EXTEND_MAPPING: ReadonlySet<string> = new Set(['create', 'create_doc', 'index', 'write'])
const EXTEND_MAPPING = actionMatcher(['indices:admin/mapping/put', 'indices:admin/mapping/auto_put'])
const NOTHING: ActionMatcher = () => false

/** Undefined for a name that is neither a privilege nor a pattern over actions. */
export function indexPrivilege(written: string): ActionMatcher | undefined {
  const name = written.toLowerCase()
  const onlyFailures = FAILURE_PRIVILEGES[name]
  if (onlyFailures !== undefined) return actionMatcher(onlyFailures)
  if (name === 'none') return NOTHING
  return INDEX_PRIVILEGES.matcher(name) ?? (name.startsWith('indices:') ? actionMatcher([`${name}*`]) : undefined)
}

/** The actions that a privilege grants, as patterns; undefined if there is none of this name. */
export const privilegePatterns = (name: string): readonly string[] | undefined =>
  FAILURE_PRIVILEGES[name] ?? INDEX_PRIVILEGES.privilege(name)?.patterns

export const unknownIndexPrivilege = (name: string) =>
  `unknown index privilege [${name}]. a privilege must be either one of the predefined fixed indices privileges [` +
  `${INDEX_PRIVILEGE_NAMES.map((known) => `${known}=[${known}]`).join(',')}] or a pattern over one of the available index actions`

/** Actions that a privilege grants on indices and aliases only. */
export const mappingExtension = (privilege: string): ActionMatcher | undefined =>
  MAY_EXTEND_MAPPING.has(privilege.toLowerCase()) ? EXTEND_MAPPING : undefined
