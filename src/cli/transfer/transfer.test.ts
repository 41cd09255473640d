import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startSearch, type TestSearch } from '../../testing/index.ts'
import { exportDocuments } from './export.ts'
import { importDocuments } from './import.ts'

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
    const lines = documentsOf((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
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
    assert.deepEqual(documentsOf(text), lines)
  }
})

test('an export with a query contains only the matching documents', async () => {
  const file = join(folder, 'some.ndjson')
  const query = JSON.stringify({ range: { n: { lt: 10 } } })
  await exportDocuments(['--url', search.url, '--index', 'books', '--query', query, '--out', file, '--quiet'])
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
  const lines = documentsOf(gunzipSync(readFileSync(file)).toString())
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
