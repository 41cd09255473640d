import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

const cipher = (mode: string, more = '') =>
  `filter { cipher { mode => "${mode}" algorithm => "AES-128-CBC" key => "secret" iv_random_length => 16 ${more} } }`

test('a text that was encrypted is decrypted again, and equal texts look different', async () => {
  const encrypted = await runFilters(cipher('encrypt'), [{ message: 'grün' }, { message: 'grün' }])
  assert.notEqual(encrypted[0]!['message'], encrypted[1]!['message'])
  const [back] = await runFilters(cipher('decrypt', 'target => "plain"'), [{ message: encrypted[0]!['message'] }])
  assert.equal(back!['plain'], 'grün')
})

test('a text that OpenSSL encrypted with a padded key is decrypted', async () => {
  // printf 'vector of 16 byt' and the output of openssl enc -aes-128-cbc -K 73656372657400000000000000000000
  const [event] = await runFilters(cipher('decrypt'), [{ message: 'dmVjdG9yIG9mIDE2IGJ5dK9VzMdzp0bgwTHtRFb9PGI=' }])
  assert.equal(event!['message'], 'hello')
})

test('what cannot be decrypted is tagged and stays', async () => {
  const [short, wrong, number, empty] = await runFilters(cipher('decrypt'), [
    { message: 'YQ==' },
    { message: 'no base64!' },
    { message: 5 },
    { message: '' },
  ])
  for (const event of [short, wrong, number]) assert.deepEqual(event!['tags'], ['_cipherfiltererror'])
  assert.equal(wrong!['message'], 'no base64!')
  assert.equal(empty!['tags'], undefined)
})

test('ciphers that are unknown or keep a tag are refused', async () => {
  const refused = (algorithm: string) =>
    runFilters(cipher('encrypt').replace('AES-128-CBC', algorithm), [{ message: 'x' }])
  await assert.rejects(refused('AES-128-XYZ'), /this Node has no cipher AES-128-XYZ/)
  await assert.rejects(refused('AES-128-GCM'), /ciphers of the mode gcm are not supported/)
})

test('anonymize replaces values by hashes and networks', async () => {
  const hashed = (text: string) => createHmac('sha256', 'k').update(text).digest('hex')
  const [event] = await runFilters(
    'filter { anonymize { fields => ["a", "b", "none"] key => "k" algorithm => "SHA256" } anonymize { fields => ["ip"] key => "24" algorithm => "IPV4_NETWORK" } }',
    [{ a: 'x', b: ['y', 'z'], ip: '10.1.2.3' }],
  )
  assert.equal(event!['a'], hashed('x'))
  assert.deepEqual(event!['b'], [hashed('y'), hashed('z')])
  assert.equal(event!['ip'], '10.1.2.0')
  assert.equal(event!['none'], undefined)
})

test('anonymize takes an address of which it knows no network away', async () => {
  const [event] = await runFilters(
    'filter { anonymize { fields => ["ip"] key => "24" algorithm => "IPV4_NETWORK" add_tag => ["done"] } }',
    [{ ip: 'private.host' }],
  )
  assert.equal(event!['ip'], null)
  assert.deepEqual(event!['tags'], ['_anonymizefailure'])
})
