/** `_clone`, `_shrink` and `_split`: new indices from the shards of others. */
import { parseResize, type ResizeKind } from '../../../service/indices/resize-request.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseActiveShardCount } from '../../../service/settings/index-setting-checks.ts'
import type { Routes } from '../../router.ts'
import { acceptTimeouts } from './indices.ts'

const KINDS: readonly ResizeKind[] = ['clone', 'shrink', 'split']

export function resizeRoutes(routes: Routes, node: SandpiperNode): void {
  for (const kind of KINDS) {
    routes.add(['PUT', 'POST'], `/{index}/_${kind}/{target}`, (request) => {
      const { params, query } = request
      const resize = parseResize(kind, request.body)
      acceptTimeouts(request)
      const waitForActiveShards = parseActiveShardCount(query.string('wait_for_active_shards', '1'))
      return async () => ({
        status: 200,
        body: await node.resizing.resize(params['index']!, params['target']!, resize, { waitForActiveShards }),
      })
    })
  }
}
