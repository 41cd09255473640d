import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Keystore } from './keystore.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-keystore-'))
const path = join(folder, 'sandpiper.keystore')
const PASSWORD = 'a-password'

after(() => rmSync(folder, { recursive: true, force: true }))

test('a keystore returns its secrets with the right password, and its file shows neither names nor values', () => {
  const keystore = Keystore.create(path, PASSWORD)
  keystore.set('ES_PWD', 'very-secret')
  keystore.set('other.name', 'x')
  const opened = Keystore.open(path, PASSWORD)
  assert.deepEqual(opened.names, ['ES_PWD', 'other.name'])
  assert.deepEqual(opened.secrets, { ES_PWD: 'very-secret', 'other.name': 'x' })
  assert.doesNotMatch(readFileSync(path, 'utf8'), /ES_PWD|very-secret|other\.name/)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a removed secret is gone, and removing a missing one returns false', () => {
  const keystore = Keystore.open(path, PASSWORD)
  assert.equal(keystore.remove('other.name'), true)
  assert.equal(keystore.remove('other.name'), false)
  assert.deepEqual(Keystore.open(path, PASSWORD).names, ['ES_PWD'])
})

test('a wrong password, a changed file and a missing file are errors that name the file', () => {
  assert.throws(
    () => Keystore.open(path, 'wrong'),
    /the password of .*sandpiper\.keystore is wrong, or the file is damaged/,
  )
  assert.throws(() => Keystore.open(join(folder, 'none'), PASSWORD), /there is no keystore at/)
  const stored = JSON.parse(readFileSync(path, 'utf8'))
  const changed = join(folder, 'changed')
  const data = Buffer.from(stored.data, 'base64')
  data[0]! ^= 1
  writeFileSync(changed, JSON.stringify({ ...stored, data: data.toString('base64') }))
  assert.throws(() => Keystore.open(changed, PASSWORD), /is wrong, or the file is damaged/)
})

test('an existing keystore is not overwritten, and invalid names and empty values are rejected', () => {
  assert.throws(() => Keystore.create(path, PASSWORD), /exists already/)
  const keystore = Keystore.open(path, PASSWORD)
  assert.throws(() => keystore.set('a b', 'x'), /cannot be a name/)
  assert.throws(() => keystore.set('NAME', ''), /must not be empty/)
})
