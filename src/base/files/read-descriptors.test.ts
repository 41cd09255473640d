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

test('more files than may be open are read in turns, each with its own bytes', () => {
  const descriptors = new ReadDescriptors(3)
  const paths = files(8)
  for (let round = 0; round < 3; round++) {
    for (const [i, path] of paths.entries()) assert.equal(textOf(descriptors, path, 1, 11), String(i))
    assert.equal(descriptors.size, 3)
  }
  for (const path of paths) descriptors.forget(path)
  assert.equal(descriptors.size, 0)
})

test('a file that was replaced is read anew after it was forgotten', () => {
  const descriptors = new ReadDescriptors(3)
  const [path, other] = files(2) as [string, string]
  assert.equal(textOf(descriptors, path, 12), 'content of 0')
  renameSync(other, path)
  descriptors.forget(path)
  assert.equal(textOf(descriptors, path, 12), 'content of 1')
  descriptors.forget(path)
})

test('reading behind the end of a file names the file and the place', () => {
  const descriptors = new ReadDescriptors(3)
  const [path] = files(1) as [string]
  assert.throws(() => textOf(descriptors, path, 20), /file-0 ends at 12, wanted 20/)
  descriptors.forget(path)
})

test('shares of the descriptor limit stay within it and are never too few to work', () => {
  for (const limit of [64, 256, 1024, 20_000, Number.POSITIVE_INFINITY]) {
    for (const share of [readDescriptorsPerThread(limit), openLogsMax(limit)]) {
      assert.ok(share >= 16 && share <= 1024 && (limit < 1024 || share <= limit / 4), `${share} of ${limit}`)
    }
  }
})
