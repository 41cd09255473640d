/** Goal: the gate lets in who is known and what is allowed, and says of everything else what Elasticsearch says. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { SecuredNode } from './secured-node.ts'

let node: SecuredNode

before(async () => {
  node = await SecuredNode.open()
  await node.role('reads-a', { indices: [{ names: ['a*'], privileges: ['read'] }] })
  await node.user('ann', ['reads-a', 'gone'])
  for (const index of ['a1', 'a2', 'b1']) await node.admin('PUT', `/${index}/_doc/1?refresh=true`, { from: index })
})

after(() => node.close())

test('a request without credentials gets 401 with challenges and without the product header', async () => {
  const { status, body, headers } = await node.send(undefined, 'GET', '/_search?pretty')
  assert.equal(status, 401)
  const challenges = ['Basic realm="security", charset="UTF-8"', 'ApiKey']
  assert.deepEqual(headers['WWW-Authenticate'], challenges)
  assert.equal(headers['X-elastic-product'], undefined)
  const error = {
    type: 'security_exception',
    reason: 'missing authentication credentials for REST request [/_search?pretty]',
    header: { 'WWW-Authenticate': challenges },
  }
  assert.deepEqual(body, { error: { root_cause: [error], ...error }, status: 401 })
})

test('a wrong password, an unknown user and a disabled user get the same error', async () => {
  await node.user('off', [])
  await node.admin('PUT', '/_security/user/off/_disable')
  for (const name of ['ann', 'nobody', 'off']) {
    const { status, body } = await node.send(node.basic(name, 'wrong-password'), 'GET', '/')
    assert.equal(status, 401)
    assert.equal(body.error.reason, `unable to authenticate user [${name}] for REST request [/]`)
  }
})

test('a wildcard matches authorized indices only, and other names are refused whether they exist or not', async () => {
  const ann = node.login('ann')
  const found = await node.send(ann, 'GET', '/_search')
  assert.deepEqual(
    found.body.hits.hits.map((hit: { _index: string }) => hit._index),
    ['a1', 'a2'],
  )
  for (const name of ['b1', 'missing']) {
    const { status, body } = await node.send(ann, 'GET', `/${name}/_search`)
    assert.equal(status, 403)
    assert.equal(
      body.error.reason,
      'action [indices:data/read/search] is unauthorized for user [ann] with effective roles [reads-a] (assigned roles [gone] were not ' +
        `found) on indices [${name}], this action is granted by the index privileges [read,all]`,
    )
  }
  assert.equal((await node.send(ann, 'GET', '/a9/_search')).status, 404)
})

test('a 403 has the product header and no challenges', async () => {
  const { status, body, headers } = await node.send(node.login('ann'), 'GET', '/')
  assert.equal(status, 403)
  assert.equal(headers['X-elastic-product'], 'Elasticsearch')
  assert.equal(headers['WWW-Authenticate'], undefined)
  assert.match(body.error.reason, /^action \[cluster:monitor\/main\] .*cluster privileges \[monitor,manage,all\]$/)
})

test('the features of a node show whether security is enabled', async () => {
  const open = await SecuredNode.open({ isSecured: false })
  const featuresOf = async (of: SecuredNode) => (await of.send(of.elastic, 'GET', '/_xpack')).body.features.security
  assert.deepEqual(await featuresOf(node), { available: true, enabled: true })
  assert.deepEqual(await featuresOf(open), { available: true, enabled: false })
  await open.close()
})

test('users, roles and keys survive a restart, and a damaged file prevents startup', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-security-'))
  try {
    const first = await SecuredNode.open({ dataFolder: folder })
    const ann = await first.userWith('ann', { cluster: ['monitor'] })
    const { authorization } = await first.keyWith('kept', { cluster: ['monitor'] })
    await first.close()
    const second = await SecuredNode.open({ dataFolder: folder })
    for (const credentials of [ann, authorization, second.elastic]) {
      assert.equal((await second.send(credentials, 'GET', '/')).status, 200)
    }
    await second.close()
    const file = join(folder, 'security', 'security')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const bytes = readFileSync(file)
    bytes[bytes.length - 3]! ^= 1
    writeFileSync(file, bytes)
    await assert.rejects(
      SecuredNode.open({ dataFolder: folder }),
      /security\/security .* is damaged: its checksum does not match/,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
