/** `GET|POST /{index}/_terms_enum`. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseTermsEnum } from '../../../service/search/terms-enum.ts'
import type { Routes } from '../../router.ts'
import { searchScope } from './search-parameters.ts'

export function termsEnumRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add(['GET', 'POST'], '/{index}/_terms_enum', (request) => {
    const scope = { ...searchScope(request), routing: undefined }
    const body = parseTermsEnum(request.body)
    return async () => ({ status: 200, body: await node.termsEnum.enumerate(scope, body) })
  })
}
