import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { describeSettings, readSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-settings-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(text: string): string {
  const path = join(folder, 'sandpiper.yml')
  writeFileSync(path, text)
  return path
}

test('the default settings bind to this machine only, on port 9200', () => {
  const settings = readSettings([], {})
  assert.equal(settings.host, '127.0.0.1')
  assert.equal(settings.port, 9200)
  assert.equal(settings.data, './data')
  assert.equal(settings.maxContentBytes, 100 * 1024 * 1024)
  assert.equal(settings.strictMediaTypes, false)
})

test('a flag overrides the environment, which overrides the settings file', () => {
  const config = file('port: 1\ncluster.name: from-file\nnode_name: file-node\n')
  const settings = readSettings(['--config', config, '--port=3'], {
    SANDPIPER_PORT: '2',
    SANDPIPER_NODE_NAME: 'env-node',
  })
  assert.deepEqual([settings.port, settings.nodeName, settings.clusterName], [3, 'env-node', 'from-file'])
  assert.equal(readSettings([], { SANDPIPER_CONFIG: config, OTHER: 'x' }).port, 1)
})

test('allowed host names are a list, and malformed names are rejected', () => {
  assert.deepEqual(readSettings([], {}).allowedHosts, [])
  const config = file('http.allowed_hosts: search.example, *.corp.example\n')
  assert.deepEqual(readSettings(['--config', config], {}).allowedHosts, ['search.example', '*.corp.example'])
  assert.deepEqual(readSettings(['--http-allowed-hosts', '*'], {}).allowedHosts, ['*'])
  assert.throws(
    () => readSettings(['--http-allowed-hosts', 'a.example:9200'], {}),
    /without ports, not "a.example:9200"/,
  )
})

test('a boolean flag needs no value', () => {
  assert.equal(readSettings(['--strict-media-types', '--port', '1'], {}).strictMediaTypes, true)
  assert.equal(readSettings(['--strict-media-types', 'false'], {}).strictMediaTypes, false)
})

test('an unknown flag or line of the settings file is rejected with a suggestion', () => {
  assert.throws(() => readSettings(['--prot', '1'], {}), /unknown setting --prot \(did you mean --port\?\)/)
  assert.throws(
    () => readSettings(['--config', file('dta: x')], {}),
    /unknown setting dta in .* \(did you mean data\?\)/,
  )
  assert.throws(() => readSettings(['--zzzzzz', '1'], {}), /unknown setting --zzzzzz \(see sandpiper --help\)/)
})

test('an unknown environment variable causes a warning with a suggestion', () => {
  const { warnings, port } = readSettings([], { SANDPIPER_PRT: '1' })
  assert.deepEqual(warnings, ['ignored unknown setting SANDPIPER_PRT (did you mean SANDPIPER_PORT?)'])
  assert.equal(port, 9200)
})

test('the variables that Kubernetes sets next to a service named sandpiper do not change the settings', () => {
  const { warnings, port } = readSettings([], {
    SANDPIPER_SERVICE_HOST: '10.0.0.7',
    SANDPIPER_SERVICE_PORT: '9200',
    SANDPIPER_PORT: 'tcp://10.0.0.7:9201',
    SANDPIPER_PORT_9201_TCP_ADDR: '10.0.0.7',
  })
  assert.equal(port, 9200)
  assert.equal(warnings.length, 4)
})

test('an invalid value is rejected with the name of the setting and the expected form', () => {
  assert.throws(() => readSettings(['--port', 'x'], {}), /--port must be a number from 0 to 65535, not "x"/)
  assert.throws(
    () => readSettings([], { SANDPIPER_MAX_CONTENT_LENGTH: '5' }),
    /SANDPIPER_MAX_CONTENT_LENGTH must be a size such as 100mb/,
  )
  assert.throws(() => readSettings(['--log-level', 'loud'], {}), /--log-level must be one of error, warn, info, debug/)
  assert.throws(() => readSettings(['--port'], {}), /--port needs a value/)
  assert.throws(() => readSettings(['port'], {}), /unexpected argument "port"/)
  assert.throws(() => readSettings(['--config', file('a: [')], {}), /is no YAML/)
  assert.throws(() => readSettings(['--config', join(folder, 'none.yml')], {}), /cannot read the settings file/)
})

test('the help lists every setting with its default', () => {
  assert.match(describeSettings(), /--port N +port to listen on; 0 selects a free one \(default 9200\)/)
})

test('client certificates are asked for by the name of the flag and by the one of Elasticsearch', () => {
  assert.equal(readSettings([], {}).tlsClientAuth, 'none')
  assert.equal(readSettings(['--tls-client-auth', 'required'], {}).tlsClientAuth, 'required')
  const config = file('xpack.security.http.ssl.client_authentication: optional\n')
  assert.equal(readSettings(['--config', config], {}).tlsClientAuth, 'optional')
  assert.throws(
    () => readSettings(['--tls-client-auth', 'yes'], {}),
    /--tls-client-auth must be none, optional or required, not "yes"/,
  )
  assert.throws(() => readSettings(['--cluster-cert', 'a.pem'], {}), /--cluster-cert and --cluster-key belong together/)
})
