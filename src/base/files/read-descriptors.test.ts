import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openLogsMax, readDescriptorsPerThread } from './descriptor-limit.ts'
import { ReadDescriptors } from './read-descriptors.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-descriptors-'))
after(() => rmSync(folder, { recursive: true }))

function files(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const path = join(folder, `file-${i}`)
    writeFileSync(path, `content of ${i}`)
    return path
  })
}

const textOf = (descriptors: ReadDescriptors, path: string, length: number, offset = 0) => {
  const target = Buffer.alloc(length)
  descriptors.read(path, offset, target)
  return target.toString()
}

test('more files than may be open are read in turn, each with its own bytes', () => {
  const descriptors = new ReadDescriptors(3)
  const paths = files(8)
  for (let round = 0; round < 3; round++) {
    for (const [i, path] of paths.entries()) assert.equal(textOf(descriptors, path, 1, 11), String(i))
    assert.equal(descriptors.size, 3)
  }
  for (const path of paths) descriptors.forget(path)
  assert.equal(descriptors.size, 0)
})

test('a replaced file is read again after forget', () => {
  const descriptors = new ReadDescriptors(3)
  const [path, other] = files(2) as [string, string]
  assert.equal(textOf(descriptors, path, 12), 'content of 0')
  renameSync(other, path)
  descriptors.forget(path)
  assert.equal(textOf(descriptors, path, 12), 'content of 1')
  descriptors.forget(path)
})

test('reading beyond the end of a file throws an error with the file and the position', () => {
  const descriptors = new ReadDescriptors(3)
  const [path] = files(1) as [string]
  assert.throws(() => textOf(descriptors, path, 20), /file-0 ends at 12, wanted 20/)
  descriptors.forget(path)
})

test('the shares of the descriptor limit stay within the limit and have a minimum', () => {
  for (const limit of [64, 256, 1024, 20_000, Number.POSITIVE_INFINITY]) {
    for (const share of [readDescriptorsPerThread(limit), openLogsMax(limit)]) {
      assert.ok(share >= 16 && share <= 1024 && (limit < 1024 || share <= limit / 4), `${share} of ${limit}`)
    }
  }
})
