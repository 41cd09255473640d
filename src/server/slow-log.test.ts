import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log, LogFields } from '../base/log.ts'
import { copyOfLent } from '../base/memory/lent-bytes.ts'
import type { Answer } from '../http/dispatcher.ts'
import { SlowThresholds } from '../service/slow-log/slow-thresholds.ts'
import type { SecuritySettings } from './open-security.ts'
import { SearchServer } from './search-server.ts'

const PREFIX = 'index.search.slowlog.threshold.query'

test('an operation has the most severe level whose threshold it exceeds', () => {
  const settings = { [`${PREFIX}.warn`]: '10s', [`${PREFIX}.info`]: '500ms', [`${PREFIX}.trace`]: '0ms' }
  const thresholds = SlowThresholds.of(settings, PREFIX)!
  assert.equal(thresholds.levelOf(11_000), 'warn')
  assert.equal(thresholds.levelOf(10_000), 'info')
  assert.equal(thresholds.levelOf(20), 'trace')
  assert.equal(thresholds.levelOf(0), undefined)
  assert.equal(SlowThresholds.of({ [`${PREFIX}.warn`]: '-1' }, PREFIX), undefined)
  assert.equal(SlowThresholds.of({}, PREFIX), undefined)
})

interface Line {
  readonly level: string
  readonly message: string
  readonly fields: LogFields
}

/** Starts a node and records the lines of its slow log. */
async function recordingNode(security?: SecuritySettings): Promise<{ server: SearchServer; lines: Line[] }> {
  const lines: Line[] = []
  const at = (level: string) => (message: string, fields?: LogFields) => {
    if (message.startsWith('slow')) lines.push({ level, message, fields: fields ?? {} })
  }
  const log: Log = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
  const options = { dataFolder: undefined, threads: 0, maxContentBytes: 1e6, strictMediaTypes: false, log }
  return { server: await SearchServer.open({ ...options, ...(security === undefined ? {} : { security }) }), lines }
}

async function sendTo(
  server: SearchServer,
  method: string,
  uri: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type = uri.includes('_bulk') || uri.includes('_msearch') ? 'application/x-ndjson' : 'application/json'
  const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
  const signal = () => new AbortController().signal
  return await server.dispatcher.dispatch({
    method,
    uri,
    headers: { 'content-type': type, ...headers },
    body: bytes,
    signal,
  })
}

const EVERYTHING_IS_SLOW = {
  'index.search.slowlog.threshold.query.warn': '0ms',
  'index.indexing.slowlog.threshold.index.warn': '0ms',
}

test('every line of the slow log has the id of its request, whichever endpoint it came to', async () => {
  const { server, lines } = await recordingNode()
  try {
    await sendTo(server, 'PUT', '/slow', { settings: EVERYTHING_IS_SLOW })
    for (let i = 0; i < 5; i++) await sendTo(server, 'POST', '/slow/_doc?refresh=true', { n: i })
    const opened = await sendTo(server, 'POST', '/slow/_search?scroll=1m&size=1', {})
    const scroll = { scroll: '1m', scroll_id: JSON.parse(copyOfLent(opened.body).toString())._scroll_id }
    const exchanges: readonly (readonly [method: string, uri: string, body?: object | string])[] = [
      ['PUT', '/slow/_doc/1?refresh=true', { n: 1 }],
      ['POST', '/slow/_update/1?refresh=true', { doc: { n: 2 }, detect_noop: false }],
      ['POST', '/slow/_bulk?refresh=true', '{"index":{}}\n{"n":1}\n{"index":{}}\n{"n":2}\n'],
      ['POST', '/slow/_search', {}],
      ['POST', '/slow/_msearch', '{}\n{"size":1}\n'],
      ['POST', '/slow/_count', { query: { match_all: {} } }],
      ['POST', '/_search/scroll', scroll],
      ['POST', '/slow/_search/template', { source: '{"size":1}' }],
      ['POST', '/slow/_async_search', {}],
      ['POST', '/slow/_update_by_query?refresh=true'],
      ['POST', '/_reindex', { source: { index: 'slow' }, dest: { index: 'copy' } }],
    ]
    for (const [method, uri, body] of exchanges) {
      lines.length = 0
      const answer = await sendTo(server, method, uri, body, { 'x-request-id': 'given', 'x-opaque-id': 'me' })
      assert.equal(answer.status < 300, true, `${uri} ${answer.body}`)
      assert.ok(lines.length > 0, uri)
      for (const { message, fields } of lines) {
        assert.equal(fields['request_id'], 'given', `${uri}: ${message}`)
        assert.equal(message === 'slow indexing' ? fields['opaque_id'] : fields['id'], 'me', `${uri}: ${message}`)
      }
      lines.length = 0
      await sendTo(server, method, uri, body)
      const ids = new Set(lines.map(({ fields }) => fields['request_id']))
      assert.equal(ids.size, 1, uri)
      assert.match(String([...ids][0]), /^[0-9a-f]{16}$/, uri)
    }
    lines.length = 0
    await sendTo(server, 'POST', '/slow/_msearch', '{}\n{"query":{"match":{"t":"a\\u0041"}}}\n')
    assert.equal(lines[0]!.fields['source'], '{"query":{"match":{"t":"a\\u0041"}}}')
  } finally {
    await server.stop()
  }
})

