// The data for the browser tests of the console: the benchmark's log events, issues with nested comments, a data
// stream, an index with 1,000 fields, and documents that try to break a page.
import { event, MAPPING } from '../../bench/events.mjs'

export const EVENTS = Number(process.env.SANDPIPER_BROWSER_EVENTS ?? 25_000)
/** Only every 29th event is used, so that the events cover months. */
const SPREAD = 29
const ISSUES = 400
export const WIDE_FIELDS = 1000

export const XSS = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

export async function fill(url) {
  const send = sender(url)
  await send('PUT', '/logs-2025', { ...MAPPING, settings: { ...MAPPING.settings, refresh_interval: '1s' } })
  for (let from = 0; from < EVENTS; from += 5000) {
    const events = Array.from({ length: Math.min(5000, EVENTS - from) }, (_, i) => event((from + i) * SPREAD))
    await bulk(send, 'logs-2025', events, from)
  }
  await send('PUT', '/issues', {
    settings: { number_of_shards: 1, number_of_replicas: 1 },
    mappings: {
      properties: {
        title: { type: 'text', fields: { keyword: { type: 'keyword' } } },
        state: { type: 'keyword' },
        comments: {
          type: 'nested',
          properties: { author: { type: 'keyword' }, text: { type: 'text' }, reactions: { type: 'integer' } },
        },
      },
    },
  })
  await bulk(
    send,
    'issues',
    Array.from({ length: ISSUES }, (_, i) => issue(i)),
    0,
  )
  await send('PUT', '/sorted', {
    settings: { number_of_replicas: 0, index: { 'sort.field': ['host', '@timestamp'], 'sort.order': ['asc', 'asc'] } },
    mappings: MAPPING.mappings,
  })
  await bulk(
    send,
    'sorted',
    Array.from({ length: 2000 }, (_, i) => event(i)),
    0,
  )
  const properties = Object.fromEntries(
    Array.from({ length: WIDE_FIELDS }, (_, i) => [
      `field_${String(i).padStart(4, '0')}`,
      { type: i % 3 === 0 ? 'long' : 'keyword' },
    ]),
  )
  await send('PUT', '/wide', {
    settings: { number_of_replicas: 0, 'index.mapping.total_fields.limit': 2000 },
    mappings: { properties },
  })
  await send(
    'PUT',
    '/wide/_doc/1?refresh=true',
    Object.fromEntries(Object.keys(properties).map((name, i) => [name, i])),
  )
  await send('PUT', '/hostile', { settings: { number_of_replicas: 0 } })
  await send(
    'PUT',
    '/hostile/_doc/1?refresh=true',
    `{"name":${JSON.stringify(XSS)},"big":90071992547409931,"deep":{"x":[{"y":${JSON.stringify(XSS)}}]},${JSON.stringify(XSS)}:"key"}`,
  )
  await send('PUT', '/empty', { settings: { number_of_replicas: 0 } })
  await send('PUT', '/_index_template/metrics', {
    index_patterns: ['metrics-*'],
    data_stream: {},
    priority: 500,
    template: { settings: { number_of_replicas: 0 } },
  })
  await send('POST', '/metrics-web/_doc?refresh=true', { '@timestamp': '2025-01-01T00:00:00Z', cpu: 0.5 })
  await send('PUT', '/logs-2025/_alias/logs', {})
  await send('POST', '/_refresh')
}

function issue(number) {
  const comments = Array.from({ length: number % 7 }, (_, i) => ({
    author: `user-${(number * 3 + (i >> 1) * 5) % 12}`,
    text: i % 2 === 0 ? 'the retry is lost' : 'works for me',
    reactions: (number + i) % 9,
  }))
  return { title: `Issue ${number} about retries`, state: number % 3 === 0 ? 'closed' : 'open', comments }
}

async function bulk(send, index, documents, from) {
  const lines = documents.map((doc, i) => `{"index":{"_id":"${from + i}"}}\n${JSON.stringify(doc)}\n`).join('')
  const { errors } = await send('POST', `/${index}/_bulk`, lines, 'application/x-ndjson')
  if (errors) throw new Error(`documents of ${index} were not taken`)
}

export function sender(url) {
  return async (method, path, body, type = 'application/json') => {
    const response = await fetch(url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'content-type': type } }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text.slice(0, 300)}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
