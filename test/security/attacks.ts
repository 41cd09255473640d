/**
 * Goal: known attacks on authentication and authorization fail.
 * Method: one test per attack, over a real socket where headers and paths matter and in the process otherwise.
 */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { PasswordHasher } from '../../src/security/model/password-hash.ts'
import { SearchServer } from '../../src/server/search-server.ts'
import { type Reply, SecuredNode, TEST_SCRYPT_COST } from './secured-node.ts'

let node: SecuredNode
let port: number
let server: SearchServer

const base64 = (text: string) => Buffer.from(text).toString('base64')

before(async () => {
  node = await SecuredNode.open()
  server = await SearchServer.open({
    threads: 0,
    maxContentBytes: 1_000_000,
    strictMediaTypes: false,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    security: { bootstrapPassword: 'admin-password', scryptCost: TEST_SCRYPT_COST },
  })
  port = Number(new URL(server.url!).port)
  await node.admin('PUT', '/secret/_doc/1?refresh=true', { x: 1 })
  await node.admin('PUT', '/mine/_doc/1?refresh=true', { x: 1 })
  await node.userWith('ann', { indices: [{ names: ['mine'], privileges: ['read', 'write'] }] })
  await node.user('bob', ['superuser'])
  await node.userWith('actor', { indices: [{ names: ['mine'], privileges: ['read'] }] })
})

after(async () => {
  await node.close()
  await server.stop()
})

/** A request as bytes, for what no client would send. */
function raw(lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n\r\n')) socket.end()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')))
  })
}

function overSocket(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
    sent.on('error', reject)
    sent.end()
  })
}

const GOOD = `Basic ${base64('elastic:admin-password')}`

// --- malformed and wrong credentials ---

const MALFORMED: Readonly<Record<string, string>> = {
  'an empty header': '',
  blanks: '   ',
  'a scheme alone': 'Basic',
  'a scheme and blanks': 'Basic    ',
  'an unknown scheme': `Digest ${base64('elastic:admin-password')}`,
  'no scheme': base64('elastic:admin-password'),
  'a password that is not encoded': 'Basic elastic:admin-password',
  'no colon': `Basic ${base64('elastic')}`,
  'an empty name and password': `Basic ${base64(':')}`,
  'an empty password': `Basic ${base64('elastic:')}`,
  'an empty name': `Basic ${base64(':admin-password')}`,
  'a name with a zero byte': `Basic ${base64('elastic\u0000:admin-password')}`,
  'a password with a zero byte': `Basic ${base64('elastic:admin-password\u0000')}`,
  'a name with a blank behind it': `Basic ${base64('elastic :admin-password')}`,
  'a name with a blank before it': `Basic ${base64(' elastic:admin-password')}`,
  'a name in capitals': `Basic ${base64('ELASTIC:admin-password')}`,
  'a password in capitals': `Basic ${base64('elastic:ADMIN-PASSWORD')}`,
  'a longer password': `Basic ${base64('elastic:admin-password1')}`,
  'a shorter password': `Basic ${base64('elastic:admin-passwor')}`,
  'base64 of the URL alphabet': `Basic ${base64('elastic:admin-password??>>').replaceAll('/', '_')}`,
  'base64 with blanks inside': `Basic ${base64('elastic:admin-password').replace(/(.{8})/, '$1 ')}`,
  'base64 with a byte too many': `Basic ${base64('elastic:admin-password')}A`,
  'two credentials in one header': `${GOOD}, ${GOOD}`,
  'a name of Unicode that looks alike': `Basic ${base64('еlastic:admin-password')}`,
  'a full-width name': `Basic ${base64('ｅlastic:admin-password')}`,
  'bytes that are no UTF-8': `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`,
  'a very long name': `Basic ${base64(`${'a'.repeat(5000)}:x`)}`,
  'a very long password': `Basic ${base64(`elastic:${'a'.repeat(8000)}`)}`,
  'a name of the prototype': `Basic ${base64('__proto__:x')}`,
  'a name that objects have': `Basic ${base64('constructor:x')}`,
  'another name that objects have': `Basic ${base64('toString:x')}`,
  'the operator as a user': `Basic ${base64('sandpiper/operator:x')}`,
  'a reserved user without a password': `Basic ${base64('kibana_system:')}`,
  'a reserved user with a guessed password': `Basic ${base64('kibana_system:changeme')}`,
  'an API key as a password': `Basic ${base64('_es_api_key:x')}`,
  'a key without a colon': `ApiKey ${base64('nothing')}`,
  'a key without an id': `ApiKey ${base64(':secret')}`,
  'a key that is not encoded': 'ApiKey id:secret',
  'a key of the URL alphabet': 'ApiKey aWQ_:__',
  'a key with an id of the prototype': `ApiKey ${base64('__proto__:x')}`,
  'a key with an unknown id': `ApiKey ${base64('AAAAAAAAAAAAAAAAAAAA:x')}`,
  'a key with the password of a user': `ApiKey ${base64('elastic:admin-password')}`,
  'an empty token': 'Bearer ',
  'a token that is none': 'Bearer abcdef',
  'a JSON Web Token without a signature': `Bearer ${base64('{"alg":"none"}')}.${base64('{"sub":"elastic"}')}.`,
  'a service token of nobody': `Bearer ${Buffer.from('\u0000\u0001\u0000\u0001elastic/kibana/x:y').toString('base64')}`,
  'a service token of the operator': `Bearer ${Buffer.from('\u0000\u0001\u0000\u0001sandpiper/operator/local:x').toString('base64')}`,
  'a service token of an unknown account': `Bearer ${Buffer.from('\u0000\u0001\u0000\u0001a/b/c:d').toString('base64')}`,
  'a service token without a secret': `Bearer ${Buffer.from('\u0000\u0001\u0000\u0001elastic/kibana/x').toString('base64')}`,
  'a service token of the prototype': `Bearer ${Buffer.from('\u0000\u0001\u0000\u0001elastic/kibana/__proto__:').toString('base64')}`,
}