test('the slow log shows the scripts of a search and what each has cost', async () => {
  const { server, lines } = await recordingNode()
  try {
    const settings = { ...EVERYTHING_IS_SLOW, 'index.search.slowlog.threshold.fetch.warn': '0ms' }
    await sendTo(server, 'PUT', '/slow', { settings })
    await sendTo(server, 'POST', '/slow/_doc?refresh=true', { n: 1 })
    lines.length = 0
    const runtime = { twice: { type: 'long', script: "emit(doc['n'].value * 2)" } }
    const filter = { script: { script: { source: "doc['n'].value > params.least", params: { least: 0 } } } }
    await sendTo(server, 'POST', '/slow/_search', {
      runtime_mappings: runtime,
      query: { bool: { filter } },
      sort: ['twice'],
      script_fields: { next: { script: "doc['n'].value + 1" } },
    })
    await sendTo(server, 'POST', '/slow/_count', { query: { bool: { filter } } })
    await sendTo(server, 'POST', '/slow/_search', { query: { match_all: {} } })
    const scripts = lines.map(({ fields }) =>
      (JSON.parse(String(fields['scripts'] ?? '[]')) as { script: string; took_millis: number }[])
        .filter((script) => script.took_millis > 0)
        .map(({ script }) => script)
        .sort(),
    )
    const filtered = "doc['n'].value > params.least"
    assert.deepEqual(scripts, [[filtered, 'runtime field [twice]'], ["doc['n'].value + 1"], [filtered], [], []])
    assert.ok(Number(lines[0]!.fields['script_took_millis']) > 0)
  } finally {
    await server.stop()
  }
})

test('the slow log shows the caller for indices with include.user', async () => {
  const { server, lines } = await recordingNode({ bootstrapPassword: 'secret-1', scryptCost: 2 ** 10 })
  try {
    const headers = { authorization: `Basic ${Buffer.from('elastic:secret-1').toString('base64')}` }
    const settings = {
      ...EVERYTHING_IS_SLOW,
      'index.search.slowlog.include.user': true,
      'index.indexing.slowlog.include.user': true,
    }
    await sendTo(server, 'PUT', '/named', { settings }, headers)
    await sendTo(server, 'PUT', '/unnamed', { settings: EVERYTHING_IS_SLOW }, headers)
    for (const index of ['named', 'unnamed']) {
      await sendTo(server, 'PUT', `/${index}/_doc/1?refresh=true`, { n: 1 }, headers)
      await sendTo(server, 'POST', '/_bulk?refresh=true', `{"index":{"_index":"${index}"}}\n{"n":1}\n`, headers)
      await sendTo(server, 'POST', `/${index}/_search`, {}, headers)
    }
    assert.equal(lines.length, 6)
    for (const { fields } of lines) {
      const shown = fields['index'] === 'named' ? ['elastic', 'reserved', 'REALM'] : [undefined, undefined, undefined]
      assert.deepEqual([fields['user.name'], fields['user.realm'], fields['auth.type']], shown)
    }
  } finally {
    await server.stop()
  }
})

