/** The reserved roles, which cannot be changed. */
import type { IndexPrivileges, RoleDescriptor } from './role-descriptor.ts'

const RESERVED = { _reserved: true }
const MONITORING_BULK = 'cluster:admin/xpack/monitoring/bulk'
/** All names except those that start with a dot or with `ilm-history-`. */
const ORDINARY_INDICES = '/~(([.]|ilm-history-).*)/'

function entry(
  names: string | readonly string[],
  privileges: readonly string[],
  allowRestricted = false,
): IndexPrivileges {
  return { names: typeof names === 'string' ? [names] : names, privileges, allowRestricted }
}

function role(given: Partial<RoleDescriptor>): RoleDescriptor {
  return { cluster: [], indices: [], applications: [], runAs: [], metadata: RESERVED, isReserved: true, ...given }
}

const kibana = (privilege: 'read' | 'all') => [
  { application: 'kibana-.kibana', privileges: [privilege], resources: ['*'] },
]

const READ = ['read', 'view_index_metadata']
const KIBANA_DATA = ['.siem-signals*', '.lists-*', '.items-*', '.alerts*']

export const RESERVED_ROLES: ReadonlyMap<string, RoleDescriptor> = new Map(
  Object.entries({
    superuser: role({
      cluster: ['all'],
      indices: [
        entry('*', ['all']),
        entry('*', ['monitor', 'read', 'view_index_metadata', 'read_cross_cluster'], true),
      ],
      applications: [{ application: '*', privileges: ['*'], resources: ['*'] }],
      runAs: ['*'],
    }),
    viewer: role({
      indices: [entry(ORDINARY_INDICES, READ), entry(['.slo-observability.*', ...KIBANA_DATA], READ)],
      applications: kibana('read'),
    }),
    editor: role({
      indices: [
        entry(ORDINARY_INDICES, READ),
        entry('observability-annotations', [...READ, 'write']),
        entry('.slo-observability.*', [...READ, 'write', 'manage']),
        entry(KIBANA_DATA, [...READ, 'write', 'maintenance']),
      ],
      applications: kibana('all'),
    }),
    monitoring_user: role({
      cluster: ['cluster:monitor/main', 'cluster:monitor/xpack/info', 'cluster:monitor/remote/info'],
      indices: [
        entry(
          ['.monitoring-*', '/metrics-(beats|elasticsearch|enterprisesearch|kibana|logstash).*/', 'metricbeat-*'],
          ['read', 'read_cross_cluster'],
        ),
      ],
    }),
    remote_monitoring_collector: role({
      cluster: ['monitor'],
      indices: [entry('*', ['monitor'], true), entry('.kibana*', ['read'], true)],
    }),
    remote_monitoring_agent: role({
      cluster: [
        'manage_index_templates',
        'manage_ingest_pipelines',
        'monitor',
        'cluster:admin/ilm/get',
        'cluster:admin/ilm/put',
      ],
      indices: [
        entry('.monitoring-*', ['all']),
        entry('metricbeat-*', [
          ...['index', 'create_index', 'view_index_metadata'],
          ...['indices:admin/aliases', 'indices:admin/rollover'],
        ]),
      ],
    }),
    ingest_admin: role({ cluster: ['manage_index_templates', 'manage_pipeline'] }),
    kibana_system: role({
      cluster: [
        ...['monitor', 'manage_index_templates', 'manage_pipeline', 'manage_ilm', 'manage_enrich', 'manage_transform'],
        ...['manage_ml', 'manage_inference', 'manage_saml', 'manage_oidc', 'manage_token', 'delegate_pki'],
        ...[
          'monitor_connector',
          'monitor_text_structure',
          'write_fleet_secrets',
          'grant_api_key',
          'manage_own_api_key',
        ],
        ...['cancel_task', 'cluster:admin/xpack/security/api_key/invalidate'],
        ...['cluster:admin/xpack/security/privilege/builtin/get', 'cluster:admin/xpack/security/profile/*'],
        ...['cluster:admin/analyze', 'cluster:admin/script/put', 'cluster:admin/script/get', MONITORING_BULK],
      ],
      indices: [
        entry(['.kibana*', '.reporting-*'], ['all'], true),
        entry('.monitoring-*', ['read', 'read_cross_cluster']),
      ],
    }),
    kibana_admin: role({ applications: kibana('all') }),
    logstash_system: role({ cluster: ['monitor', MONITORING_BULK] }),
    beats_system: role({
      cluster: ['monitor', MONITORING_BULK],
      indices: [entry('.monitoring-beats-*', ['create_index', 'create'])],
    }),
    apm_system: role({
      cluster: ['monitor', MONITORING_BULK],
      indices: [entry('.monitoring-beats-*', ['create_index', 'create_doc'])],
    }),
    logstash_admin: role({
      cluster: ['manage_logstash_pipelines'],
      indices: [entry('.logstash*', ['create', 'delete', 'index', 'manage', 'read'], true)],
    }),
    snapshot_user: role({
      cluster: ['create_snapshot', 'cluster:admin/repository/get'],
      indices: [entry('*', ['view_index_metadata'], true)],
    }),
    transport_client: role({ cluster: ['transport_client'] }),
  }),
)

/** Names that Elasticsearch reserves for features that do not exist here. They are rejected as names of roles. */
const RESERVED_ELSEWHERE = [
  ...['apm_user', 'beats_admin', 'enrich_user', 'kibana_user', 'reporting_user'],
  ...['data_frame_transforms_admin', 'data_frame_transforms_user', 'inference_admin', 'inference_user'],
  ...['machine_learning_admin', 'machine_learning_user', 'rollup_admin', 'rollup_user'],
  ...['transform_admin', 'transform_user', 'watcher_admin', 'watcher_user'],
]

export const isReservedRole = (name: string) => RESERVED_ROLES.has(name) || RESERVED_ELSEWHERE.includes(name)
