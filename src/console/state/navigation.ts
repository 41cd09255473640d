/** The views: their names, paths and positions in the rail. */

export interface ViewProps {
  /** The decoded rest of the path after the view's own path: the name of an index, a tab. */
  readonly rest: readonly string[]
}

export type ViewName =
  | 'overview'
  | 'requests'
  | 'discover'
  | 'aggregations'
  | 'indices'
  | 'contexts'
  | 'tasks'
  | 'grok'
  | 'config'
  | 'running'
  | 'users'
  | 'roles'
  | 'keys'
  | 'gateway'
  | 'signIn'

export interface NavigationItem {
  /** The path below the prefix. */
  readonly path: string
  readonly view: ViewName
  readonly label: string
  readonly icon: string
  /** The heading in the rail. */
  readonly group: string | undefined
  /** Whether the view is reachable by its address only. */
  readonly isHidden?: true
  /** The feature of the service without which the view is not listed. */
  readonly needs?: FeatureName
}

export type FeatureName = 'security' | 'gateway'

export const NAVIGATION: readonly NavigationItem[] = [
  { path: '', view: 'overview', label: 'Overview', icon: 'overview', group: undefined },
  { path: 'requests', view: 'requests', label: 'Requests', icon: 'requests', group: 'Ask' },
  { path: 'discover', view: 'discover', label: 'Discover', icon: 'discover', group: 'Ask' },
  { path: 'aggregations', view: 'aggregations', label: 'Aggregations', icon: 'aggregations', group: 'Ask' },
  { path: 'indices', view: 'indices', label: 'Indices', icon: 'indices', group: 'Data' },
  { path: 'contexts', view: 'contexts', label: 'Contexts', icon: 'contexts', group: 'Data' },
  { path: 'tasks', view: 'tasks', label: 'Tasks', icon: 'tasks', group: 'Data' },
  { path: 'gateway', view: 'gateway', label: 'Gateway', icon: 'gateway', group: 'Data', needs: 'gateway' },
  { path: 'pipelines/grok', view: 'grok', label: 'Grok debugger', icon: 'grok', group: 'Pipelines' },
  { path: 'pipelines/config', view: 'config', label: 'Configuration', icon: 'config', group: 'Pipelines' },
  { path: 'pipelines/running', view: 'running', label: 'Running', icon: 'running', group: 'Pipelines' },
  { path: 'users', view: 'users', label: 'Users', icon: 'users', group: 'Access', needs: 'security' },
  { path: 'roles', view: 'roles', label: 'Roles', icon: 'roles', group: 'Access', needs: 'security' },
  { path: 'keys', view: 'keys', label: 'API keys', icon: 'keys', group: 'Access', needs: 'security' },
  { path: 'sign-in', view: 'signIn', label: 'Sign in', icon: 'users', group: undefined, isHidden: true },
]
