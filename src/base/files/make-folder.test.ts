import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from './make-folder.ts'

test('a folder is created with its parents, and a folder that exists is left as it is', () => {
  const root = mkdtempSync(join(tmpdir(), 'sandpiper-folder-'))
  try {
    assert.equal(makeFolder(join(root, 'a', 'b'), 0o700), true)
    assert.equal(statSync(join(root, 'a', 'b')).isDirectory(), true)
    assert.equal(makeFolder(join(root, 'a', 'b'), 0o700), false)
    writeFileSync(join(root, 'file'), '')
    assert.throws(() => makeFolder(join(root, 'file'), 0o700), /EEXIST/)
    assert.throws(() => makeFolder(join(root, 'file', 'a'), 0o700), /ENOTDIR|EEXIST/)
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('a file system that refuses new folders is an error', { skip: !existsSync('/proc/self') }, () => {
  assert.throws(() => makeFolder('/proc/sandpiper/data', 0o700), /ENOENT|EACCES|EPERM/)
})
