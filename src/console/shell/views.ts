/** The modules of the views. A module is loaded when its view is first opened. */
import type { ComponentType } from 'preact'
import type { ViewName, ViewProps } from '../state/navigation.ts'

export interface ViewModule {
  readonly default: ComponentType<ViewProps>
}

export const VIEWS: Readonly<Record<ViewName, () => Promise<ViewModule>>> = {
  overview: () => import('../views/overview/overview.tsx'),
  requests: () => import('../views/requests/requests.tsx'),
  discover: () => import('../views/discover/discover.tsx'),
  aggregations: () => import('../views/aggregations/aggregations.tsx'),
  indices: () => import('../views/indices/indices.tsx'),
  contexts: () => import('../views/contexts/contexts.tsx'),
  tasks: () => import('../views/tasks/tasks.tsx'),
  grok: () => import('../views/pipelines/grok.tsx'),
  config: () => import('../views/pipelines/config.tsx'),
  running: () => import('../views/pipelines/running.tsx'),
  users: () => import('../views/access/users.tsx'),
  roles: () => import('../views/access/roles.tsx'),
  keys: () => import('../views/access/keys.tsx'),
  gateway: () => import('../views/gateway/gateway.tsx'),
  signIn: () => import('../views/sign-in/sign-in.tsx'),
}
