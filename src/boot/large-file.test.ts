import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readLargeFile, release } from './large-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-large-file-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('files of every size are read completely', () => {
  for (const size of [0, 5, 200_000]) {
    const path = join(folder, String(size))
    writeFileSync(path, 'x'.repeat(size))
    assert.equal(readLargeFile(path).toString('latin1'), 'x'.repeat(size))
  }
  assert.throws(() => readLargeFile(join(folder, 'missing')), /ENOENT/)
})

test('released blocks of large files are freed, and others are left alone', () => {
  const path = join(folder, 'released')
  writeFileSync(path, 'x'.repeat(200_000))
  const large = readLargeFile(path)
  const small = Buffer.from('small')
  release(large, undefined, small)
  assert.equal(large.length, 0)
  assert.equal(small.toString(), 'small')
})
