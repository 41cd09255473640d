/**
 * Goal: the TLS options of every network plugin work under the names of Logstash 7 and 8 and under today's. Method: a table of old and new
 * spellings. Both must lead to the same options, the old one with a warning; servers are then asked over TLS.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect } from 'node:tls'
import { resolveOptions } from '../../src/pipeline/config/option-values.ts'
import { parseConfig } from '../../src/pipeline/config/parser.ts'
import type { PluginNode } from '../../src/pipeline/config/syntax-tree.ts'
import { CERTIFICATE, KEY } from '../../src/pipeline/net/certificate-fixture.ts'
import { makeInput, testContext } from '../../src/pipeline/registry/plugin-fixture.ts'
import { FILTERS, INPUTS, OUTPUTS } from '../../src/pipeline/registry/registry.ts'
import { freePort } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-tls-names-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const certificate = join(folder, 'certificate.pem')
const key = join(folder, 'key.pem')
writeFileSync(certificate, CERTIFICATE)
writeFileSync(key, KEY)

const LOADERS = { input: INPUTS, filter: FILTERS, output: OUTPUTS } as const
type Spellings = Readonly<Record<string, readonly [string, string]>>

const ca = ['ssl_certificate_authorities', `["${certificate}"]`] as const
const path = `"${certificate}"`
const STORES: Spellings = {
  [`keystore => ${path}`]: ['ssl_keystore_path', path],
  'keystore_password => "p"': ['ssl_keystore_password', '"p"'],
}
const CLIENT_STORES: Spellings = { ...STORES, [`truststore => ${path}`]: ['ssl_truststore_path', path] }
const SEARCH: Spellings = {
  ...CLIENT_STORES,
  'ssl => true': ['ssl_enabled', 'true'],
  [`cacert => ${path}`]: ca,
  [`ca_file => ${path}`]: ca,
  'ssl_certificate_verification => false': ['ssl_verification_mode', '"none"'],
  'ssl_certificate_verification => true': ['ssl_verification_mode', '"full"'],
}
const HTTP_CLIENT: Spellings = {
  ...CLIENT_STORES,
  [`cacert => ${path}`]: ca,
  [`client_cert => ${path}`]: ['ssl_certificate', path],
  [`client_key => "${key}"`]: ['ssl_key', `"${key}"`],
  'ssl_certificate_validation => false': ['ssl_verification_mode', '"none"'],
}
const SERVER: Spellings = {
  'ssl => true': ['ssl_enabled', 'true'],
  'ssl_verify_mode => "peer"': ['ssl_client_authentication', '"optional"'],
  'ssl_verify_mode => "force_peer"': ['ssl_client_authentication', '"required"'],
  'cipher_suites => ["TLS_AES_128_GCM_SHA256"]': ['ssl_cipher_suites', '["TLS_AES_128_GCM_SHA256"]'],
}
const SOCKET: Spellings = {
  'ssl_enable => true': ['ssl_enabled', 'true'],
  [`ssl_cert => ${path}`]: ['ssl_certificate', path],
  [`ssl_cacert => ${path}`]: ca,
}

/** Each plugin with the options it cannot do without. */
const TABLE: readonly (readonly [keyof typeof LOADERS, string, string, Spellings])[] = [
  ['input', 'beats', 'port => 1', SERVER],
  ['input', 'http', '', { ...SERVER, ...STORES, 'verify_mode => "none"': ['ssl_client_authentication', '"none"'] }],
  ['input', 'tcp', 'port => 1', { ...SOCKET, 'ssl_verify => true': ['ssl_client_authentication', '"required"'] }],
  ['input', 'relp', 'port => 1', { ...SOCKET, 'ssl_verify => false': ['ssl_client_authentication', '"none"'] }],
  ['input', 'http_poller', 'urls => { "a" => "http://localhost:1" } schedule => { "every" => "1s" }', HTTP_CLIENT],
  ['input', 'elasticsearch', '', SEARCH],
  ['input', 'redis', 'key => "k" data_type => "list"', { 'ssl => true': ['ssl_enabled', 'true'] }],
  ['filter', 'http', 'url => "http://localhost:1"', HTTP_CLIENT],
  ['filter', 'elasticsearch', '', SEARCH],
  ['output', 'tcp', 'host => "h" port => 1', { ...SOCKET, 'ssl_verify => false': ['ssl_verification_mode', '"none"'] }],
  ['output', 'http', 'url => "http://localhost:1" http_method => "post"', HTTP_CLIENT],
  ['output', 'elasticsearch', '', SEARCH],
  ['output', 'opensearch', '', Object.fromEntries(Object.entries(SEARCH).filter(([old]) => !/verification/.test(old)))],
  ['output', 'redis', 'key => "k" data_type => "list"', { 'ssl => true': ['ssl_enabled', 'true'] }],
]

