/** Privileges on the cluster, from the least to the most powerful: the order in which the reason of a 403 lists them. */
import { type ActionMatcher, actionMatcher, type Privilege, PrivilegeList } from './privilege.ts'

const SECURITY = 'cluster:admin/xpack/security/'
const TEMPLATES = ['indices:admin/template/*', 'indices:admin/index_template/*']
const STATE = 'cluster:monitor/state'
const PIPELINES = ['cluster:admin/ingest/pipeline/*']
const SNAPSHOT_STATUS = ['cluster:admin/snapshot/status*', 'cluster:admin/snapshot/get', 'cluster:admin/repository/get']
const ENRICH_STATS = 'cluster:monitor/xpack/enrich/*'

const secured = (...actions: string[]) => actions.map((action) => SECURITY + action)

/** Action patterns by privilege. Privileges that are not listed grant actions that do not exist here. */
const PATTERNS: Readonly<Record<string, readonly string[]>> = {
  manage_own_api_key: secured('api_key/*'),
  cancel_task: ['cluster:admin/tasks/cancel*'],
  cross_cluster_replication: [STATE, 'cluster:monitor/xpack/info'],
  cross_cluster_search: ['cluster:monitor/xpack/info', 'cluster:monitor/stats'],
  delegate_pki: secured('delegate_pki', 'token/invalidate'),
  grant_api_key: secured('api_key/grant*'),
  manage_index_templates: [...TEMPLATES, 'cluster:admin/component_template/*'],
  manage_logstash_pipelines: ['cluster:admin/logstash/pipeline/*'],
  manage_search_synonyms: ['cluster:admin/synonyms*', 'cluster:admin/synonym_rules/*'],
  manage_service_account: secured('service_account/*'),
  manage_token: secured('token/*'),
  manage_user_profile: secured('profile/*'),
  monitor_enrich: [ENRICH_STATS, 'cluster:admin/xpack/enrich/get'],
  monitor_snapshot: SNAPSHOT_STATUS,
  monitor_stats: ['cluster:monitor/stats*'],
  read_ccr: [STATE, `${SECURITY}user/has_privileges`],
  read_ilm: ['cluster:admin/ilm/get', 'cluster:admin/ilm/operation_mode/get'],
  read_pipeline: ['cluster:admin/ingest/pipeline/get', 'cluster:admin/ingest/pipeline/simulate'],
  read_security: secured(
    ...['api_key/get', 'api_key/query', 'privilege/get', 'privilege/builtin/get', 'profile/get', 'profile/suggest'],
    ...['profile/has_privileges', 'role/get', 'role/query', 'role_mapping/get', 'service_account/get'],
    ...['service_account/credential/get*', 'user/get', 'user/query', 'user/list_privileges', 'user/has_privileges'],
    'settings/get',
  ),
  read_slm: ['cluster:admin/slm/get', 'cluster:admin/slm/status', 'cluster:admin/ilm/operation_mode/get'],
  transport_client: ['cluster:monitor/nodes/liveness', STATE],
  create_snapshot: ['cluster:admin/snapshot/create', ...SNAPSHOT_STATUS],
  manage_ccr: [STATE, `${SECURITY}user/has_privileges`],
  manage_enrich: ['cluster:admin/xpack/enrich/*', ENRICH_STATS],
  manage_ilm: ['cluster:admin/ilm/*'],
  manage_slm: [
    'cluster:admin/slm/*',
    'cluster:admin/ilm/start',
    'cluster:admin/ilm/stop',
    'cluster:admin/ilm/operation_mode/get',
  ],
  manage_api_key: secured('api_key/*'),
  manage_ingest_pipelines: PIPELINES,
  manage_pipeline: PIPELINES,
  manage_security: secured('*'),
  monitor: [
    'cluster:monitor/*',
    'indices:admin/template/get',
    'indices:admin/index_template/get',
    'cluster:admin/component_template/get',
  ],
  manage: ['cluster:*', ...TEMPLATES],
  all: ['cluster:*', ...TEMPLATES],
}

const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  manage_security: secured('delegate_pki'),
  manage: secured('*'),
}

export const CLUSTER_PRIVILEGE_NAMES: readonly string[] = `
  manage_own_api_key manage_data_stream_global_retention monitor_data_stream_global_retention none cancel_task
  cross_cluster_replication cross_cluster_search delegate_pki grant_api_key manage_autoscaling manage_index_templates
  manage_logstash_pipelines manage_oidc manage_saml manage_search_application manage_search_query_rules
  manage_search_synonyms manage_service_account manage_token manage_user_profile monitor_connector monitor_enrich
  monitor_inference monitor_ml monitor_rollup monitor_snapshot monitor_stats monitor_text_structure monitor_watcher
  post_behavioral_analytics_event read_ccr read_connector_secrets read_fleet_secrets read_ilm read_pipeline read_security
  read_slm transport_client write_connector_secrets write_fleet_secrets create_snapshot manage_behavioral_analytics
  manage_ccr manage_connector manage_enrich manage_ilm manage_inference manage_ml manage_rollup manage_slm manage_watcher
  monitor_data_frame_transforms monitor_transform manage_api_key manage_ingest_pipelines manage_pipeline
  manage_data_frame_transforms manage_transform manage_security monitor manage all`
  .trim()
  .split(/\s+/)

export const CLUSTER_PRIVILEGES = new PrivilegeList(
  CLUSTER_PRIVILEGE_NAMES.map(
    (name): Privilege => ({ name, patterns: PATTERNS[name] ?? [], except: EXCEPT[name] ?? [] }),
  ),
)

const isClusterAction = actionMatcher(['cluster:*', ...TEMPLATES])

/** Whether an action is authorized by cluster privileges. This includes the actions of templates, which begin with `indices:`. */
export const isClusterLevel = (action: string) => isClusterAction(action)

/** Undefined for a name that is neither a privilege nor a pattern over actions. */
export function clusterPrivilege(written: string): ActionMatcher | undefined {
  const name = written.toLowerCase()
  return CLUSTER_PRIVILEGES.matcher(name) ?? (isClusterAction(name) ? actionMatcher([`${name}*`]) : undefined)
}

export const unknownClusterPrivilege = (name: string) =>
  `unknown cluster privilege [${name}]. a privilege must be either one of the predefined cluster privilege names [` +
  `${CLUSTER_PRIVILEGE_NAMES.join(',')}] or a pattern over one of the available cluster actions`
