/** The routes of the security API with their actions; see route-actions.ts. */
import type { RouteDeclaration } from '../route-access.ts'

const PREFIX = 'cluster:admin/xpack/security/'
const line = (methods: string, path: string, action: string): RouteDeclaration => [
  methods,
  `/_security${path}`,
  PREFIX + action,
  [],
]

const ACCOUNT = '/service/{namespace}/{service}'

export const SECURITY_DECLARATIONS: readonly RouteDeclaration[] = [
  line('GET', '/_authenticate', 'user/authenticate'),
  line('PUT POST', '/user/{username}', 'user/put'),
  line('GET', '/user', 'user/get'),
  line('GET', '/user/{username}', 'user/get'),
  line('DELETE', '/user/{username}', 'user/delete'),
  line('PUT POST', '/user/_password', 'user/change_password'),
  line('PUT POST', '/user/{username}/_password', 'user/change_password'),
  line('PUT POST', '/user/{username}/_enable', 'user/set_enabled'),
  line('PUT POST', '/user/{username}/_disable', 'user/set_enabled'),
  line('GET POST', '/_query/user', 'user/query'),
  line('PUT POST', '/role/{name}', 'role/put'),
  line('GET', '/role', 'role/get'),
  line('GET', '/role/{name}', 'role/get'),
  line('DELETE', '/role/{name}', 'role/delete'),
  line('GET', '/privilege/_builtin', 'privilege/builtin/get'),
  line('GET', '/user/_privileges', 'user/list_privileges'),
  line('GET POST', '/user/_has_privileges', 'user/has_privileges'),
  line('GET POST', '/user/{username}/_has_privileges', 'user/has_privileges'),
  line('PUT POST', '/role_mapping/{name}', 'role_mapping/put'),
  line('GET', '/role_mapping', 'role_mapping/get'),
  line('GET', '/role_mapping/{name}', 'role_mapping/get'),
  line('DELETE', '/role_mapping/{name}', 'role_mapping/delete'),
  line('GET', '/service', 'service_account/get'),
  line('GET', '/service/{namespace}', 'service_account/get'),
  line('GET', ACCOUNT, 'service_account/get'),
  line('GET', `${ACCOUNT}/credential`, 'service_account/credential/get'),
  line('POST', `${ACCOUNT}/credential/token`, 'service_account/token/create'),
  line('PUT POST', `${ACCOUNT}/credential/token/{name}`, 'service_account/token/create'),
  line('DELETE', `${ACCOUNT}/credential/token/{name}`, 'service_account/token/delete'),
  line('POST', `${ACCOUNT}/credential/token/{name}/_clear_cache`, 'service_account/credential/clear_cache'),
  line('PUT POST', '/api_key', 'api_key/create'),
  line('GET', '/api_key', 'api_key/get'),
  line('DELETE', '/api_key', 'api_key/invalidate'),
  line('PUT', '/api_key/{id}', 'api_key/update'),
  line('POST', '/api_key/_bulk_update', 'api_key/bulk_update'),
  line('PUT POST', '/api_key/grant', 'api_key/grant'),
  line('GET POST', '/_query/api_key', 'api_key/query'),
  line('POST', '/realm/{realms}/_clear_cache', 'realm/cache/clear'),
  line('POST', '/role/{name}/_clear_cache', 'role/cache/clear'),
  line('POST', '/api_key/{ids}/_clear_cache', 'api_key/cache/clear'),
  line('POST', '/privilege/{application}/_clear_cache', 'privilege/cache/clear'),
]
