/** `GET|POST /{index}/_rank_eval`: rates the hits of searches against the judgement of people. */
import { parseFailure } from '../../../base/api-error.ts'
import { evaluateRanking } from '../../../service/search/rank-eval/evaluate-ranking.ts'
import { parseRankEval } from '../../../service/search/rank-eval/rank-eval-request.ts'
import type { LocalApi } from '../../local-api.ts'
import type { Routes } from '../../router.ts'
import { indicesParameters } from '../indices-parameters.ts'
import { isGlobalSearchType } from './search.ts'

/** Parameters that are passed on to the searches. */
const PASSED = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'search_type'] as const

export function rankEvalRoutes(routes: Routes, local: LocalApi): void {
  for (const path of ['/_rank_eval', '/{index}/_rank_eval']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const { query } = request
      indicesParameters(request)
      isGlobalSearchType(query.string('search_type'))
      const passed = new URLSearchParams()
      for (const name of PASSED) {
        const value = query.string(name)
        if (value !== undefined) passed.set(name, value)
      }
      if (!request.hasBody) throw parseFailure('request body or source parameter is required')
      const evaluation = parseRankEval(request.body)
      const where = { index: request.params['index'] ?? '', parameters: passed.size === 0 ? '' : `?${passed}` }
      return async () => ({ status: 200, body: await evaluateRanking(local.for(request), evaluation, where) })
    })
  }
}
