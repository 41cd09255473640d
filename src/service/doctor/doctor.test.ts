import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { WriteBuffer } from '../../engine/segment/buffer/write-buffer.ts'
import { sealSegment } from '../../engine/segment/segment-writer.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { Doctor } from './doctor.ts'
import type { Finding } from './finding.ts'

const root = mkdtempSync(join(tmpdir(), 'sandpiper-doctor-'))
const whole = join(root, 'whole')
let uuid: string
after(() => rmSync(root, { recursive: true }))

const WRITE = {
  routing: undefined,
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  refresh: 'false',
  retryOnConflict: 0,
  sourceFilter: undefined,
  pipeline: undefined,
  requireAlias: false,
  requireDataStream: false,
  activeShards: undefined,
} as const

const open = (dataFolder: string) => SandpiperNode.open({ dataFolder })

/** An index with documents in a segment (one of them deleted), and newer ones in the log. */
before(async () => {
  const node = await open(whole)
  await node.indices.create('books', parseIndexDefinition({}))
  uuid = node.state.index('books')!.uuid
  const put = (id: string, title: string) =>
    node.documents.write({
      ...WRITE,
      action: 'index',
      id,
      index: 'books',
      body: Buffer.from(JSON.stringify({ title })),
    } as never)
  for (const id of ['1', '2', '3']) await put(id, `old ${id}`)
  await node.operations.flush(['books'], {}, { force: false, waitIfOngoing: true } as never)
  await node.documents.write({ ...WRITE, action: 'delete', id: '1', index: 'books', body: Buffer.alloc(0) } as never)
  await put('2', 'new 2')
  await put('4', 'new 4')
  // The state after a kill: the newest documents are only in the log.
  cpSync(whole, join(root, 'killed'), { recursive: true })
  await node.close()
  rmSync(join(root, 'killed', 'node.lock'), { force: true })
  rmSync(join(root, 'killed', 'node.lock.held'), { force: true })
})

function damaged(change: (folder: string, shard: string) => void): string {
  const folder = mkdtempSync(join(root, 'damaged-'))
  cpSync(join(root, 'killed'), folder, { recursive: true })
  change(folder, join(folder, 'indices', uuid, '0'))
  return folder
}

function examine(folder: string): { findings: Finding[]; problems: Finding[]; documents: Map<string, string> } {
  const doctor = Doctor.open(folder)
  try {
    const before = snapshot(folder)
    const findings = [...doctor.examine()]
    const documents = new Map<string, string>()
    for (const shard of doctor.shards) {
      const counts = { documents: 0, unreadable: 0, damagedFiles: [], withoutCommitPoint: false }
      for (const { id, source } of doctor.documents(shard, counts)) {
        documents.set(id, JSON.parse(Buffer.from(source).toString()).title)
      }
    }
    assert.deepEqual(snapshot(folder), before, 'looking changes nothing')
    return { findings, problems: findings.filter(({ severity }) => severity === 'problem'), documents }
  } finally {
    doctor.close()
  }
}

function snapshot(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return names
    .filter(({ name }) => !name.startsWith('node.lock'))
    .map(
      ({ parentPath, name }) => `${join(parentPath, name)} ${readFileSync(join(parentPath, name)).toString('base64')}`,
    )
    .sort()
}

const ALL = new Map([
  ['2', 'new 2'],
  ['3', 'old 3'],
  ['4', 'new 4'],
])

const fileOf = (folder: string, pattern: RegExp) =>
  join(folder, readdirSync(folder).find((name) => pattern.test(name))!)

function flipBit(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at < 0 ? bytes.length + at : at]! ^= 1
  writeFileSync(path, bytes)
}

test('an intact folder has no problem, and all its documents can be exported', () => {
  const { problems, documents } = examine(damaged(() => undefined))
  assert.deepEqual(problems, [])
  assert.deepEqual(new Map([...documents].sort()), ALL)
})

test('a folder in use by a node is examined without locking it', async () => {
  const folder = damaged(() => undefined)
  const node = await open(folder)
  const doctor = Doctor.open(folder)
  assert.equal(doctor.isRunning, true)
  assert.deepEqual(
    [...doctor.examine()].filter(({ severity }) => severity === 'problem'),
    [],
  )
  doctor.close()
  await node.close()
})

const DAMAGES: Readonly<
  Record<string, { change: (folder: string, shard: string) => void; says: RegExp; left: string[] }>
> = {
  'a bit of a segment': {
    change: (_, shard) => flipBit(fileOf(shard, /^seg-/), 40),
    says: /\[books\]\[0\] section .* does not match its checksum/,
    left: ['2', '4'],
  },
  'the end of the log': {
    change: (_, shard) => flipBit(fileOf(shard, /^log-\d+$/), -2),
    says: /log-\d+ is damaged at byte \d+: .* bytes were synced/,
    left: ['2', '3'],
  },
  'the commit point': {
    change: (_, shard) => flipBit(fileOf(shard, /^commit-/), 30),
    says: /the commit point commit-1 is damaged/,
    left: ['2', '3', '4'],
  },
  'a removed segment': {
    change: (_, shard) => rmSync(fileOf(shard, /^seg-/)),
    says: /the segment is missing/,
    left: ['2', '4'],
  },
  'a removed shard': {
    change: (_, shard) => rmSync(shard, { recursive: true }),
    says: /the folder is missing/,
    left: [],
  },
  'the metadata': {
    change: (folder) => truncateSync(fileOf(join(folder, 'metadata'), /^checkpoint-/), 20),
    says: /metadata file checkpoint-\d+ is damaged/,
    left: ['2', '3', '4'],
  },
  'removed metadata': {
    change: (folder) => rmSync(join(folder, 'metadata'), { recursive: true }),
    says: /the folder is missing, and 1 folders of indices are there/,
    left: ['2', '3', '4'],
  },
}

