import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createAuthority, createServerCertificate } from '../../security/tls/certificate.ts'
import { startSearch, type TestSearch } from '../../testing/index.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { exportDocuments } from './export.ts'
import { importDocuments } from './import.ts'
import { TransferClient } from './transfer-client.ts'

const DOCUMENTS = 250
let search: TestSearch
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-transfer-'))
  search = await startSearch()
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => [
    JSON.stringify({ index: { _id: `"${n}`, ...(n % 3 === 0 ? { routing: `r${n}` } : {}) } }),
    `{"n":${n},  "big":9223372036854775807,"t":"ä\\u0041 }{ \\"${n}\\""}`,
  ]).flat()
  await search.request('PUT', '/books', { settings: { number_of_shards: 2 } })
  await search.request('POST', '/books/_bulk?refresh=true', lines)
})

after(async () => {
  await search.stop()
  rmSync(folder, { recursive: true })
})

const withoutDefinitions = (text: string) => text.replaceAll(/^\{"_definition":.*\n/gm, '')

const documentsOf = (text: string) => text.trimEnd().split('\n').sort()

/** A proxy between a command and the service that fails the requests selected by `isRefused`. */
async function proxy(isRefused: (path: string) => boolean): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', async () => {
      if (isRefused(request.url!)) {
        response.writeHead(400).end('{}')
        return
      }
      const body = Buffer.concat(pieces).toString()
      const answer = await search.request(request.method!, request.url!, body === '' ? undefined : body)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test('an exported index is imported byte for byte, plain and compressed', async () => {
  for (const name of ['books.ndjson', 'books.ndjson.gz']) {
    const file = join(folder, name)
    await exportDocuments(['--url', search.url, '--index', 'books', '--out', file, '--size', '60', '--quiet'])
    const bytes = readFileSync(file)
    const lines = documentsOf(withoutDefinitions((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()))
    assert.equal(lines.length, DOCUMENTS)
    assert.ok(
      lines.includes(
        '{"_index":"books","_id":"\\"3","_routing":"r3","_source":{"n":3,  "big":9223372036854775807,"t":"ä\\u0041 }{ \\"3\\""}}',
      ),
    )
    assert.ok(!existsSync(`${file}.checkpoint`))

    const copy = name.replaceAll('.', '-')
    await importDocuments(['--url', search.url, '--in', file, '--index', copy, '--size', '77', '--quiet'])
    const again = join(folder, `again-${name}`)
    await exportDocuments(['--url', search.url, '--index', copy, '--out', again, '--quiet'])
    const copied = readFileSync(again)
    const text = (name.endsWith('.gz') ? gunzipSync(copied) : copied)
      .toString()
      .replaceAll(`"_index":"${copy}"`, '"_index":"books"')
    assert.deepEqual(documentsOf(withoutDefinitions(text)), lines)
  }
})

test('an export with a query contains only the matching documents', async () => {
  const file = join(folder, 'some.ndjson')
  const query = JSON.stringify({ range: { n: { lt: 10 } } })
  await exportDocuments([
    '--url',
    search.url,
    '--index',
    'books',
    '--query',
    query,
    '--with',
    'none',
    '--out',
    file,
    '--quiet',
  ])
  assert.equal(documentsOf(readFileSync(file, 'utf8')).length, 10)
})

test('an interrupted export continues where it stopped, in the same point in time', async () => {
  let pages = 0
  let isDown = true
  const { url, server } = await proxy((path) => isDown && path === '/_search' && ++pages > 4)
  const file = join(folder, 'broken.ndjson.gz')
  const args = ['--url', url, '--index', 'books', '--out', file, '--size', '40', '--quiet']
  await assert.rejects(exportDocuments(args), /cannot read a page/)
  assert.ok(existsSync(`${file}.checkpoint`))
  await search.request('PUT', '/books/_doc/late?refresh=true', { n: -1 })
  isDown = false
  await exportDocuments(args)
  const lines = documentsOf(withoutDefinitions(gunzipSync(readFileSync(file)).toString()))
  assert.equal(new Set(lines).size, DOCUMENTS)
  await search.request('DELETE', '/books/_doc/late?refresh=true')
  server.close()
})

test('an interrupted import continues after the last acknowledged batch', async () => {
  const file = join(folder, 'whole.ndjson')
  await exportDocuments(['--url', search.url, '--index', 'books', '--out', file, '--quiet'])
  let batches = 0
  let isDown = true
  const { url, server } = await proxy((path) => {
    if (path !== '/_bulk') return false
    batches++
    return isDown && batches > 2
  })
  const args = ['--url', url, '--in', file, '--index', 'resumed', '--size', '50', '--quiet']
  await assert.rejects(importDocuments(args), /cannot write/)
  isDown = false
  batches = 0
  await importDocuments(args)
  assert.equal(batches, 3)
  const { body } = await search.request('GET', '/resumed/_count')
  assert.equal(body.count, DOCUMENTS)
  server.close()
})

test('an exported index, template, alias and data stream are created by the import', async () => {
  const other = await startSearch()
  try {
    await search.request('PUT', '/_component_template/shelf', { template: { settings: { number_of_replicas: 0 } } })
    await search.request('PUT', '/_index_template/shelves', {
      index_patterns: ['shelf-*'],
      composed_of: ['shelf'],
      data_stream: {},
    })
    await search.request('PUT', '/_index_template/unrelated', { index_patterns: ['unrelated-*'] })
    await search.request('POST', '/shelf-a/_doc?refresh=true', { '@timestamp': '2026-01-01T00:00:00Z', n: 1 })
    await search.request('PUT', '/authors', {
      settings: { number_of_shards: 3, analysis: { analyzer: { mine: { type: 'pattern', pattern: ',' } } } },
      mappings: { properties: { name: { type: 'text', analyzer: 'mine' }, n: { type: 'long' } } },
      aliases: { people: { filter: { term: { n: 1 } } } },
    })
    await search.request('PUT', '/authors/_doc/1?refresh=true', { name: 'a,b', n: 1 })
    const file = join(folder, 'definitions.ndjson.gz')
    const names = ['--index', 'authors', '--index', 'shel*']
    await exportDocuments(['--url', search.url, ...names, '--out', file, '--quiet'])
    await importDocuments(['--url', other.url, '--in', file, '--quiet'])

    const { authors } = (await other.request('GET', '/authors')).body
    assert.equal(authors.settings.index.number_of_shards, '3')
    assert.equal(authors.mappings.properties.name.analyzer, 'mine')
    assert.deepEqual(authors.aliases, { people: { filter: { term: { n: 1 } } } })
    assert.equal((await other.request('GET', '/_data_stream/shelf-a')).status, 200)
    assert.equal((await other.request('GET', '/shelf-a/_count')).body.count, 1)
    assert.equal((await other.request('GET', '/_index_template/unrelated')).status, 404)

    // Everything exists now: definitions are left alone, and the documents of data streams are not written twice.
    await importDocuments(['--url', other.url, '--in', file, '--quiet'])
    assert.equal((await other.request('GET', '/shelf-a/_count')).body.count, 1)

    const copy = ['--url', other.url, '--in', file, '--index', 'copy', '--quiet']
    await assert.rejects(importDocuments([...copy, '--with', 'mappings']), /index copy.*analyzer \[mine\]/)
    await importDocuments(copy)
    const copied = (await other.request('GET', '/copy')).body.copy
    assert.deepEqual(copied.aliases, {}, 'an alias of the original does not include the copy')
    assert.equal(copied.mappings.properties.name.analyzer, 'mine')
  } finally {
    await other.stop()
  }
})

test('an export sends its API key, and a busy service is retried with the reason on standard error', async () => {
  const keys: (string | undefined)[] = []
  let refusals = 1
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    if (refusals-- > 0) {
      response.writeHead(429).end('{"error":{"type":"es_rejected_execution_exception","reason":"busy"},"status":429}')
    } else response.writeHead(404).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const notes: string[] = []
  const client = new TransferClient({ url, apiKey: 'id:key' }, (note) => notes.push(note))
  assert.equal((await client.send('GET', '/')).status, 404)
  client.close()
  server.close()
  assert.deepEqual(keys, ['ApiKey aWQ6a2V5', 'ApiKey aWQ6a2V5'])
  assert.deepEqual(notes, ['retry 1 of 9 in 0.1 s: HTTP 429 es_rejected_execution_exception: busy'])
  assert.throws(() => new TransferClient({ url, apiKey: 'k', user: 'a:b' }, () => {}), /exclude each other/)
  assert.throws(() => new TransferClient({ url: 'localhost' }, () => {}), /--url is not/)
})

test('a failed TLS handshake is explained once, without retries', async () => {
  const authority = createAuthority('Test', Date.now())
  const privateKey = createPrivateKey(authority.key)
  const { certificate, key } = createServerCertificate({ ...authority, privateKey }, ['127.0.0.1'], Date.now())
  const secure = createSecureServer({ cert: certificate, key }, (_, response) => response.end('{}'))
  const plain = createServer((_, response) => response.end('{}'))
  for (const server of [secure, plain]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const urlOf = (server: Server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const notes: string[] = []
  const send = async (url: string, caFile?: string) => {
    const client = new TransferClient({ url, caFile }, (note) => notes.push(note))
    try {
      return (await client.send('GET', '/')).status
    } finally {
      client.close()
    }
  }
  const refused = (pattern: RegExp) => (error: unknown) => error instanceof SettingsError && pattern.test(error.message)
  const caFile = join(folder, 'ca.pem')
  const textFile = join(folder, 'text.pem')
  writeFileSync(caFile, authority.certificate)
  writeFileSync(textFile, 'hello')
  try {
    assert.equal(await send(urlOf(secure), caFile), 200)
    await assert.rejects(
      send(urlOf(secure)),
      refused(/certificate of https:.* is not trusted: .*; --ca names the file/),
    )
    await assert.rejects(
      send(urlOf(plain)),
      refused(/^TLS with https:\S+ fails: [^\n]*; it may be an http:\/\/ service$/),
    )
    await assert.rejects(send(urlOf(secure), textFile), refused(/^--ca: no valid PEM file: [^\n]*$/))
    const files = { url: urlOf(secure), certFile: caFile, keyFile: textFile }
    assert.throws(() => new TransferClient(files, () => {}), refused(/^--cert and --key: no valid PEM file/))
    assert.deepEqual(notes, [])
  } finally {
    for (const server of [secure, plain]) server.close()
  }
})

test('an import names the place of a line that is not one of an export', async () => {
  const file = join(folder, 'broken.ndjson')
  writeFileSync(file, '{"_index":"half","_id":"1","_source":{"a":1}}\n\n{"_index":"half","_id":"2","_source":{"a"\n')
  await assert.rejects(
    importDocuments(['--url', search.url, '--in', file, '--quiet']),
    (error) =>
      error instanceof SettingsError && /^line 3 of .*broken.ndjson is not a line of an export: /.test(error.message),
  )
})

test('a missing index, a missing folder and a damaged checkpoint are explained without a stack trace', async () => {
  const refused = (pattern: RegExp) => (error: unknown) => error instanceof SettingsError && pattern.test(error.message)
  const file = join(folder, 'absent.ndjson')
  const from = (index: string, out: string) => ['--url', search.url, '--index', index, '--out', out, '--quiet']
  await assert.rejects(exportDocuments(from('absent', file)), refused(/absent/))
  await assert.rejects(exportDocuments(from('books', join(folder, 'no', 'such', 'folder'))), refused(/ENOENT/))
  writeFileSync(`${file}.checkpoint`, '{')
  await assert.rejects(exportDocuments(from('books', file)), refused(/checkpoint cannot be read.*--restart/))
  await assert.rejects(importDocuments(['--url', search.url, '--in', join(folder, 'none')]), refused(/cannot read/))
})
