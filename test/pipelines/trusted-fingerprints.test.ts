/**
 * Goal: `ca_trusted_fingerprint` trusts a server if and only if its certificate is signed by the authority with that fingerprint.
 * Method: HTTPS servers with certificates of two authorities, asked directly and through a proxy.
 */
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { after, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { ElasticsearchConnection } from '../../src/pipeline/elasticsearch/connection.ts'
import { CONNECTION_OPTIONS, connectionSettings } from '../../src/pipeline/elasticsearch/connection-options.ts'
import { parseFingerprints } from '../../src/pipeline/net/trusted-fingerprints.ts'
import { withDefaults } from '../../src/pipeline/plugin/default-options.ts'
import { createAuthority, createServerCertificate, fingerprint } from '../../src/security/tls/certificate.ts'

const NOW_MS = Date.now()
const DAY_MS = 86_400_000
const [ours, theirs] = [createAuthority('Ours', NOW_MS), createAuthority('Theirs', NOW_MS)]
const signedBy = (authority: typeof ours, hosts = ['localhost', '127.0.0.1'], nowMs = NOW_MS) =>
  createServerCertificate({ ...authority, privateKey: createPrivateKey(authority.key) }, hosts, nowMs)

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => void server.close())
  return (server.address() as AddressInfo).port
}

let requests = 0
function service(own: { certificate: string; key: string }, ...chain: string[]): Promise<number> {
  const server = createServer({ cert: own.certificate + chain.join(''), key: own.key }, (_, response) => {
    requests++
    response.setHeader('connection', 'close')
    response.end('hello')
  })
  return listening(server)
}

async function ask(port: number, options: Record<string, unknown>): Promise<string> {
  const given = withDefaults(CONNECTION_OPTIONS, { hosts: [`https://localhost:${port}`], ...options })
  const connection = new ElasticsearchConnection(connectionSettings(given), silentLog)
  try {
    const first = await connection.send({ method: 'GET', path: '/' })
    const second = await connection.send({ method: 'GET', path: '/' })
    return `${first.text} ${second.text}`
  } finally {
    connection.close()
  }
}

test('a server is trusted if the authority with the fingerprint has signed its certificate', async () => {
  const port = await service(signedBy(ours), ours.certificate)
  await assert.rejects(ask(port, {}), /self.signed certificate|unable to/)
  assert.equal(await ask(port, { ca_trusted_fingerprint: [fingerprint(ours.certificate)] }), 'hello hello')
  const withColons = fingerprint(ours.certificate).toUpperCase().match(/../g)!.join(':')
  assert.equal(await ask(port, { ca_trusted_fingerprint: ['0'.repeat(64), withColons] }), 'hello hello')
})

test('a server is trusted through a proxy by the same rule', async () => {
  const port = await service(signedBy(ours), ours.certificate)
  const proxy = createPlainServer()
  proxy.on('connect', (request, client) => {
    const [host, to] = request.url!.split(':')
    const server = connect(Number(to), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) socket.on('error', () => {})
  })
  const through = { proxy: `http://127.0.0.1:${await listening(proxy)}` }
  assert.equal(await ask(port, { ...through, ca_trusted_fingerprint: [fingerprint(ours.certificate)] }), 'hello hello')
  await assert.rejects(ask(port, { ...through, ca_trusted_fingerprint: ['0'.repeat(64)] }), /is not trusted/)
})

test('a server is refused, and gets no request, if its chain does not prove the authority', async () => {
  const trusted = { ca_trusted_fingerprint: [fingerprint(ours.certificate)] }
  const before = requests
  const refused: [string, number, RegExp][] = [
    ['signed by another authority', await service(signedBy(theirs), theirs.certificate), /is not trusted/],
    [
      'the authority only enclosed',
      await service(signedBy(theirs), theirs.certificate, ours.certificate),
      /is not trusted/,
    ],
    ['without its authority', await service(signedBy(ours)), /is not trusted/],
    ['another host', await service(signedBy(ours, ['other.example']), ours.certificate), /Hostname\/IP does not match/],
    [
      'outdated',
      await service(signedBy(ours, ['localhost'], NOW_MS - 3000 * DAY_MS), ours.certificate),
      /is not trusted/,
    ],
  ]
  for (const [what, port, message] of refused) await assert.rejects(ask(port, trusted), message, what)
  assert.equal(requests, before)
})

test('a fingerprint that is not 64 hexadecimal digits is an error at startup', () => {
  assert.throws(() => parseFingerprints(['abc']), /ca_trusted_fingerprint "abc" is no SHA-256 fingerprint/)
})
