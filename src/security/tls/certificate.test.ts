/** Goal: Node's TLS accepts the created certificates if it trusts their authority, and rejects them otherwise. */
import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createAuthority, createServerCertificate, fingerprint } from './certificate.ts'

const NOW_MS = Date.now()
const authority = createAuthority('An authority', NOW_MS)
const own = createServerCertificate(
  { ...authority, privateKey: createPrivateKey(authority.key) },
  ['localhost', '127.0.0.1', '::1', 'fe80::1', 'node.example'],
  NOW_MS,
)

test('a server certificate is signed by its authority and names its hosts', () => {
  const certificate = new X509Certificate(own.certificate)
  const issuer = new X509Certificate(authority.certificate)
  assert.ok(certificate.verify(issuer.publicKey))
  assert.ok(certificate.checkIssued(issuer))
  assert.ok(issuer.ca && !certificate.ca)
  assert.ok(certificate.checkPrivateKey(createPrivateKey(own.key)))
  for (const name of ['localhost', 'node.example']) assert.equal(certificate.checkHost(name), name)
  for (const address of ['127.0.0.1', '::1', 'fe80::1']) assert.equal(certificate.checkIP(address), address)
  assert.equal(certificate.checkHost('other.example'), undefined)
  assert.equal(fingerprint(authority.certificate), issuer.fingerprint256.replaceAll(':', '').toLowerCase())
})

test('a client that trusts the authority connects, and one that does not refuses', async () => {
  const server = createServer({ cert: own.certificate + authority.certificate, key: own.key }, (_, response) =>
    response.end('hello'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const get = (ca: string | undefined) =>
    new Promise<string>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, agent: false, ...(ca === undefined ? {} : { ca }) },
        (response) => {
          response.on('data', (chunk) => resolve(String(chunk)))
        },
      )
      sent.on('error', reject)
      sent.end()
    })
  try {
    assert.equal(await get(authority.certificate), 'hello')
    await assert.rejects(get(undefined), /self-signed certificate in certificate chain/)
    await assert.rejects(get(createAuthority('Another', NOW_MS).certificate))
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
