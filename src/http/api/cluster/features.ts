/** Endpoints that tools call before they use a cluster: features, the trial licence, and resolved cluster names. */

import { ELASTICSEARCH_VERSION } from '../../../base/version.ts'
import { EXPAND_OPEN, withParameters } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indicesParameters } from '../indices-parameters.ts'

export function featureRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', '/_features', ({ query }) => {
    query.accept('master_timeout')
    return () => ({ status: 200, body: { features: [{ name: 'tasks', description: 'Manages task results' }] } })
  })
  routes.add('GET', '/_license/basic_status', () => () => ({ status: 200, body: { eligible_to_start_basic: false } }))
  routes.add('GET', '/_license/trial_status', () => () => ({ status: 200, body: { eligible_to_start_trial: false } }))

  routes.add('GET', '/_resolve/cluster', ({ query }) => {
    query.accept('timeout')
    return () => ({ status: 200, body: {} })
  })
  routes.add('GET', '/_resolve/cluster/{name}', (request) => {
    const names = request.params['name']!.split(',')
    const options = withParameters(EXPAND_OPEN, { ignoreUnavailable: true, ...indicesParameters(request) })
    request.query.accept('timeout')
    return () => ({
      status: 200,
      body: {
        '(local)': {
          connected: true,
          skip_unavailable: false,
          matching_indices: node.names().names(names, options).size > 0,
          version: {
            number: ELASTICSEARCH_VERSION,
            build_flavor: 'default',
            minimum_wire_compatibility_version: '7.17.0',
            minimum_index_compatibility_version: '7.0.0',
          },
        },
      },
    })
  })
}