for (const [what, { change, says, left }] of Object.entries(DAMAGES)) {
  test(`damage to ${what} is reported, and the remaining documents can be exported`, () => {
    const { problems, documents } = examine(damaged(change))
    assert.match(problems.map(({ text }) => text).join('\n'), says)
    assert.ok(problems.every(({ advice }) => advice !== undefined))
    const expected = left.map((id) => [id, ALL.get(id)!] as const)
    assert.deepEqual([...documents].filter(([id]) => left.includes(id)).sort(), expected)
    for (const [id, title] of documents) if (ALL.has(id)) assert.ok(title === ALL.get(id) || title === `old ${id}`, id)
  })
}

for (const [file, content, says] of [
  ['contexts/context-0123456789abcdef01234567', 'nothing', /the file of a point in time or scroll does not match its/],
  [
    'contexts/progress-0123456789abcdef01234567',
    'nothing',
    /context-0123456789abcdef01234567, the file of the scroll, is/,
  ],
  ['async-searches/search-0123456789012345678901', 'nothing', /the result of an asynchronous search does not match/],
  ['node.id', 'nothing', /the file is damaged/],
] as const) {
  test(`damage to ${file} is reported with its path`, () => {
    const { problems } = examine(
      damaged((folder) => {
        mkdirSync(join(folder, file, '..'), { recursive: true })
        writeFileSync(join(folder, file), content)
      }),
    )
    assert.deepEqual(
      problems.map(({ path }) => path),
      [file],
    )
    assert.match(problems[0]!.text, says)
  })
}

test('the file of another segment is reported', () => {
  const { problems } = examine(
    damaged((_, shard) => {
      const path = fileOf(shard, /^seg-/)
      const { chunks } = sealSegment(new WriteBuffer({ indexSort: [] }), { nestedPaths: [] })
      writeFileSync(path, Buffer.concat(chunks))
    }),
  )
  assert.match(problems.map(({ text }) => text).join('\n'), /\[books\]\[0\] the file is that of another segment/)
})

test('missing metadata of a node without indices is a problem', () => {
  const { problems } = examine(
    damaged((folder) => {
      rmSync(join(folder, 'metadata'), { recursive: true })
      rmSync(join(folder, 'indices'), { recursive: true })
    }),
  )
  assert.match(problems[0]!.text, /the folder is missing, and the file node\.id is there/)
})

test('a missing marker of a folder of an index is written anew', async () => {
  const folder = damaged((data) => rmSync(join(data, 'indices', uuid, '.sandpiper-index')))
  const doctor = Doctor.open(folder)
  const repairs = [...doctor.examine()].filter(({ repair }) => repair !== undefined)
  assert.equal(repairs.length, 1)
  await repairs[0]!.repair!()
  doctor.close()
  assert.deepEqual(examine(folder).problems, [])
})

test('a file that no node wrote is listed and left alone', () => {
  const { findings, problems } = examine(damaged((folder) => writeFileSync(join(folder, 'notes.txt'), 'mine')))
  assert.deepEqual(problems, [])
  assert.ok(findings.some(({ path, text }) => path === 'notes.txt' && /it is left alone/.test(text)))
})

for (const place of ['metadata', 'shard'] as const) {
  for (const how of ['missing', 'damaged'] as const) {
    test(`a synced length of a ${place} that is ${how} is rewritten, and the node starts`, async () => {
      const folder = damaged((data, shard) => {
        const path = join(place === 'metadata' ? join(data, 'metadata') : shard, 'log.synced')
        if (how === 'missing') rmSync(path)
        else writeFileSync(path, 'nothing')
      })
      const doctor = Doctor.open(folder)
      const repairs = [...doctor.examine()].filter(({ repair }) => repair !== undefined)
      assert.equal(repairs.length, 1)
      assert.match(await repairs[0]!.repair!(), /wrote the note anew/)
      doctor.close()
      assert.deepEqual(examine(folder).problems, [])
      const node = await open(folder)
      assert.equal(node.shards.usableKeys(node.state.index('books')!).length, 1)
      await node.close()
    })
  }
}

test('a folder that was moved aside is listed with the name of its index', () => {
  const folder = damaged((data) => {
    mkdirSync(join(data, 'unknown'))
    cpSync(join(data, 'indices', uuid), join(data, 'unknown', 'old'), { recursive: true })
    renameSync(join(data, 'unknown', 'old'), join(data, 'unknown', 'other'))
  })
  const { findings, problems } = examine(folder)
  assert.deepEqual(problems, [])
  assert.match(findings.map(({ text }) => text).join('\n'), /made as \[books\] and is not known to the metadata/)
})
