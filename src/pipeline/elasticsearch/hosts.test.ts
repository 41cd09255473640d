import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCloudId, parseHosts } from './hosts.ts'

const parse = (host: string, isSecure?: boolean, path?: string) =>
  parseHosts({ hosts: [host], isSecure, path, defaultPort: 9200 })
const shown = (host: string, isSecure?: boolean, path?: string) => {
  const { host: address, protocol, pathname } = parse(host, isSecure, path).bases[0]!
  return `${protocol}//${address}${pathname}`
}

const FORMS: readonly [string, string][] = [
  ['127.0.0.1', 'http://127.0.0.1:9200/'],
  ['127.0.0.1:9201', 'http://127.0.0.1:9201/'],
  ['localhost', 'http://localhost:9200/'],
  ['//h:9200', 'http://h:9200/'],
  ['//h', 'http://h:9200/'],
  ['http://h:80', 'http://h/'],
  ['https://h:9200/prefix/', 'https://h:9200/prefix'],
  ['[::1]:9300', 'http://[::1]:9300/'],
  ['[::1]', 'http://[::1]:9200/'],
  ['https://h', 'https://h:9200/'],
]

for (const [form, url] of FORMS) test(`the host ${form} resolves to ${url}`, () => assert.equal(shown(form), url))

test('ssl_enabled selects the scheme where none is written', () => assert.equal(shown('h', true), 'https://h:9200/'))
test('a configured path becomes the prefix of all requests', () =>
  assert.equal(shown('h', undefined, 'es/'), 'http://h:9200/es'))

test('user and password are removed from the address', () => {
  const { bases, user, password } = parse('http://me:p%40ss@h:9200')
  assert.equal(user, 'me')
  assert.equal(password, 'p@ss')
  assert.equal(bases[0]!.href, 'http://h:9200/')
})

test('a cloud id resolves to its host', () => {
  const id = `staging:${Buffer.from('us-east-1.aws.found.io$abc$def').toString('base64')}`
  assert.equal(parseCloudId(id), 'https://abc.us-east-1.aws.found.io:443')
})

test('one text may contain several addresses', () => {
  const hosts = parse(' http://a:9200  http://b:9201\nhttp://c ').bases.map(({ host }) => host)
  assert.deepEqual(hosts, ['a:9200', 'b:9201', 'c:9200'])
})
