/** `_search/template`, `_msearch/template` and `_render/template`. */
import { RawJson } from '../../../base/json/json-writer.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseTemplateRequest, renderTemplate, searchOf } from '../../../service/search/request/search-template.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { multiSearch } from './msearch.ts'
import { readSearch, searched } from './search.ts'

export function searchTemplateRoutes(routes: Routes, node: Pick<SandpiperNode, 'search' | 'scripts'>): void {
  for (const path of ['/_search/template', '/{index}/_search/template']) {
    routes.add(['GET', 'POST'], path, (request: HttpRequest) => {
      const template = parseTemplateRequest(request.body)
      const search = readSearch(request, searchOf(node.scripts, template))
      return () => searched(node, search)
    })
  }

  for (const path of ['/_render/template', '/_render/template/{id}']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const template = parseTemplateRequest(request.body, request.params['id'])
      return () => ({
        status: 200,
        body: { template_output: new RawJson(Buffer.from(renderTemplate(node.scripts, template))) },
      })
    })
  }

  for (const path of ['/_msearch/template', '/{index}/_msearch/template']) {
    routes.add(['GET', 'POST'], path, (request) =>
      multiSearch(request, node, (line) => searchOf(node.scripts, parseTemplateRequest(line))),
    )
  }
}
