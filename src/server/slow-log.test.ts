import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log, LogFields } from '../base/log.ts'
import { SlowThresholds } from '../service/slow-log/slow-thresholds.ts'
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
