/** `_license` and `_xpack`: Beats and other shippers request both before they send anything. */
import { BUILD_DATE, BUILD_HASH } from '../../../base/version.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'

export function licenseRoutes(routes: Routes, node: SandpiperNode, isSecured: boolean): void {
  routes.add('GET', '/_license', ({ query }) => {
    query.accept('local', 'accept_enterprise')
    return () => ({
      status: 200,
      body: {
        license: {
          status: 'active',
          uid: licenseId(node),
          type: 'basic',
          issue_date: new Date(node.startedAtMs).toISOString(),
          issue_date_in_millis: node.startedAtMs,
          max_nodes: 1000,
          max_resource_units: null,
          issued_to: node.clusterName,
          issuer: 'sandpiper',
          start_date_in_millis: -1,
        },
      },
    })
  })

  routes.add('GET', '/_xpack', ({ query }) => {
    query.accept('categories', 'accept_enterprise')
    return () => ({
      status: 200,
      body: {
        build: { hash: BUILD_HASH, date: BUILD_DATE },
        license: { uid: licenseId(node), type: 'basic', mode: 'basic', status: 'active' },
        // Lifecycle policies are accepted and stored, which is what shippers check.
        features: { ilm: { available: true, enabled: true }, security: { available: true, enabled: isSecured } },
        tagline: 'You know, for X',
      },
    })
  })
}

/** A stable id in the form of a UUID. */
function licenseId(node: SandpiperNode): string {
  const hex = Buffer.from(node.clusterUuid, 'base64url').toString('hex').padEnd(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
