/** `POST /{index}/_disk_usage`: the bytes of the files by field. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { diskUsage } from '../../../service/stats/disk-usage.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

export function diskUsageRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('POST', '/{index}/_disk_usage', (request) => {
    const { query } = request
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    const flush = query.boolean('flush', true)
    if (!query.boolean('run_expensive_tasks', false)) {
      throw illegalArgument(
        'analyzing the disk usage of an index is expensive and resource-intensive, the parameter [run_expensive_tasks] must ' +
          'be set to [true] in order for the task to be performed.',
      )
    }
    return async () => ({ status: 200, body: await diskUsage(node.context, expressions, parameters, flush) })
  })
}
