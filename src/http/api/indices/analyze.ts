/** `_analyze`: shows the tokens of a text. */
import { parseAnalyzeRequest } from '../../../service/indices/analyze-service.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'

export function analyzeRoutes(routes: Routes, node: Pick<SandpiperNode, 'analysis'>): void {
  for (const path of ['/_analyze', '/{index}/_analyze']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const index = request.param('index')
      const body = parseAnalyzeRequest(request.body)
      return () => ({ status: 200, body: node.analysis.analyze(index, body) })
    })
  }
}
