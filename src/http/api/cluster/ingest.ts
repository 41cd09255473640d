/** `_ingest/pipeline`: there are no ingest pipelines yet, which is an answer to those who ask for them. */
import type { Routes } from '../../router.ts'

export function ingestRoutes(routes: Routes): void {
  routes.add('GET', '/_ingest/pipeline', ({ query }) => {
    query.accept('master_timeout', 'summary')
    return () => ({ status: 200, body: {} })
  })
  routes.add('GET', '/_ingest/pipeline/{id}', (request) => {
    const isPattern = request.params['id']!.split(',').every((name) => name.includes('*'))
    request.query.accept('master_timeout', 'summary')
    return () => ({ status: isPattern ? 200 : 404, body: {} })
  })
}
