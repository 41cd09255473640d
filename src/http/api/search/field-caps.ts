/** `GET|POST /{index}/_field_caps`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { EXPAND_OPEN_FORBID_CLOSED, withParameters } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { checkFields, checkFilters } from '../../../service/search/field-caps.ts'
import { parseFieldCapsBody, runtimeFieldsOf } from '../../../service/search/request/field-caps-body.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

export function fieldCapsRoutes(routes: Routes, node: Pick<SandpiperNode, 'search'>): void {
  for (const path of ['/_field_caps', '/{index}/_field_caps']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const { query } = request
      const target = {
        expressions: indexExpressions(request),
        options: withParameters(EXPAND_OPEN_FORBID_CLOSED, indicesParameters(request)),
        routing: undefined,
        limits: request.carriedAccess?.limits,
      }
      const includeUnmapped = query.boolean('include_unmapped', false)
      const includeEmptyFields = query.boolean('include_empty_fields', true)
      const filters = query.list('filters', [])
      const types = query.list('types', [])
      const named = query.list('fields')
      if (named?.length === 0) throw illegalArgument("specified fields can't be null or empty")
      const body = parseFieldCapsBody(request.body)
      if (named !== undefined && body.fields !== undefined) {
        throw illegalArgument(
          "can't specify a request body and [fields] request parameter, either specify a request body or the [fields] " +
            'request parameter',
        )
      }
      const options = {
        fields: named ?? body.fields ?? [],
        includeUnmapped,
        filters,
        types,
        includeEmptyFields,
      }
      checkFields(options.fields)
      const runtimeFields = runtimeFieldsOf(body)
      checkFilters(filters)
      return async () => ({
        status: 200,
        body: await node.search.fieldCaps(target, { ...options, runtimeFields }, body.indexFilter),
      })
    })
  }
}