for (const [what, authorization] of Object.entries(MALFORMED)) {
  test(`a login with ${what} is refused with 401`, async () => {
    const { status, body } = await node.send(authorization, 'GET', '/secret/_search')
    assert.equal(status, 401)
    assert.equal(body.error.type, 'security_exception')
    assert.doesNotMatch(JSON.stringify(body), /admin-password/)
  })
}

test('scheme names are case-insensitive, and white space around credentials is ignored', async () => {
  for (const form of [GOOD.replace('Basic', 'BASIC'), GOOD.replace('Basic ', 'bAsIc   '), `  ${GOOD}  `]) {
    assert.equal((await node.send(form, 'GET', '/')).status, 200)
  }
})

// --- headers ---

test('two Authorization headers are rejected even if one of them is valid', async () => {
  for (const pair of [
    [GOOD, 'Basic x'],
    ['Basic x', GOOD],
    [GOOD, GOOD],
  ]) {
    const answer = await raw(['GET / HTTP/1.1', 'Host: localhost', ...pair.map((value) => `Authorization: ${value}`)])
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /multiple values for single-valued header \[Authorization\]\./)
  }
})

test('an Authorization header folded over two lines is rejected', async () => {
  const answer = await raw([
    'GET / HTTP/1.1',
    'Host: localhost',
    'Authorization: Basic',
    ` ${base64('elastic:admin-password')}`,
  ])
  assert.match(answer, /^HTTP\/1\.1 40[01] /)
})

