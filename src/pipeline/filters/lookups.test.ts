import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answer = { status?: number; type?: string; location?: string; body: string }

/** A web server that answers with a function and records the requests. */
async function webServer(t: TestContext, answer: (asked: Asked) => Answer) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const one = { method: request.method!, url: request.url!, headers: request.headers, body }
    asked.push(one)
    const { status = 200, type = 'application/json', location, body: text } = answer(one)
    response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('the http filter stores the response in the event, JSON as fields', async (t) => {
  const { address, asked } = await webServer(t, ({ url }) =>
    url.startsWith('/json') ? { body: '{"city":"Kiel"}' } : { type: 'text/plain', body: ' fine \n' },
  )
  const json = `http { url => "http://${address}/json/%{message}" verb => "POST" body_format => "json" body => { "q" => "%{message}" }
    query => { "k" => "%{message}" } headers => { "X-Who" => "%{message}" } user => "u" password => "p" target_body => "[a][b]" }`
  const [event] = await runFilters(`filter { ${json} }`, ['7'], { ecs: 'disabled' })
  assert.equal(JSON.stringify(event!['a']), '{"b":{"city":"Kiel"}}')
  const { method, url, headers, body } = asked[0]!
  assert.deepEqual([method, url, body, headers['x-who']], ['POST', '/json/7?k=7', '{"q":"7"}', '7'])
  assert.equal(headers.authorization, `Basic ${Buffer.from('u:p').toString('base64')}`)
  const [plain] = await runFilters(`filter { http { url => "http://${address}/" } }`, ['7'], { ecs: 'disabled' })
  assert.equal(plain!['body'], 'fine')
  assert.equal((plain!['headers'] as Record<string, unknown>)['content-type'], 'text/plain')
})

test('the http filter tags an event whose request failed', async (t) => {
  const { address } = await webServer(t, ({ url }) => (url === '/bad' ? { body: '{' } : { status: 500, body: '{}' }))
  const tags = async (url: string) => {
    const [event] = await runFilters(`filter { http { url => "${url}" add_tag => ["ok"] } }`, ['x'], {
      ecs: 'disabled',
    })
    return event!['tags']
  }
  assert.deepEqual(await tags(`http://${address}/bad`), ['_jsonparsefailure', 'ok'])
  assert.deepEqual(await tags(`http://${address}/`), ['_httprequestfailure'])
  assert.deepEqual(await tags('http://127.0.0.1:1/'), ['_httprequestfailure'])
})

test('the http filter follows redirects and sends a password to its own host only', async (t) => {
  const other = await webServer(t, () => ({ body: '{"at":"other"}' }))
  const { address, asked } = await webServer(t, ({ url }) => {
    if (url === '/here') return { body: '{"at":"here"}' }
    return { status: url === '/a' ? 307 : 302, location: url === '/b' ? `http://${other.address}/` : '/here', body: '' }
  })
  const at = async (path: string, more = '') => {
    const login = 'user => "u" password => "p" verb => "POST" body => "x"'
    const [event] = await runFilters(`filter { http { url => "http://${address}${path}" ${login} ${more} } }`, ['x'], {
      ecs: 'disabled',
    })
    return JSON.stringify(event!['body'] ?? event!['tags'])
  }
  assert.equal(await at('/a'), '{"at":"here"}')
  assert.deepEqual([asked[1]!.method, asked[1]!.body, 'authorization' in asked[1]!.headers], ['POST', 'x', true])
  assert.equal(await at('/b'), '{"at":"other"}')
  const [moved] = other.asked
  assert.deepEqual([moved!.method, moved!.body, 'authorization' in moved!.headers], ['GET', '', false])
  assert.equal(await at('/a', 'follow_redirects => false'), '["_httprequestfailure"]')
})

const FOUND = JSON.stringify({
  hits: { total: { value: 2 }, hits: [{ _id: '1', _source: { user: { name: 'ann' }, n: 5 } }] },
  aggregations: { most: { value: 9 } },
})

test('the elasticsearch filter copies fields of the documents it finds', async (t) => {
  const { address, asked } = await webServer(t, ({ url }) =>
    url.includes('missing') ? { status: 404, body: '{}' } : { body: FOUND },
  )
  const filter = (
    index: string,
  ) => `elasticsearch { hosts => ["${address}"] index => "${index}" query => "id:%{message}"
      fields => { "[user][name]" => "who" "n" => "[x][n]" } docinfo_fields => { "_id" => "doc" } aggregation_fields => { "most" => "agg" }
      add_tag => ["found"] } mutate { add_field => { "total" => "%{[@metadata][total_hits]}" } }`
  const [event] = await runFilters(`filter { ${filter('people-%{message}')} }`, ['7'])
  const { '@timestamp': _time, '@version': _version, ...rest } = event!
  assert.equal(
    JSON.stringify(rest),
    '{"message":"7","who":"ann","x":{"n":5},"doc":"1","agg":{"value":9},"tags":["found"],"total":"2"}',
  )
  const url = new URL(asked[0]!.url, 'http://x')
  assert.equal(url.pathname, '/people-7/_search')
  assert.deepEqual(Object.fromEntries(url.searchParams), { q: 'id:7', size: '1', sort: '@timestamp:desc' })
  const within = filter('people').replace('add_tag', 'target => "[looked][up]" add_tag')
  const [targeted] = await runFilters(`filter { ${within} }`, ['7'])
  assert.equal(JSON.stringify(targeted!['looked']), '{"up":{"who":"ann","x":{"n":5},"doc":"1","agg":{"value":9}}}')
  const [failed] = await runFilters(`filter { ${filter('missing')} }`, ['7'])
  assert.deepEqual(failed!['tags'], ['_elasticsearch_lookup_failure'])
})
