/**
 * Real clients against a service with security and TLS: @elastic/elasticsearch 8, elasticsearch-py 8, and the pipeline tool's elasticsearch
 * output, each with the fingerprint of the authority, by password, by API key and, for the first, by client certificate. Clients are taken from folders that the environment names, so that
 * the tests of the project need no network:
 *
 *   SANDPIPER_CLIENT_JS=/folder/with/node_modules SANDPIPER_CLIENT_PYTHON=/venv/bin/python node test/clients/secured-clients.mjs
 */
import { execFile, spawn } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClientCertificate } from '../../dist/security/tls/certificate.js'

const program = fileURLToPath(new URL('../../bin/sandpiper.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-clients-'))
const data = join(folder, 'data')
const PASSWORD = 'client-password'
const run = promisify(execFile)
let failed = 0
let passed = 0

async function check(name, work) {
  try {
    await work()
    passed++
    console.log(`ok      ${name}`)
  } catch (error) {
    failed++
    console.log(`not ok  ${name}: ${error.message}`)
  }
}

function equal(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`)
}

const service = spawn(
  process.execPath,
  [
    program,
    'serve',
    '--port',
    '0',
    '--data',
    data,
    '--security',
    'true',
    '--tls',
    'auto',
    '--tls-client-auth',
    'optional',
  ],
  { env: { ...process.env, ELASTIC_PASSWORD: PASSWORD }, stdio: ['ignore', 'pipe', 'inherit'] },
)
let text = ''
await new Promise((resolve) => {
  service.stdout.on('data', (chunk) => {
    text += chunk
    if (text.includes('Try it')) resolve()
  })
})
const url = /address +(\S+)/.exec(text)[1]
const fingerprint = /ca +([0-9a-f]{64})/.exec(text)[1]

try {
  const made = await run(process.execPath, [
    program,
    'keys',
    'create',
    'clients',
    '--index',
    'c*',
    '--privileges',
    'all',
    '--data',
    data,
  ])
  const key = /key +(\S+)/.exec(made.stdout)[1]
  await javaScript(key)
  await python(key)
  await pipeline(key)
} finally {
  service.kill('SIGTERM')
  await new Promise((resolve) => service.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function javaScript(key) {
  const modules = process.env.SANDPIPER_CLIENT_JS
  if (modules === undefined)
    return console.log('left out: SANDPIPER_CLIENT_JS names no folder with @elastic/elasticsearch')
  const { Client, errors } = createRequire(join(modules, 'x.js'))('@elastic/elasticsearch')
  for (const [name, auth] of [
    ['password', { username: 'elastic', password: PASSWORD }],
    ['API key', { apiKey: key }],
  ]) {
    await check(`@elastic/elasticsearch by ${name}`, async () => {
      const client = new Client({ node: url, caFingerprint: fingerprint, tls: { rejectUnauthorized: false }, auth })
      await client.index({ index: 'c-js', id: name, document: { by: name }, refresh: true })
      const found = await client.search({ index: 'c-js', query: { term: { 'by.keyword': name } } })
      equal(found.hits.hits.length, 1, 'hits')
      const who = await client.security.authenticate()
      equal(who.username, 'elastic', 'username')
      await client.close()
    })
  }
  await check('@elastic/elasticsearch by client certificate', async () => {
    const options = { node: url, caFingerprint: fingerprint }
    const auth = { username: 'elastic', password: PASSWORD }
    const admin = new Client({ ...options, auth, tls: { rejectUnauthorized: false } })
    await admin.security.putRole({ name: 'c-reader', indices: [{ names: ['c-*'], privileges: ['read'] }] })
    const rules = { field: { dn: 'CN=ann' } }
    await admin.security.putRoleMapping({ name: 'ann', roles: ['c-reader'], enabled: true, rules })
    const { certificate: cert, key } = certificateOf('ann')
    const client = new Client({ ...options, tls: { cert, key, rejectUnauthorized: false } })
    const who = await client.security.authenticate()
    equal(`${who.username} ${who.authentication_realm.type} ${who.roles}`, 'ann pki c-reader', 'the caller')
    equal((await client.search({ index: 'c-*' })).hits.total.value, 2, 'hits')
    const status = await client.search({ index: 'other' }).then(
      () => 200,
      (error) => error.statusCode,
    )
    equal(status, 403, 'status')
    await Promise.all([admin.close(), client.close()])
  })
  await check('@elastic/elasticsearch refuses another fingerprint', async () => {
    const client = new Client({
      node: url,
      caFingerprint: '00'.repeat(32),
      tls: { rejectUnauthorized: false },
      maxRetries: 0,
    })
    const error = await client.info().then(
      () => undefined,
      (reason) => reason,
    )
    equal(error instanceof errors.ConnectionError, true, 'a connection error')
  })
  await check('@elastic/elasticsearch reads 401 and 403 as response errors', async () => {
    const options = { node: url, caFingerprint: fingerprint, tls: { rejectUnauthorized: false }, maxRetries: 0 }
    const status = (client, work) =>
      work(client).then(
        () => 200,
        (error) => error.statusCode,
      )
    equal(
      await status(new Client({ ...options, auth: { username: 'elastic', password: 'wrong' } }), (c) => c.count()),
      401,
      'status',
    )
    equal(
      await status(new Client({ ...options, auth: { apiKey: key } }), (c) => c.search({ index: 'other' })),
      403,
      'status',
    )
  })
}

/** A client certificate of the authority of the service. */
function certificateOf(name) {
  const certificate = readFileSync(join(data, 'certs', 'http_ca.crt'), 'utf8')
  const key = readFileSync(join(data, 'certs', 'http_ca.key'), 'utf8')
  return createClientCertificate({ certificate, key, privateKey: createPrivateKey(key) }, name, Date.now())
}

async function python(key) {
  const interpreter = process.env.SANDPIPER_CLIENT_PYTHON
  if (interpreter === undefined)
    return console.log('left out: SANDPIPER_CLIENT_PYTHON names no Python with elasticsearch')
  const script = join(folder, 'scenario.py')
  writeFileSync(
    script,
    `import sys, warnings
warnings.simplefilter("ignore")
from elasticsearch import Elasticsearch, AuthenticationException, AuthorizationException
url, fingerprint, kind, secret = sys.argv[1:5]
auth = {"basic_auth": ("elastic", secret)} if kind == "password" else {"api_key": secret}
client = Elasticsearch(url, ssl_assert_fingerprint=fingerprint, verify_certs=False, ssl_show_warn=False, **auth)
client.index(index="c-py", id=kind, document={"by": kind}, refresh=True)
assert client.search(index="c-py", query={"term": {"by.keyword": kind}})["hits"]["total"]["value"] == 1
assert client.security.authenticate()["username"] == "elastic"
try:
    Elasticsearch(url, ssl_assert_fingerprint=fingerprint, verify_certs=False, ssl_show_warn=False, basic_auth=("elastic", "wrong")).info()
    raise SystemExit("a wrong password was accepted")
except AuthenticationException:
    pass
if kind == "key":
    try:
        client.search(index="other")
        raise SystemExit("another index was shown")
    except AuthorizationException:
        pass
`,
  )
  for (const [kind, secret] of [
    ['password', PASSWORD],
    ['key', key],
  ]) {
    await check(`elasticsearch-py by ${kind}`, () => run(interpreter, [script, url, fingerprint, kind, secret]))
  }
}

async function pipeline(key) {
  await check('the pipeline tool writes by API key', async () => {
    const config = join(folder, 'pipeline.conf')
    const id = Buffer.from(key, 'base64').toString('utf8')
    writeFileSync(
      config,
      `input { generator { count => 5 message => "hello" } }
output { elasticsearch { hosts => ["${url}"] index => "c-pipeline" api_key => "${id}" ssl_certificate_authorities => ["${join(data, 'certs', 'http_ca.crt')}"] } }
`,
    )
    await run(process.execPath, [program, 'pipeline', '-f', config, '--path.data', join(folder, 'pipeline-data')])
    const modules = process.env.SANDPIPER_CLIENT_JS
    if (modules === undefined) return
    const { Client } = createRequire(join(modules, 'x.js'))('@elastic/elasticsearch')
    const client = new Client({
      node: url,
      caFingerprint: fingerprint,
      tls: { rejectUnauthorized: false },
      auth: { apiKey: key },
    })
    await client.indices.refresh({ index: 'c-pipeline' })
    equal((await client.count({ index: 'c-pipeline' })).count, 5, 'documents')
  })
}
