import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostNames } from './host-names.ts'

test('loopback names and addresses are accepted with any port', () => {
  const names = new HostNames()
  for (const host of [
    'localhost',
    'LOCALHOST:9200',
    'search.localhost',
    'localhost.:9200',
    '127.0.0.1',
    '127.0.0.1:9200',
    '192.168.1.7:9200',
    '[::1]',
    '[::1]:9200',
    '[fe80::1%eth0]:9200',
    '',
    undefined,
  ]) {
    assert.equal(names.has(host), true, String(host))
  }
})

test('a name that a foreign DNS server could point to this machine is rejected', () => {
  const names = new HostNames()
  for (const host of [
    'evil.example',
    'evil.example:9200',
    'localhost.evil.example',
    'notlocalhost',
    '127.0.0.1.evil.example',
    '1.2.3.4.5',
    '[::1].evil.example',
    'elasticsearch',
    'null',
  ]) {
    assert.equal(names.has(host), false, host)
  }
})

test('configured host names are accepted, and a leading star matches all names below', () => {
  const names = new HostNames(['Search.Example.org', '*.corp.example'])
  for (const host of ['search.example.org:9200', 'SEARCH.example.org.', 'a.corp.example', 'a.b.corp.example']) {
    assert.equal(names.has(host), true, host)
  }
  for (const host of ['example.org', 'x.search.example.org', 'corp.example', 'evilcorp.example']) {
    assert.equal(names.has(host), false, host)
  }
  assert.equal(new HostNames(['*']).has('anything.example'), true)
})
