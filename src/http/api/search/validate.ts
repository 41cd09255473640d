/** `GET|POST /{index}/_validate/query`. */
import { ApiError, validationFailed } from '../../../base/api-error.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseQueryOnly } from '../../../service/search/request/query-only-body.ts'
import { describeError } from '../../../service/search/validate-query.ts'
import { toApiError } from '../../error-response.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { queryParameter, searchScope } from './search-parameters.ts'

export function validateRoutes(routes: Routes, node: Pick<SandpiperNode, 'search'>): void {
  for (const path of ['/_validate/query', '/{index}/_validate/query']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const { query } = request
      const scope = searchScope(request)
      const rewrite = query.boolean('rewrite', false)
      const explain = query.boolean('explain', false)
      const allShards = query.boolean('all_shards', false)
      // With a body, parameters of the query string are unknown ones.
      const given = request.hasBody ? undefined : queryParameter(request)
      const parsed = given === undefined ? parseOrError(request) : { query: given }
      // In this API an unparseable query is a result and not an error.
      if (parsed instanceof ApiError) {
        const body = { valid: false, error: explain ? describeError(parsed) : undefined }
        return () => ({ status: 200, body })
      }
      if (request.body.length > 0 && parsed.query === undefined) throw validationFailed('query cannot be null')
      return async () => ({
        status: 200,
        body: await node.search.validate(scope, parsed.query, {
          explain: explain || rewrite || allShards,
          allShards,
          rewrite,
        }),
      })
    })
  }
}

function parseOrError(request: HttpRequest) {
  try {
    return { query: parseQueryOnly(request.body) }
  } catch (error) {
    return toApiError(error)
  }
}