const FORGED: readonly Readonly<Record<string, string>>[] = [
  { 'x-forwarded-user': 'elastic' },
  { 'x-remote-user': 'elastic' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-original-url': '/' },
  { 'x-rewrite-url': '/_sandpiper/live' },
  { 'x-http-method-override': 'OPTIONS' },
  { 'es-security-runas-user': 'elastic' },
  { 'x-elastic-internal-origin': 'Kibana' },
  { 'elastic-api-version': '2023-10-31' },
  { 'es-secondary-authorization': GOOD },
  { 'proxy-authorization': GOOD },
  { cookie: `Authorization=${GOOD}` },
]

for (const headers of FORGED) {
  test(`the header ${Object.keys(headers)[0]} does not authenticate a request`, async () => {
    assert.equal(await overSocket('GET', '/_cluster/health', headers), 401)
  })
}

test('credentials in the request target are ignored', async () => {
  for (const path of ['/?authorization=Basic%20x', `/?access_token=${base64('elastic:admin-password')}`]) {
    assert.equal(await overSocket('GET', path, {}), 401)
  }
})

test('a header beyond the limit is rejected by the HTTP server', async () => {
  const answer = await raw(['GET / HTTP/1.1', 'Host: localhost', `Authorization: Basic ${'A'.repeat(20_000)}`])
  assert.match(answer, /^HTTP\/1\.1 400 /)
})

test('a request with another protocol version or method is refused without credentials', async () => {
  assert.match(await raw(['GET / HTTP/1.0', 'Host: localhost']), /^HTTP\/1\.1 401 /)
  assert.match(await raw(['PROPFIND / HTTP/1.1', 'Host: localhost']), /^HTTP\/1\.1 401 /)
  assert.match(await raw(['GET http://localhost/secret/_search HTTP/1.1', 'Host: localhost']), /^HTTP\/1\.1 40[01] /)
})

test('OPTIONS without credentials returns only methods', async () => {
  const { status, text } = await node.send(undefined, 'OPTIONS', '/secret/_doc/1')
  assert.equal(status, 200)
  assert.equal(text, '')
})

// --- paths and encodings that try to reach another action ---

const PATHS: readonly (readonly [string, string])[] = [
  ['GET', '/secret/_search'],
  ['GET', '/%73ecret/_search'],
  ['GET', '/secret%2F_search'],
  ['GET', '/mine,secret/_search'],
  ['GET', '/mine%2Csecret/_search'],
  ['GET', '/mine,%73ecret/_count'],
  ['GET', '//secret/_search'],
  ['GET', '/secret/_search/'],
  ['GET', '/secret//_search'],
  ['GET', '/./secret/_search'],
  ['GET', '/mine/../secret/_search'],
  ['GET', '/mine/%2e%2e/secret/_search'],
  ['GET', '/secret;x=1/_search'],
  ['GET', '/<secret>/_search'],
  ['GET', '/%3Csecret%3E/_search'],
  ['GET', '/<secret-{now%2Fd}>/_search'],
  ['GET', '/-secret/_search'],
  ['GET', '/secret*/_doc/1'],
  ['GET', '/_all/_doc/1'],
  ['GET', '/*/_doc/1'],
  ['GET', '/_search?index=secret'],
  ['GET', '/_count?index=secret'],
  ['GET', '/_msearch?index=secret'],
  ['GET', '/_analyze?index=secret&text=x'],
  [
    'GET',
    '/mine/_search?index=secret&source={"query":{"terms":{"x":{"index":"secret","id":"1","path":"x"}}}}&source_content_type=application/json',
  ],
  ['GET', '/_mget?source={"docs":[{"_index":"secret","_id":"1"}]}&source_content_type=application/json'],
  ['GET', '/secret/_source/1'],
  ['HEAD', '/secret/_doc/1'],
  ['GET', '/secret/_termvectors/1'],
  ['GET', '/mine/_termvectors?source={"_index":"secret","_id":"1"}&source_content_type=application/json'],
  ['GET', '/secret/_explain/1'],
  ['GET', '/_cat/count/secret'],
  ['GET', '/_cat/indices/secret'],
  ['GET', '/_cluster/state/metadata/secret'],
  ['GET', '/_cluster/health/secret'],
  ['GET', '/_nodes/stats'],
  ['GET', '/_tasks'],
  ['GET', '/_security/user'],
  ['GET', '/_security/user/elastic'],
  ['GET', '/_security/role/superuser'],
  ['GET', '/_security/api_key'],
  ['GET', '/_security/_query/api_key'],
  ['GET', '/.security/_search'],
  ['GET', '/.security-7/_search'],
  ['GET', '/metrics'],
  ['GET', '/_sandpiper/metrics'],
  ['GET', '/_scripts/x'],
  ['GET', '/_cluster/settings?include_defaults=true'],
]

for (const [method, uri] of PATHS) {
  test(`${method} ${uri} returns nothing of unauthorized indices`, async () => {
    const { status, body, text } = await node.send(node.login('ann'), method, uri)
    const isPartial = uri.startsWith('/_mget') || uri.startsWith('/_msearch')
    if (!isPartial) assert.ok([400, 403, 404, 405].includes(status), `${status} ${text}`)
    assert.doesNotMatch(text, /"_source"|"hits":\[\{|passwordHash|scrypt/)
    if (uri.startsWith('/_mget')) assert.equal(body.docs[0].error.type, 'security_exception')
  })
}

test('bodies in YAML, CBOR and Smile are authorized like JSON', async () => {
  const yaml = await node.send(node.login('ann'), 'POST', '/_mget', 'docs:\n  - _index: secret\n    _id: "1"\n', {
    'content-type': 'application/yaml',
  })
  assert.doesNotMatch(yaml.text, /"?found"?: ?true/)
  const query = 'query:\n  terms:\n    x:\n      index: secret\n      id: "1"\n      path: x\n'
  const search = await node.send(node.login('ann'), 'POST', '/mine/_search', query, {
    'content-type': 'application/yaml',
  })
  assert.equal(search.status, 403)
})

test('requests of Elasticsearch 7 clients with types in their paths are authorized', async () => {
  const compatible = { accept: 'application/vnd.elasticsearch+json;compatible-with=7' }
  for (const uri of ['/secret/_doc/1', '/secret/type/1', '/secret/type/_search', '/secret/_search']) {
    const { status, text } = await node.send(node.login('ann'), 'GET', uri, undefined, compatible)
    assert.ok(status === 403 || status === 400, `${uri}: ${status} ${text}`)
    assert.equal((await node.send(undefined, 'GET', uri, undefined, compatible)).status, 401, uri)
  }
})

test('a duplicated member of a body does not hide an index from authorization', async () => {
  const { status, text } = await node.send(
    node.login('ann'),
    'POST',
    '/_mget',
    '{"docs":[{"_index":"mine","_index":"secret","_id":"1"}]}',
  )
  assert.doesNotMatch(text, /"found":true/)
  assert.ok(status === 200 || status === 400)
})

test('a bulk source line that looks like an action is not taken for one', async () => {
  const bodies = [
    '{"index":{"_index":"mine"}}\n{"delete":{"_index":"secret","_id":"1"}}\n',
    '{"index":{"_index":"mine","_id":"5"}}\r\n{"x":1}\r\n{"delete":{"_index":"secret","_id":"1"}}\r\n',
    '\n{"delete":{"_index":"secret","_id":"1"}}\n',
    '{"delete":{"_index":"secret","_id":"1"},"index":{"_index":"mine"}}\n',
    '{"delete":{"_index":"\\u0073ecret","_id":"1"}}\n',
    '{"update":{"_index":"secret","_id":"1"}}\n{"doc":{"x":2},"doc_as_upsert":true}\n',
    '{"index":{"_index":"secret","_id":"1","op_type":"create"}}\n{}\n',
  ]
  for (const body of bodies) await node.send(node.login('ann'), 'POST', '/_bulk', body)
  await node.send(node.login('ann'), 'POST', '/secret/_bulk', '{"delete":{"_id":"1"}}\n')
  const { body } = await node.admin('GET', '/secret/_doc/1')
  assert.deepEqual(body._source, { x: 1 })
  assert.equal(body._version, 1)
})

// --- keys ---

async function newKey(owner: string, body: unknown): Promise<{ id: string; authorization: string }> {
  const { body: key, text } = await node.send(owner, 'POST', '/_security/api_key', body)
  assert.ok(key.encoded, text)
  return { id: key.id, authorization: `ApiKey ${key.encoded}` }
}

const reasonOf = ({ body }: Reply) => body.error.additional_unsuccessful_credentials as string

test('an invalidated API key is refused with the next request', async () => {
  const { id, authorization } = await newKey(node.elastic, { name: 'ends' })
  assert.equal((await node.send(authorization, 'GET', '/')).status, 200)
  await node.admin('DELETE', '/_security/api_key', { ids: [id] })
  assert.equal(reasonOf(await node.send(authorization, 'GET', '/')), `API key: api key [${id}] has been invalidated`)
})

test('an expired API key is refused', async () => {
  const { authorization } = await newKey(node.elastic, { name: 'short', expiration: '1ms' })
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(reasonOf(await node.send(authorization, 'GET', '/')), 'API key: api key is expired')
})

test('an API key with a wrong secret and one with an unknown id are refused', async () => {
  const { id } = await newKey(node.elastic, { name: 'known' })
  const wrong = await node.send(`ApiKey ${base64(`${id}:${'x'.repeat(22)}`)}`, 'GET', '/')
  assert.equal(reasonOf(wrong), `API key: invalid credentials for API key [${id}]`)
})

test('an API key of a disabled or deleted user is refused, even after a user with the same name is created', async () => {
  await node.userWith('leaves', { cluster: ['manage_own_api_key', 'monitor'] })
  const { id, authorization } = await newKey(node.login('leaves'), { name: 'of-leaves' })
  assert.equal((await node.send(authorization, 'GET', '/')).status, 200)
  await node.admin('PUT', '/_security/user/leaves/_disable')
  assert.equal(reasonOf(await node.send(authorization, 'GET', '/')), `API key: invalid credentials for API key [${id}]`)
  await node.admin('PUT', '/_security/user/leaves/_enable')
  assert.equal((await node.send(authorization, 'GET', '/')).status, 200)
  await node.admin('DELETE', '/_security/user/leaves')
  assert.equal(reasonOf(await node.send(authorization, 'GET', '/')), `API key: invalid credentials for API key [${id}]`)
  await node.user('leaves', ['superuser'])
  assert.equal((await node.send(authorization, 'GET', '/')).status, 401)
})

test('an API key never has more privileges than its owner', async () => {
  await node.userWith('small', {
    cluster: ['manage_own_api_key'],
    indices: [{ names: ['mine'], privileges: ['read'] }],
  })
  const all = { cluster: ['all'], indices: [{ names: ['*'], privileges: ['all'] }], run_as: ['*'] }
  const { authorization } = await newKey(node.login('small'), { name: 'greedy', role_descriptors: { all } })
  assert.equal((await node.send(authorization, 'GET', '/mine/_search')).status, 200)
  for (const [method, uri] of [
    ['GET', '/secret/_search'],
    ['PUT', '/mine/_doc/7'],
    ['GET', '/_security/user'],
    ['GET', '/'],
  ] as const) {
    assert.equal((await node.send(authorization, method, uri)).status, 403, uri)
  }
  assert.equal(
    (await node.send(authorization, 'GET', '/', undefined, { 'es-security-runas-user': 'elastic' })).status,
    403,
  )
})

test('an API key can neither create keys with privileges nor update keys', async () => {
  const { id, authorization } = await newKey(node.elastic, { name: 'parent' })
  const derived = await node.send(authorization, 'POST', '/_security/api_key', { name: 'child' })
  assert.match(
    derived.body.error.reason,
    /^creating derived api keys requires an explicit role descriptor that is empty/,
  )
  const greedy = { name: 'child', role_descriptors: { a: { cluster: ['all'] } } }
  assert.equal((await node.send(authorization, 'POST', '/_security/api_key', greedy)).status, 400)
  const update = await node.send(authorization, 'PUT', `/_security/api_key/${id}`, { metadata: {} })
  assert.match(update.body.error.reason, /^authentication via API key not supported/)
})

test('manage_own_api_key does not allow reading, invalidating or updating keys of other users', async () => {
  await node.userWith('own', { cluster: ['manage_own_api_key'] })
  const own = node.login('own')
  const foreign = await newKey(node.elastic, { name: 'foreign' })
  assert.equal((await node.send(own, 'GET', '/_security/api_key')).status, 403)
  assert.equal((await node.send(own, 'GET', `/_security/api_key?id=${foreign.id}`)).status, 403)
  assert.equal((await node.send(own, 'GET', '/_security/api_key?username=elastic&realm_name=reserved')).status, 403)
  assert.deepEqual((await node.send(own, 'GET', '/_security/api_key?owner=true')).body, { api_keys: [] })
  assert.equal((await node.send(own, 'POST', '/_security/_query/api_key')).body.total, 0)
  assert.equal((await node.send(own, 'DELETE', '/_security/api_key', { ids: [foreign.id] })).status, 403)
  assert.equal(
    (await node.send(own, 'DELETE', '/_security/api_key', { username: 'elastic', realm_name: 'reserved' })).status,
    403,
  )
  assert.equal((await node.send(own, 'DELETE', '/_security/api_key', { owner: true })).status, 200)
  assert.equal((await node.send(own, 'PUT', `/_security/api_key/${foreign.id}`, {})).status, 404)
  assert.equal((await node.send(foreign.authorization, 'GET', '/')).status, 200)
})

test('an API key can read its own information and no other', async () => {
  const { id, authorization } = await node.keyWith('bare', {})
  const other = await node.keyWith('other', {})
  assert.equal((await node.send(authorization, 'GET', `/_security/api_key?id=${id}`)).body.api_keys.length, 1)
  assert.equal((await node.send(authorization, 'GET', `/_security/api_key?id=${other.id}`)).status, 403)
  assert.equal((await node.send(authorization, 'GET', `/_security/api_key?id=${id}&with_limited_by=true`)).status, 403)
})

test('no response contains a secret or its hash', async () => {
  const { id, authorization } = await newKey(node.elastic, { name: 'quiet' })
  const secret = Buffer.from(authorization.split(' ')[1]!, 'base64').toString('utf8').split(':')[1]!
  for (const uri of [
    `/_security/api_key?id=${id}&with_limited_by=true`,
    '/_security/_query/api_key',
    '/_security/user',
    '/_cluster/state',
    '/_nodes',
    '/_cluster/settings?include_defaults=true',
  ]) {
    const { text } = await node.admin('GET', uri)
    assert.ok(!text.includes(secret), uri)
    assert.doesNotMatch(text, /\{scrypt\}|"hash"|"salt"|admin-password/, uri)
  }
  const { body } = await node.send(node.elastic, 'POST', '/_security/_query/api_key', {
    query: { exists: { field: 'api_key_hash' } },
  })
  assert.equal(body.error.reason, 'Field [api_key_hash] is not allowed for querying or aggregation')
})

// --- users and roles ---

test('the old password is refused with the next request after a change', async () => {
  await node.user('changes', [])
  assert.equal((await node.send(node.login('changes'), 'GET', '/_security/_authenticate')).status, 200)
  await node.admin('PUT', '/_security/user/changes/_password', { password: 'another-one' })
  assert.equal((await node.send(node.login('changes'), 'GET', '/_security/_authenticate')).status, 401)
  assert.equal((await node.send(node.basic('changes', 'another-one'), 'GET', '/_security/_authenticate')).status, 200)
})

test('a changed role takes effect with the next request', async () => {
  const changing = await node.userWith('changing', { indices: [{ names: ['mine'], privileges: ['read'] }] })
  assert.equal((await node.send(changing, 'GET', '/mine/_search')).status, 200)
  await node.role('changing', { indices: [{ names: ['other'], privileges: ['read'] }] })
  assert.equal((await node.send(changing, 'GET', '/mine/_search')).status, 403)
  await node.admin('DELETE', '/_security/role/changing')
  assert.match(
    (await node.send(changing, 'GET', '/mine/_search')).body.error.reason,
    /assigned roles \[changing\] were not found/,
  )
})

test('a user without privileges cannot create users, roles or role mappings or change the passwords of others', async () => {
  const ann = node.login('ann')
  for (const [method, uri, body] of [
    ['PUT', '/_security/user/eve', { password: 'eve-password', roles: ['superuser'] }],
    ['PUT', '/_security/user/ann', { roles: ['superuser'] }],
    ['PUT', '/_security/user/elastic/_password', { password: 'eve-password' }],
    ['PUT', '/_security/role/ann', { cluster: ['all'] }],
    ['PUT', '/_security/role_mapping/ann', { roles: ['superuser'], rules: { field: { username: 'ann' } } }],
    ['POST', '/_security/service/elastic/kibana/credential/token/eve', undefined],
    [
      'POST',
      '/_security/api_key/grant',
      { grant_type: 'password', username: 'ann', password: 'a-password', api_key: { name: 'x' } },
    ],
    ['PUT', '/_security/user/bob/_disable', undefined],
    ['DELETE', '/_security/user/bob', undefined],
  ] as const) {
    assert.equal((await node.send(ann, method, uri, body)).status, 403, uri)
  }
})

test('a user can change its own password with a password login but not with an API key', async () => {
  const own = await node.userWith('self', { cluster: ['manage_own_api_key'] })
  const key = await newKey(own, { name: 'of-self' })
  assert.equal(
    (await node.send(key.authorization, 'PUT', '/_security/user/_password', { password: 'new-password' })).status,
    403,
  )
  assert.equal((await node.send(own, 'PUT', '/_security/user/_password', { password: 'new-password' })).status, 200)
  assert.equal((await node.send(own, 'GET', '/')).status, 401)
})

test('reserved users and roles cannot be replaced', async () => {
  for (const [uri, body] of [
    ['/_security/user/elastic', { password: 'new-password', roles: [] }],
    ['/_security/user/kibana_system', { password: 'new-password', roles: ['superuser'] }],
    ['/_security/role/superuser', { cluster: [] }],
    ['/_security/role/watcher_admin', { cluster: ['all'] }],
  ] as const) {
    assert.equal((await node.send(node.elastic, 'PUT', uri, body)).status, 400, uri)
  }
})

test('names of Object.prototype members do not create users with privileges', async () => {
  const { status } = await node.send(node.elastic, 'PUT', '/_security/user/__proto__', {
    password: 'a-password',
    roles: ['superuser'],
  })
  assert.ok(status === 200 || status === 400)
  const tricky = '{"password":"a-password","roles":[],"__proto__":{"roles":["superuser"]}}'
  await node.send(node.elastic, 'PUT', '/_security/user/tricky', tricky)
  assert.notEqual((await node.send(node.login('tricky'), 'GET', '/')).status, 200)
})

// --- run as ---

const runAs = (user: string) => ({ 'es-security-runas-user': user })

test('run-as without the privilege is refused, with the same error for unknown users', async () => {
  for (const other of ['bob', 'elastic', 'missing', 'ann']) {
    const { status, body } = await node.send(node.login('actor'), 'GET', '/', undefined, runAs(other))
    assert.equal(status, 403)
    assert.equal(
      body.error.reason,
      'action [cluster:monitor/main] is unauthorized for user [actor] with effective roles [actor], because user [actor] is unauthorized to ' +
        `run as [${other}]`,
    )
  }
})

test('a run-as request has the privileges of the other user only', async () => {
  await node.role('stands-in', { cluster: ['all'], run_as: ['ann', 'missing', 'off-duty'] })
  await node.user('stand-in', ['stands-in'])
  await node.user('off-duty', [])
  await node.admin('PUT', '/_security/user/off-duty/_disable')
  const send = (uri: string, other: string) => node.send(node.login('stand-in'), 'GET', uri, undefined, runAs(other))
  assert.equal((await send('/mine/_search', 'ann')).status, 200)
  const refused = await send('/', 'ann')
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.reason, /for user \[stand-in\] run as \[ann\] with effective roles \[ann\]/)
  assert.equal((await send('/', 'missing')).status, 403)
  assert.equal((await send('/', 'off-duty')).status, 401)
  assert.equal((await send('/', '')).status, 401)
  assert.equal((await send('/', 'elastic')).status, 403)
  const { body } = await send('/_security/_authenticate', 'ann')
  assert.deepEqual(
    [body.username, body.authentication_realm.name, body.lookup_realm.name],
    ['ann', 'default_native', 'default_native'],
  )
})

// --- tokens ---

test('a service token has the privileges of its account until it is deleted', async () => {
  const { body } = await node.admin('POST', '/_security/service/elastic/fleet-server/credential/token/t1')
  const bearer = `Bearer ${body.token.value}`
  const who = await node.send(bearer, 'GET', '/_security/_authenticate')
  assert.equal(who.body.username, 'elastic/fleet-server')
  assert.deepEqual(who.body.token, { name: 't1', type: '_service_account_index' })
  assert.equal((await node.send(bearer, 'GET', '/secret/_search')).status, 403)
  assert.equal((await node.send(bearer, 'GET', '/_security/user')).status, 403)
  await node.admin('DELETE', '/_security/service/elastic/fleet-server/credential/token/t1')
  const { status, body: refused } = await node.send(bearer, 'GET', '/')
  assert.equal(status, 401)
  assert.equal(
    refused.error.reason,
    'failed to authenticate service account [elastic/fleet-server] with token name [t1]',
  )
})

test('the login of an unknown user computes a password hash like that of a known one', async (t) => {
  // `verify` computes a hash whether or not there is one to compare with.
  const verify = t.mock.method(PasswordHasher.prototype, 'verify')
  const hashes = async (name: string) => {
    verify.mock.resetCalls()
    for (let i = 0; i < 3; i++) await node.send(node.basic(name, `wrong-password-${i}`), 'GET', '/')
    return verify.mock.callCount()
  }
  assert.equal(await hashes('bob'), 3)
  assert.equal(await hashes('not-there-at-all'), 3)
})