test('the indexing slow log shows documents without line breaks unless reformat is false', async () => {
  const { server, lines } = await recordingNode()
  try {
    await sendTo(server, 'PUT', '/slow', { settings: EVERYTHING_IS_SLOW })
    const document = '{\n  "a b" : "c \\" d",\n  "n" : 1\n}'
    await sendTo(server, 'PUT', '/slow/_doc/1', document)
    await sendTo(server, 'PUT', '/slow/_settings', { 'index.indexing.slowlog.reformat': false })
    await sendTo(server, 'PUT', '/slow/_doc/1', document)
    const shown = lines.map(({ fields }) => fields['source'])
    assert.deepEqual(shown, ['{"a b":"c \\" d","n":1}', document])
  } finally {
    await server.stop()
  }
})

test('searches and writes of an index with thresholds are logged, those of other indices are not', async () => {
  const lines: Line[] = []
  const at = (level: string) => (message: string, fields?: LogFields) => {
    if (message.startsWith('slow')) lines.push({ level, message, fields: fields ?? {} })
  }
  const log: Log = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
  const server = await SearchServer.open({
    dataFolder: undefined,
    threads: 0,
    maxContentBytes: 1e6,
    strictMediaTypes: false,
    log,
  })
  try {
    const send = async (method: string, uri: string, body?: object) => {
      const headers = { 'content-type': 'application/json', 'x-opaque-id': 'me' }
      const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
      const signal = () => new AbortController().signal
      return (await server.dispatcher.dispatch({ method, uri, headers, body: bytes, signal })).status
    }
    const settings = {
      'index.search.slowlog.threshold.query.warn': '0ms',
      'index.search.slowlog.threshold.fetch.debug': '0ms',
      'index.indexing.slowlog.threshold.index.info': '0ms',
      'index.indexing.slowlog.source': '7',
    }
    assert.equal(await send('PUT', '/slow', { settings }), 200)
    await send('PUT', '/slow/_doc/1?routing=r&refresh=true', { title: 'sandpiper' })
    await send('PUT', '/fast/_doc/1?refresh=true', { title: 'sandpiper' })
    assert.deepEqual(
      lines.map(({ level, message, fields }) => [level, message, fields['index'], fields['id'], fields['source']]),
      [['info', 'slow indexing', 'slow', '1', '{"title']],
    )
    lines.length = 0
    await send('POST', '/slow,fast/_search', { query: { match_all: {} }, stats: ['mine'] })
    assert.deepEqual(
      lines.map(({ level, message, fields }) => [level, message, fields['slowlog_level'], fields['index']]),
      [
        ['warn', 'slow search: query phase', undefined, 'slow'],
        ['info', 'slow search: fetch phase', 'debug', 'slow'],
      ],
    )
    const { source, id, total_hits, total_shards, stats } = lines[0]!.fields
    assert.deepEqual(
      { source, id, total_hits, total_shards, stats },
      {
        source: '{"query":{"match_all":{}},"stats":["mine"]}',
        id: 'me',
        total_hits: 2,
        total_shards: 2,
        stats: 'mine',
      },
    )
    lines.length = 0
    await send('PUT', '/slow/_settings', { 'index.search.slowlog.threshold.query.warn': null })
    await send('PUT', '/slow/_settings', { 'index.search.slowlog.threshold.fetch.debug': '-1' })
    await send('PUT', '/slow/_settings', { 'index.indexing.slowlog.threshold.index.info': '1h' })
    await send('POST', '/slow/_search')
    await send('POST', '/slow/_doc', {})
    assert.deepEqual(lines, [])
  } finally {
    await server.stop()
  }
})
