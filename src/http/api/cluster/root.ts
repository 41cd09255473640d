/** `GET /`: identifies the node. Clients check it before their first request. */
import { BUILD_DATE, BUILD_HASH, ELASTICSEARCH_VERSION, LUCENE_VERSION } from '../../../base/version.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'

export function rootRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add(['GET', 'HEAD'], '/', () => () => ({
    status: 200,
    body: {
      name: node.name,
      cluster_name: node.clusterName,
      cluster_uuid: node.clusterUuid,
      version: {
        number: ELASTICSEARCH_VERSION,
        build_flavor: 'default',
        build_type: 'zip',
        build_hash: BUILD_HASH,
        build_date: BUILD_DATE,
        build_snapshot: false,
        lucene_version: LUCENE_VERSION,
        minimum_wire_compatibility_version: '7.17.0',
        minimum_index_compatibility_version: '7.0.0',
      },
      tagline: 'You Know, for Search',
    },
  }))
}
