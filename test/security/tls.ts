/**
 * Goal: a certificate of the operator is used, checked at startup, and reloaded without a restart.
 * Method: certificates of an authority of the test, files on disk, and real TLS connections.
 */
import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { silentLog } from '../../src/base/log.ts'
import { createAuthority, createServerCertificate, fingerprint } from '../../src/security/tls/certificate.ts'
import { SearchServer } from '../../src/server/search-server.ts'
import { TEST_SCRYPT_COST } from './secured-node.ts'

const CHECK_MS = 20
const authority = createAuthority('Test CA', Date.now())
const issuer = { ...authority, privateKey: createPrivateKey(authority.key) }
const issue = (...hosts: string[]) => createServerCertificate(issuer, hosts, Date.now())

let folder: string
let server: SearchServer
let files: { readonly cert: string; readonly key: string; readonly ca: string }

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-tls-'))
  files = { cert: join(folder, 'node.crt'), key: join(folder, 'node.key'), ca: join(folder, 'ca.crt') }
  const first = issue('localhost', '127.0.0.1')
  write('node.crt', first.certificate)
  write('node.key', first.key)
  write('ca.crt', authority.certificate)
  server = await open({})
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function open(tls: Partial<typeof files>): Promise<SearchServer> {
  return SearchServer.open({
    threads: 0,
    maxContentBytes: 1_000_000,
    strictMediaTypes: false,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    security: { bootstrapPassword: 'admin-password', scryptCost: TEST_SCRYPT_COST },
    tls: { ...files, ...tls },
    certificateCheckMs: CHECK_MS,
  })
}

const portOf = () => Number(new URL(server.url!).port)

/** A new connection that trusts the test's authority. */
function connected(options: object = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const trusted = { port: portOf(), host: '127.0.0.1', ca: authority.certificate, ...options }
    const socket = connect(trusted, () => resolve(socket))
    socket.on('error', reject)
  })
}

async function servedSerial(): Promise<string> {
  const socket = await connected()
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}

/** Waits for a condition that a timer of the server makes true. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
  assert.fail('the condition did not become true')
}

test('a client that trusts the given authority logs in over TLS, and the chain ends in that authority', async () => {
  assert.equal(server.caFingerprint, fingerprint(authority.certificate))
  const status = await new Promise<number>((resolve, reject) => {
    const authorization = `Basic ${Buffer.from('elastic:admin-password').toString('base64')}`
    const options = { ca: authority.certificate, headers: { authorization } }
    request(`${server.url}/_security/_authenticate`, options, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .on('error', reject)
      .end()
  })
  assert.equal(status, 200)
  const socket = await connected()
  const { issuerCertificate } = socket.getPeerCertificate(true)
  assert.equal(issuerCertificate.serialNumber, new X509Certificate(authority.certificate).serialNumber)
  socket.destroy()
})

test('versions of TLS before 1.2 are refused', async () => {
  await assert.rejects(connected({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }))
})

test('a changed certificate is used for new connections, and open connections continue', async () => {
  const before = await servedSerial()
  const kept = await connected()
  const second = issue('localhost', '127.0.0.1')
  write('node.key', second.key)
  write('node.crt', second.certificate)
  const expected = new X509Certificate(second.certificate).serialNumber
  await until(async () => (await servedSerial()) === expected)
  assert.notEqual(before, expected)
  kept.write('GET /_sandpiper/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [chunk] = (await new Promise<Buffer[]>((resolve) => kept.once('data', (data) => resolve([data])))) as [Buffer]
  assert.match(chunk.toString(), /^HTTP\/1\.1 200/)
  kept.destroy()
})

test('files that do not belong together leave the previous certificate in use until they do', async () => {
  const before = await servedSerial()
  const third = issue('localhost', '127.0.0.1')
  write('node.crt', third.certificate)
  await new Promise((resolve) => setTimeout(resolve, CHECK_MS * 5))
  assert.equal(await servedSerial(), before)
  write('node.key', third.key)
  const expected = new X509Certificate(third.certificate).serialNumber
  await until(async () => (await servedSerial()) === expected)
})

test('startup fails with the name of the file if a certificate or key cannot be used', async () => {
  const other = issue('localhost')
  write('other.key', other.key)
  write('empty.crt', 'nothing')
  const key = join(folder, 'other.key')
  await assert.rejects(open({ key }), /the key in .*other\.key is not that of the certificate/)
  await assert.rejects(
    open({ cert: join(folder, 'empty.crt'), ca: join(folder, 'empty.crt') }),
    /no certificate in PEM/,
  )
  await assert.rejects(open({ cert: join(folder, 'missing.crt') }), /cannot read .*missing\.crt/)
})
