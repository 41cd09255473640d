import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, gunzipSync } from 'node:zlib'
import { copyOfLent } from '../base/memory/lent-bytes.ts'
import { ConsoleFiles } from './console-files.ts'

const folder = `${mkdtempSync(join(tmpdir(), 'sandpiper-console-'))}/`
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(`${folder}index.html`, '<script nonce="__NONCE__"></script>')
writeFileSync(`${folder}console-ABC.js.br`, brotliCompressSync('script'))
const files = new ConsoleFiles(folder)

test('a browser at the root is redirected to the console, and other clients are not', async () => {
  const html = await files.answer('GET', '/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  assert.equal(html?.status, 302)
  assert.equal(html?.headers['location'], '/_sandpiper/console/')
  assert.equal(files.answer('GET', '/', { accept: '*/*' }), undefined)
  assert.equal(files.answer('GET', '/', {}), undefined)
  assert.equal(files.answer('POST', '/', { accept: 'text/html' }), undefined)
  assert.equal(files.answer('GET', '/books/_search', { accept: 'text/html' }), undefined)
})

test('every path below the prefix returns the page with a new nonce', async () => {
  const nonces = new Set<string>()
  for (const uri of ['/_sandpiper/console/', '/_sandpiper/console/indices/a.b/mapping?x=1']) {
    const answer = (await files.answer('GET', uri, {}))!
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^text\/html/)
    const nonce = /nonce="([^"]+)"/.exec(String(answer.body))![1]!
    assert.ok(String(answer.headers['content-security-policy']).includes(`script-src 'self' 'nonce-${nonce}'`))
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'.*connect-src 'self'/)
    nonces.add(nonce)
  }
  assert.equal(nonces.size, 2)
})

test('a script is sent in an encoding that the browser accepts, and not again if the browser has it', async () => {
  const uri = '/_sandpiper/console/console-ABC.js'
  const br = (await files.answer('GET', uri, { 'accept-encoding': 'gzip, deflate, br' }))!
  assert.equal(br.headers['content-encoding'], 'br')
  assert.equal(br.headers['x-content-type-options'], 'nosniff')
  const gz = (await files.answer('GET', uri, { 'accept-encoding': 'gzip' }))!
  assert.equal(String(gunzipSync(copyOfLent(gz.body))), 'script')
  assert.equal(String((await files.answer('GET', uri, {}))!.body), 'script')
  const etag = String(br.headers['etag'])
  const again = (await files.answer('GET', uri, { 'accept-encoding': 'br', 'if-none-match': etag }))!
  assert.equal(again.status, 304)
})

test('a script that does not exist is not found for any path', async () => {
  assert.equal((await files.answer('GET', '/_sandpiper/console/other.js', {}))!.status, 404)
  const climbing = (await files.answer('GET', '/_sandpiper/console/../../../package.json', {}))!
  assert.match(String(climbing.headers['content-type']), /^text\/html/)
})

test('without the bundle the API serves every request', () => {
  const none = new ConsoleFiles(`${folder}missing/`)
  assert.equal(none.answer('GET', '/', { accept: 'text/html' }), undefined)
  assert.equal(none.answer('GET', '/_sandpiper/console/', {}), undefined)
})
