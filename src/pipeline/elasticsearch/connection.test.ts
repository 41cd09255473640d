import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { ElasticsearchConnection } from './connection.ts'
import { CONNECTION_OPTIONS, connectionSettings } from './connection-options.ts'

async function node(t: TestContext, answer: (path: string) => string): Promise<string> {
  const server = createServer((request, response) => response.end(answer(request.url!)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('sniffing replaces the hosts by the nodes of the cluster, without dedicated masters', async (t) => {
  const data = await node(t, () => 'data')
  const nodes = {
    one: { roles: ['data', 'ingest'], http: { publish_address: `localhost/${data}` } },
    two: { roles: ['master'], http: { publish_address: '127.0.0.1:1' } },
    three: {},
  }
  const first = await node(t, (path) => (path === '/_nodes/http' ? JSON.stringify({ nodes }) : 'first'))
  const options = withDefaults(CONNECTION_OPTIONS, { hosts: [first], sniffing: true, sniffing_delay: 0.02 })
  const connection = new ElasticsearchConnection(connectionSettings(options), silentLog)
  t.after(() => connection.close())
  const ask = async () => (await connection.send({ method: 'GET', path: '/' })).text
  assert.equal(await ask(), 'first')
  while ((await ask()) !== 'data') await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await ask(), 'data')
})

test('requests go to the hosts in turn, and a host that failed is used again after a health check', async (t) => {
  let isUp = true
  const asked: string[] = []
  const flaky = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (isUp) response.end('flaky')
    else if (request.method === 'HEAD') response.writeHead(503).end()
    else response.destroy()
  })
  await new Promise<void>((resolve) => flaky.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    flaky.closeAllConnections()
    flaky.close()
  })
  const hosts = [`127.0.0.1:${(flaky.address() as AddressInfo).port}`, await node(t, () => 'steady')]
  const options = withDefaults(CONNECTION_OPTIONS, { hosts, resurrect_delay: 0.02 })
  const settings = { ...connectionSettings(options), healthPath: '/ready' }
  const connection = new ElasticsearchConnection(settings, silentLog)
  t.after(() => connection.close())
  const send = async () => (await connection.send({ method: 'POST', path: '/_bulk' })).text
  assert.deepEqual([await send(), await send(), await send()], ['flaky', 'steady', 'flaky'])
  isUp = false
  assert.deepEqual([await send(), await send(), await send()], ['steady', 'steady', 'steady'])
  asked.length = 0
  while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual([await send(), await send()], ['steady', 'steady'])
  assert.ok(asked.every((request) => request === 'HEAD /ready'))
  isUp = true
  while ((await send()) !== 'flaky') await new Promise((resolve) => setTimeout(resolve, 5))
})

test('cloud_auth must be a user and a password', () => {
  const given = (cloud_auth: string) => connectionSettings(withDefaults(CONNECTION_OPTIONS, { cloud_auth }))
  assert.equal(given('elastic:a:b').authorization, `Basic ${Buffer.from('elastic:a:b').toString('base64')}`)
  assert.throws(() => given('elastic'), /cloud_auth: .*format should be "<username>:<password>"/)
})
