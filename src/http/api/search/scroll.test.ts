import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { Dispatcher } from '../../dispatcher.ts'
import { Routes } from '../../router.ts'
import { apiRoutes } from '../index.ts'
import { routeAccess } from '../route-actions.ts'
import { scrollRoutes } from './scroll.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-scroll-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function send(routes: Routes, method: string, uri: string, body: unknown) {
  const dispatcher = new Dispatcher(routes, { strictMediaTypes: false, log: silentLog, warningAgent: 'test' })
  const answer = await dispatcher.dispatch({
    method,
    uri,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    signal: () => new AbortController().signal,
  })
  return JSON.parse(copyOfLent(answer.body).toString())
}

test('a scroll recovered from disk is readable through the scroll endpoint alone', async () => {
  const first = await SandpiperNode.open({ dataFolder: folder })
  const routes = apiRoutes(first, { address: undefined, maxContentBytes: 1e6 })
  for (const id of ['a', 'b', 'c']) await send(routes, 'PUT', `/books/_doc/${id}?refresh=true`, { title: id })
  const opened = await send(routes, 'POST', '/books/_search?scroll=5m', { size: 2, sort: ['_doc'] })
  assert.equal(opened.hits.hits.length, 2)
  await first.close()

  const second = await SandpiperNode.open({ dataFolder: folder })
  const scrollOnly = new Routes(routeAccess)
  scrollRoutes(scrollOnly, second)
  const page = await send(scrollOnly, 'POST', '/_search/scroll', { scroll: '5m', scroll_id: opened._scroll_id })
  assert.deepEqual(
    page.hits.hits.map((hit: { _id: string }) => hit._id),
    ['c'],
  )
  await second.close()
})
