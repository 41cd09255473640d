import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
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
  'a node comes back as it was, with the same identity',
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
  'a folder is used by one node at a time',
  inFolder(async (folder) => {
    const node = await open(folder)
    await assert.rejects(open(folder), FolderLockedError)
    await node.close()
    await (await open(folder)).close()
  }),
)

test(
  'left-over folders of indices go, folders of other people stay',
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
  }),
)

test(
  'a damaged shard is marked and the node starts',
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
