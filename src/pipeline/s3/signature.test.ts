import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeUri, signedHeaders } from './signature.ts'

const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
}
const TIME_MS = Date.parse('2013-05-24T00:00:00Z')

function signatureOf(method: string, path: string, headers: Record<string, string>, body?: string): string {
  const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
  const request = { method, url, path: url.pathname, headers, body: body === undefined ? undefined : Buffer.from(body) }
  return /Signature=(\w+)$/.exec(signedHeaders(request, CREDENTIALS, 'us-east-1', TIME_MS)['authorization']!)![1]!
}

test('requests are signed as in the examples of the documentation of S3', () => {
  assert.equal(
    signatureOf('GET', '/test.txt', { range: 'bytes=0-9' }),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  assert.equal(
    signatureOf('GET', '/?max-keys=2&prefix=J', {}),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
  assert.equal(
    signatureOf(
      'PUT',
      '/test%24file.text',
      { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      'Welcome to Amazon S3.',
    ),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})

test('a session token is included in the signature', () => {
  const request = { method: 'GET', url: new URL('https://b.example.com/'), path: '/', headers: {}, body: undefined }
  const headers = signedHeaders(request, { ...CREDENTIALS, sessionToken: 'token' }, 'eu-west-1', TIME_MS)
  assert.equal(headers['x-amz-security-token'], 'token')
  assert.match(headers['authorization']!, /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/)
  assert.match(headers['authorization']!, /20130524\/eu-west-1\/s3\/aws4_request/)
})

test('all but unreserved characters of a key are escaped', () => {
  assert.equal(escapeUri("größe (1)*'!~a-b_c.d"), 'gr%C3%B6%C3%9Fe%20%281%29%2A%27%21~a-b_c.d')
})
