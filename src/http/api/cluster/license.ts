/** `_license` and `_xpack`: Beats and other shippers request both before they send anything. */
import { illegalArgument } from '../../../base/api-error.ts'
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
    query.accept('accept_enterprise')
    const shows = readCategories(query.list('categories', ['_all']))
    return () => ({
      status: 200,
      body: {
        ...(shows('build') && { build: { hash: BUILD_HASH, date: BUILD_DATE } }),
        ...(shows('license') && {
          license: { uid: licenseId(node), type: 'basic', mode: 'basic', status: 'active' },
        }),
        // Lifecycle policies are accepted and stored, which is what shippers check.
        ...(shows('features') && {
          features: { ilm: { available: true, enabled: true }, security: { available: true, enabled: isSecured } },
        }),
        tagline: 'You know, for X',
      },
    })
  })
}

const CATEGORIES = ['build', 'license', 'features']

function readCategories(names: readonly string[]): (name: string) => boolean {
  const unknown = names.find((name) => name !== '_all' && name !== '_none' && !CATEGORIES.includes(name.toLowerCase()))
  if (unknown !== undefined) {
    const shown = `org.elasticsearch.protocol.xpack.XPackInfoRequest.Category.${unknown.toUpperCase()}`
    throw illegalArgument(`No enum constant ${shown}`)
  }
  const asked = new Set(names.map((name) => name.toLowerCase()))
  return (name) => asked.has('_all') || asked.has(name)
}

/** A stable id in the form of a UUID. */
function licenseId(node: SandpiperNode): string {
  const hex = Buffer.from(node.clusterUuid, 'base64url').toString('hex').padEnd(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
