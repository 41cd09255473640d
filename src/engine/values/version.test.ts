import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeVersion, encodeVersion } from './version.ts'

test('version terms sort like versions', () => {
  const inOrder = [
    '0.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.2',
    '1.10',
    '2.1.0',
    '10.0',
    'latest',
  ]
  const sorted = [...inOrder].sort((a, b) => Buffer.compare(encodeVersion(a), encodeVersion(b)))
  assert.deepEqual(sorted, inOrder)
})

test('a version term decodes to its original text', () => {
  for (const text of ['1.2.3', '1.0.0-rc.1+build.5', '01.2', '', 'é', '1.2.3-']) {
    assert.equal(decodeVersion(encodeVersion(text)), text)
  }
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-z.+-]{0,12}$/), (text) => decodeVersion(encodeVersion(text)) === text),
  )
})
