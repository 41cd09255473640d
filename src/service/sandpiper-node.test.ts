import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FolderLockedError } from '../base/files/folder-lock.ts'
import { parseIndexDefinition } from './definitions/create-index-request.ts'
import { SandpiperNode } from './sandpiper-node.ts'

function inFolder(work: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-node-'))
    try {
      await work(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

const open = (dataFolder: string) => SandpiperNode.open({ dataFolder })
const create = (node: SandpiperNode, name: string) => node.indices.create(name, parseIndexDefinition({}))

test(
  'a restarted node has the same contents and identity',
  inFolder(async (folder) => {
    const first = await open(folder)
    const { id, clusterUuid } = first
    await create(first, 'books')
    await create(first, 'gone')
    await first.indices.delete(['gone'], {})
    await first.close()

    const second = await open(folder)
    assert.deepEqual([second.id, second.clusterUuid], [id, clusterUuid])
    assert.deepEqual([...second.state.indices.keys()], ['books'])
    assert.deepEqual(await second.operations.refresh([], {}), { _shards: { total: 2, successful: 1, failed: 0 } })
    await second.close()
  }),
)

test(
  'a data folder is used by one node at a time',
  inFolder(async (folder) => {
    const node = await open(folder)
    await assert.rejects(open(folder), FolderLockedError)
    await node.close()
    await (await open(folder)).close()
  }),
)

test(
  'folders of unknown indices are moved aside, and foreign folders stay',
  inFolder(async (folder) => {
    const node = await open(folder)
    await create(node, 'books')
    await node.close()
    const indices = join(folder, 'indices')
    const [known] = readdirSync(indices)
    mkdirSync(join(indices, 'left-over'))
    writeFileSync(join(indices, 'left-over', '.sandpiper-index'), 'x\n')
    mkdirSync(join(indices, 'holiday-pictures'))

    await (await open(folder)).close()
    assert.deepEqual(readdirSync(indices).sort(), [known, 'holiday-pictures'].sort())
    assert.deepEqual(readdirSync(join(folder, 'unknown')), ['left-over'])
  }),
)

// Goal: no damage to the metadata makes a node forget its indices. Each of these cases once removed the folders of all
// indices.
const LOSSES: Readonly<Record<string, (metadata: string) => void>> = {
  'the last byte of the log is missing': (metadata) => {
    const log = join(metadata, logOf(metadata))
    truncateSync(log, statSync(log).size - 1)
  },
  'a bit of the last record is flipped': (metadata) => {
    const log = join(metadata, logOf(metadata))
    const bytes = readFileSync(log)
    bytes[bytes.length - 2]! ^= 1
    writeFileSync(log, bytes)
  },
  'the log is missing': (metadata) => rmSync(join(metadata, logOf(metadata))),
  'the checkpoint is missing': (metadata) => {
    for (const name of readdirSync(metadata)) if (name.startsWith('checkpoint')) rmSync(join(metadata, name))
  },
  'the folder is missing': (metadata) => rmSync(metadata, { recursive: true }),
}
const logOf = (metadata: string) => readdirSync(metadata).find((name) => /^log-\d+$/.test(name))!

for (const [loss, damage] of Object.entries(LOSSES)) {
  test(
    `a node does not start, and keeps its indices, when of its metadata ${loss}`,
    inFolder(async (folder) => {
      const node = await open(folder)
      await create(node, 'kept')
      await node.documents.write({ ...WRITE, index: 'kept', body: Buffer.from('{"a":1}') })
      await node.close()
      const metadata = join(folder, 'metadata')
      const backup = join(folder, 'backup')
      cpSync(metadata, backup, { recursive: true })
      damage(metadata)
      const before = readdirSync(folder, { recursive: true }).sort()
      await assert.rejects(open(folder), /Nothing was changed. Run sandpiper doctor/)
      await assert.rejects(open(folder), /Nothing was changed. Run sandpiper doctor/)
      const after = readdirSync(folder, { recursive: true }).sort()
      assert.deepEqual(
        after.filter((name) => name !== 'metadata'),
        before.filter((name) => name !== 'metadata'),
      )

      rmSync(metadata, { recursive: true })
      renameSync(backup, metadata)
      const again = await open(folder)
      assert.equal(again.shards.usableKeys(again.state.index('kept')!).length, 1)
      await again.close()
    }),
  )
}

test(
  'an index whose folder is missing is marked as failed and not recreated empty',
  inFolder(async (folder) => {
    const node = await open(folder)
    await create(node, 'gone')
    const { uuid } = node.state.index('gone')!
    await node.close()
    rmSync(join(folder, 'indices', uuid), { recursive: true })
    const again = await open(folder)
    assert.equal(again.shards.usableKeys(again.state.index('gone')!).length, 0)
    assert.match(
      again.shards.failure({ indexUuid: uuid, shard: 0 })!,
      /log.synced is missing: the folder of the shard is empty/,
    )
    await again.close()
  }),
)

test(
  'a node whose folder was taken over acknowledges nothing more and leaves the files to the new owner',
  inFolder(async (folder) => {
    const node = await open(folder)
    await create(node, 'mine')
    const write = (id: string) => node.documents.write({ ...WRITE, id, index: 'mine', body: Buffer.from('{"a":1}') })
    await write('1')
    const path = join(folder, 'node.lock')
    writeFileSync(`${path}.new`, JSON.stringify({ pid: 1, started: 'x', token: 'other', namespace: 'another machine' }))
    renameSync(`${path}.new`, path)
    await assert.rejects(write('2'), /another process has taken over the data folder/)
    await assert.rejects(write('3'), /another process has taken over the data folder/)
    await assert.rejects(create(node, 'more'), /another process has taken over the data folder/)
    await node.close()
  }),
)

test(
  'files and folders of a node are readable by its user only',
  inFolder(async (folder) => {
    const node = await open(folder)
    await create(node, 'private')
    await node.documents.write({ ...WRITE, index: 'private', body: Buffer.from('{"a":1}') })
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const found = statSync(join(folder, name))
      assert.equal(found.mode & 0o777, found.isDirectory() ? 0o700 : 0o600, name)
    }
    await node.close()
  }),
)

test(
  'a damaged shard is marked as failed, and the node starts',
  inFolder(async (folder) => {
    const node = await open(folder)
    await create(node, 'broken')
    await create(node, 'whole')
    const { uuid } = node.state.index('broken')!
    await node.documents.write({ ...WRITE, index: 'broken', body: Buffer.from('{"a":1}') })
    await node.close()
    const shard = join(folder, 'indices', uuid, '0')
    for (const name of readdirSync(shard)) if (name.startsWith('commit')) truncateSync(join(shard, name), 10)

    const again = await open(folder)
    assert(existsSync(shard))
    const broken = again.state.index('broken')!
    assert.equal(again.shards.usableKeys(broken).length, 0)
    assert.equal(again.shards.usableKeys(again.state.index('whole')!).length, 1)
    assert.match(again.shards.failure({ indexUuid: uuid, shard: 0 }) ?? '', /./)
    await again.indices.delete(['broken'], {})
    assert(!existsSync(shard))
    await again.close()
  }),
)

const WRITE = {
  action: 'index',
  id: '1',
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
