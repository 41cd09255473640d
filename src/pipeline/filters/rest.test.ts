import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { rest } from './rest.ts'

let server: Server
let base = ''

before(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => {
      body += piece.toString()
    })
    request.on('end', () => {
      if (request.url === '/broken') return void response.end('no json')
      if (request.url === '/empty') return void response.end('{}')
      if (request.url === '/missing') return void response.writeHead(404).end()
      const { method, url, headers } = request
      response.end(
        JSON.stringify({ method, url, body, auth: headers.authorization ?? null, kind: headers['x-kind'] ?? null }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

async function run(
  options: Record<string, unknown>,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const filter = rest.create(withDefaults(rest.options, { target: 'doc', ...options }), {
    ...testContext(),
    succeed() {},
  })
  const event = Event.ofFields(
    toFieldValue({ '@timestamp': '2024-05-17T10:30:00.000Z', ...fields }) as Fields,
    new Timestamp(0),
  )
  await filter.filter(event, [])
  await filter.close!()
  const { '@timestamp': _, '@version': __, ...shown } = JSON.parse(jsonText(event.fields)) as Record<string, unknown>
  return shown
}

const spec = (entries: Record<string, unknown>) => new Map(Object.entries(entries))

test('rest: the params of a GET become its query, with fields of the event substituted', async () => {
  const request = spec({
    url: `${base}/users/%{id}`,
    params: { q: '%{name}' },
    headers: { 'X-Kind': '%{name}' },
    auth: { user: 'u', password: 'p' },
  })
  const { doc } = await run({ request }, { id: 7, name: 'a b' })
  assert.deepEqual(doc, {
    method: 'GET',
    url: '/users/7?q=a+b',
    body: '',
    auth: `Basic ${Buffer.from('u:p').toString('base64')}`,
    kind: 'a b',
  })
})

test('rest: the params of a POST are its body as JSON', async () => {
  const { doc } = await run(
    { request: spec({ url: base, method: 'post', params: { key: '%{id}', fixed: 'x' } }) },
    { id: 7 },
  )
  assert.equal((doc as { body: string }).body, '{"key":"7","fixed":"x"}')
})

test('rest: failures tag the event, or give the fallback', async () => {
  assert.deepEqual(await run({ request: spec({ url: `${base}/missing` }) }, {}), { tags: ['_restfailure'] })
  assert.deepEqual(await run({ request: spec({ url: `${base}/broken` }) }, {}), { tags: ['_jsonparsefailure'] })
  assert.deepEqual(await run({ request: spec({ url: `${base}/empty` }) }, {}), { tags: ['_restfailure'] })
  assert.deepEqual(await run({ request: spec({ url: `${base}/broken` }), json: false }, {}), { doc: 'no json' })
  assert.deepEqual(await run({ request: spec({ url: `${base}/missing` }), fallback: spec({ a: 'b' }) }, {}), {
    doc: { a: 'b' },
  })
})

test('rest: requests that cannot be sent are refused at the start', async () => {
  await assert.rejects(run({ request: spec({ method: 'get' }) }, {}), /No URL provided/)
  await assert.rejects(run({ request: spec({ url: base, method: 'put' }) }, {}), /Not supported request method put/)
  await assert.rejects(run({ request: spec({ url: base, auth: { user: 'u' } }) }, {}), /'password' was not/)
})
