import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Arena } from '../../memory/arena.ts'
import { WriteBuffer } from '../buffer/write-buffer.ts'
import { mergeSegments } from '../merge/segment-merger.ts'
import { CorruptSegmentError } from '../segment-file.ts'
import { addPlain, memoryFile, NESTED_PATHS } from '../segment-fixture.ts'
import { openSegment } from '../segment-reader.ts'
import { sealSegment } from '../segment-writer.ts'

const DOCS = 6000
const context = { nestedPaths: NESTED_PATHS }

/** Larger than a file that is loaded, and verified, as a whole. */
function largeSegment(): Buffer {
  const buffer = new WriteBuffer({ indexSort: [] })
  for (let i = 0; i < DOCS; i++) addPlain(buffer, { id: `d${i}`, tag: [`${Math.sin(i)}`.repeat(4)] }, i)
  return memoryFile('whole', sealSegment(buffer, context).chunks).bytes
}

const open = (bytes: Buffer) => openSegment(memoryFile('seg-1', [bytes]), Arena.create(64 << 20))

function sources(bytes: Buffer): string[] {
  const reader = open(bytes)
  return Array.from({ length: DOCS }, (_, doc) => Buffer.from(reader.source(doc)!).toString())
}

// Goal: a changed letter of a document is not returned, although it decompresses. Method: flip bits all over the blocks.
test('a flipped bit in the stored documents of a large segment is reported with its segment, never returned', () => {
  const whole = largeSegment()
  assert.ok(whole.length > 512 * 1024)
  const expected = sources(whole)
  const [, offset, length] = open(whole).directory.sections.find(([name]) => name === 's.data')!
  for (let at = offset; at < offset + length; at += Math.floor(length / 40)) {
    const damaged = Buffer.from(whole)
    damaged[at]! ^= 0x02
    assert.throws(() => assert.deepEqual(sources(damaged), expected), CorruptSegmentError, `byte ${at}`)
  }
})

test('a block is compared with its checksum again when its segment is opened again, not by another reader of it', () => {
  const whole = largeSegment()
  const [, offset, length] = open(whole).directory.sections.find(([name]) => name === 's.data')!
  const arena = Arena.create(64 << 20)
  const file = memoryFile('seg-1', [whole])
  const opened = openSegment(file, arena)
  const readAll = (reader = opened) => Array.from({ length: DOCS }, (_, doc) => reader.source(doc))
  readAll()
  file.bytes[offset + (length >> 1)]! ^= 0x02
  readAll(openSegment(file, arena, opened.loader.tableAddress))
  opened.loader.free()
  assert.throws(() => readAll(openSegment(file, arena)), CorruptSegmentError)
})

for (const sums of ['with', 'without'] as const) {
  test(`a merge does not copy damaged documents of a segment ${sums} checksums of blocks`, () => {
    const whole = largeSegment()
    const [, offset, length] = open(whole).directory.sections.find(([name]) => name === 's.data')!
    const damaged = Buffer.from(whole)
    damaged[offset + (length >> 1)]! ^= 0x02
    const reader = open(damaged)
    // A segment of an earlier version has none.
    if (sums === 'without') reader.loader.has = (name) => name !== 's.sums'
    assert.throws(() => mergeSegments([{ reader, kept: undefined }], context), CorruptSegmentError)
  })
}