async function resolved(kind: keyof typeof LOADERS, name: string, options: string) {
  const node = parseConfig(`${kind} { ${name} { ${options} } }`, 'a.conf')[0]!.body[0] as PluginNode
  const { options: table } = await LOADERS[kind][name]!()
  const problems: { message: string }[] = []
  const warnings: string[] = []
  const context = { environment: {}, problems, warn: (text: string) => void warnings.push(text), buildCodec: () => 'c' }
  return { values: resolveOptions(node, table, { kind, name }, context as never), problems, warnings }
}

for (const [kind, name, base, spellings] of TABLE) {
  test(`the old names of TLS options of the ${name} ${kind} mean what the new ones do`, async () => {
    for (const [old, [newName, newValue]] of Object.entries(spellings)) {
      const before = await resolved(kind, name, `${base} ${old}`)
      const now = await resolved(kind, name, `${base} ${newName} => ${newValue}`)
      assert.deepEqual(before.problems, [], old)
      assert.deepEqual(before.values, now.values, old)
      assert.match(before.warnings.join('\n'), new RegExp(`is deprecated and still works. Use \`${newName}\``), old)
    }
  })
}

test('a value that an old TLS option never had is rejected', async () => {
  const { problems } = await resolved('input', 'beats', 'port => 1 ssl_verify_mode => "always"')
  assert.match(problems[0]!.message, /ssl_verify_mode|ssl_client_authentication/)
  assert.match(problems[0]!.message, /"none","peer","force_peer"/)
})

for (const name of ['beats', 'http', 'tcp', 'relp'] as const) {
  test(`the ${name} input takes TLS from old versions up to the one that is set, and asks for certificates`, async (t) => {
    const port = await freePort()
    const own =
      name === 'beats' || name === 'http' ? { tls_max_version: 1.2 } : { ssl_supported_protocols: ['TLSv1.2'] }
    const options = { port, host: '127.0.0.1', ssl_enabled: true, ssl_certificate: certificate, ssl_key: key, ...own }
    const authentication = { ssl_client_authentication: 'required', ssl_certificate_authorities: [certificate] }
    const input = await makeInput(await INPUTS[name]!(), { ...options, ...authentication }, testContext())
    await input.start!()
    const running = input.run({ push: () => undefined })
    t.after(async () => {
      input.stop()
      await running
      await input.close?.()
    })
    const version = await protocolOf(port, { cert: CERTIFICATE, key: KEY })
    assert.equal(version, 'TLSv1.2')
    assert.equal(await protocolOf(port, {}), undefined)
  })
}

/** The version that is agreed on; undefined if the server refuses. */
function protocolOf(port: number, own: { cert?: string; key?: string }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, ca: CERTIFICATE, rejectUnauthorized: false, ...own })
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(undefined))
    // A server says only after the handshake that it wants a certificate.
    socket.on('secureConnect', () => {
      const version = socket.getProtocol() ?? undefined
      setTimeout(() => {
        resolve(socket.destroyed ? undefined : version)
        socket.destroy()
      }, 50)
    })
  })
}
