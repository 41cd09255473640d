import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { SandpiperNode } from '../sandpiper-node.ts'
import { parseCreateRequest, parseRestoreRequest } from './snapshot-requests.ts'

describe('a snapshot', () => {
  let folder: string
  let node: SandpiperNode

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandpiper-snapshots-'))
    node = await openNode('data')
    await node.snapshots.repositories.put('repo', { type: 'fs', settings: { location: 'r' } }, true)
  })

  afterEach(async () => {
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const openNode = (data: string) =>
    SandpiperNode.open({ dataFolder: join(folder, data), settings: { 'path.repo': [join(folder, 'repos')] } })

  async function index(name: string, ids: readonly number[]): Promise<void> {
    const lines = ids.flatMap((id) => [{ index: { _id: String(id) } }, { n: id, text: `document ${id}` }])
    const body = Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    await node.documents.bulk({
      body,
      defaultIndex: name,
      defaultRouting: undefined,
      defaultPipeline: undefined,
      requireAlias: false,
      requireDataStream: false,
      refresh: 'true',
      sourceFilter: undefined,
      startedAtMs: 0,
    })
  }

  async function create(name: string, body: Record<string, unknown> = {}) {
    const { done } = await node.snapshots.create('repo', name, parseCreateRequest(body))
    return await done
  }

  async function restore(name: string, body: Record<string, unknown> = {}) {
    const { done } = await node.restores.restore('repo', name, parseRestoreRequest(body))
    return await done
  }

  const read = (name: string, id: number) =>
    node.documents.read({
      index: name,
      id: String(id),
      routing: undefined,
      realtime: true,
      refresh: false,
      version: undefined,
      sourceFilter: undefined,
      storedFields: undefined,
      limits: undefined,
    })

  const blobs = () =>
    readdirSync(join(folder, 'repos', 'r'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    )

  test('holds the documents at its start, regardless of later writes and deletes', async () => {
    await index('a', [1, 2, 3])
    await create('one')
    await index('a', [4])
    await node.indices.delete(['a'], {})
    await restore('one')
    assert.equal(Buffer.from((await read('a', 2))!.source!).toString(), '{"n":2,"text":"document 2"}')
    assert.equal(await read('a', 4), undefined)
    const { maxSeqNo } = await node.host.stats({ indexUuid: node.state.index('a')!.uuid, shard: 0 })
    assert.equal(maxSeqNo, 2)
  })

  test('copies only segments that no earlier snapshot has', async () => {
    await index('a', [1, 2, 3])
    const first = await create('one')
    await index('a', [4])
    const second = await create('two')
    assert.equal(first.newFiles, 2)
    assert.equal(second.totalFiles, 3)
    assert.equal(second.newFiles, 2, 'the new segment and the commit point')
  })

  test('that is deleted removes only the content that no other snapshot uses', async () => {
    await index('a', [1])
    await create('one')
    const ofFirst = blobs()
    await index('a', [2])
    await create('two')
    writeFileSync(join(folder, 'repos', 'r', 'notes.txt'), 'mine')
    await node.snapshots.delete('repo', ['two'])
    assert.deepEqual(blobs().sort(), ofFirst.sort())
    await node.snapshots.delete('repo', ['one'])
    assert.deepEqual(blobs(), [])
    assert.equal(readFileSync(join(folder, 'repos', 'r', 'notes.txt'), 'utf8'), 'mine')
  })

  test('can be restored on another node under another name', async () => {
    await index('a', [1, 2])
    await create('one')
    await node.close()
    node = await openNode('other')
    await node.snapshots.repositories.put('repo', { type: 'fs', settings: { location: 'r' } }, true)
    await restore('one', { rename_pattern: '(.+)', rename_replacement: 'copy-$1' })
    assert.notEqual(await read('copy-a', 2), undefined)
    await node.close()
    node = await openNode('other')
    assert.notEqual(await read('copy-a', 1), undefined)
  })

  test('with a damaged blob is not restored and leaves no index', async () => {
    await index('a', [1, 2])
    await create('one')
    for (const name of blobs()) {
      const path = join(folder, 'repos', 'r', name)
      const bytes = readFileSync(path)
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(path, bytes)
    }
    await node.indices.delete(['a'], {})
    await assert.rejects(restore('one'), /is damaged: its content contradicts its name/)
    assert.equal(node.state.index('a'), undefined)
    assert.deepEqual(readdirSync(join(folder, 'data', 'restoring')), [])
  })

  test('whose list is damaged causes an error instead of an empty repository', async () => {
    await index('a', [1])
    await create('one')
    const path = join(folder, 'repos', 'r', 'index-1')
    const bytes = readFileSync(path)
    bytes[40]! ^= 1
    writeFileSync(path, bytes)
    await assert.rejects(node.snapshots.list('repo'), /index-1 of the repository is damaged/)
  })

  test('that is unfinished is cleaned up without affecting finished ones', async () => {
    await index('a', [1])
    await create('one')
    const blob = join(folder, 'repos', 'r', 'blobs', 'ab')
    mkdirSync(blob, { recursive: true })
    writeFileSync(join(blob, 'ab'.repeat(32)), 'left over')
    writeFileSync(join(folder, 'repos', 'r', 'tmp-00000000-0000-0000-0000-000000000000'), 'half')
    assert.deepEqual(await node.snapshots.cleanup('repo'), { bytes: 13, blobs: 2 })
    await node.indices.delete(['a'], {})
    await restore('one')
    assert.notEqual(await read('a', 1), undefined)
  })

  const repository = (...parts: string[]) => join(folder, 'repos', 'r', ...parts)

  test('whose newest list is missing causes an error, and a cleanup removes nothing', async () => {
    await index('a', [1])
    await create('one')
    await create('two')
    rmSync(repository('index-2'))
    await assert.rejects(node.snapshots.list('repo'), /index-2 of the repository is missing/)
    const before = readdirSync(repository(), { recursive: true }).sort()
    await assert.rejects(node.snapshots.cleanup('repo'), /index-2 of the repository is missing/)
    assert.deepEqual(readdirSync(repository(), { recursive: true }).sort(), before)
  })

  test('in a repository of an earlier version whose only list is missing is not removed by a cleanup', async () => {
    await index('a', [1])
    await create('one')
    for (const name of ['index-1', 'index.latest']) rmSync(repository(name))
    const before = blobs()
    await assert.rejects(node.snapshots.cleanup('repo'), /nothing was removed/)
    assert.deepEqual(blobs(), before)
  })

  test('whose manifest is that of another snapshot is not restored', async () => {
    await index('a', [1])
    await create('one')
    await index('a', [2])
    await create('two')
    const [one, two] = (await node.snapshots.list('repo')).map(({ uuid }) => repository(`snap-${uuid}`))
    writeFileSync(one!, readFileSync(two!))
    await node.indices.delete(['a'], {})
    await assert.rejects(restore('one'), /is damaged: it is snap-/)
  })

  test('whose list is an older one under a newer name causes an error', async () => {
    await index('a', [1])
    await create('one')
    await create('two')
    writeFileSync(repository('index-2'), readFileSync(repository('index-1')))
    await assert.rejects(node.snapshots.list('repo'), /index-2 of the repository is damaged: it is index-1/)
  })

  test('of a damaged segment fails instead of storing the damage', async () => {
    await index('a', [1, 2])
    const shard = join(folder, 'data', 'indices', node.state.index('a')!.uuid, '0')
    await node.operations.flush(['a'], {}, { force: false, waitIfOngoing: true } as never)
    const name = readdirSync(shard).find((file) => file.startsWith('seg-'))!
    const bytes = readFileSync(join(shard, name))
    bytes[17]! ^= 1
    writeFileSync(join(shard, name), bytes)
    const { state, failures } = await create('one')
    assert.equal(state, 'FAILED')
    assert.match(failures[0]!.reason, /segment \[seg-\d+\]: section .* does not match its checksum/)
  })

  test('of a closed index whose shard is missing fails instead of being empty', async () => {
    await index('a', [1, 2])
    await node.indices.close(['a'], {})
    rmSync(join(folder, 'data', 'indices', node.state.index('a')!.uuid, '0'), { recursive: true })
    const { state, failures } = await create('one')
    assert.equal(state, 'FAILED')
    assert.match(failures[0]!.reason, /log\.synced is missing: the folder of the shard is empty/)
  })

  test('replaces a blob that was damaged when it stores the same content again', async () => {
    await index('a', [1])
    await create('one')
    const sizes = blobs().map((name) => ({ path: repository(name), bytes: readFileSync(repository(name)) }))
    for (const { path, bytes } of sizes) {
      const damaged = Buffer.from(bytes)
      damaged[bytes.length >> 1]! ^= 1
      writeFileSync(path, damaged)
    }
    await node.snapshots.delete('repo', ['one']).catch(() => {})
    for (const { path, bytes } of sizes) writeFileSync(path, Buffer.alloc(bytes.length))
    await create('two')
    await node.indices.delete(['a'], {})
    await restore('two')
    assert.notEqual(await read('a', 1), undefined)
  })

  test('and what a restore copies are readable by their owner alone', async () => {
    await index('a', [1])
    await create('one')
    await node.indices.delete(['a'], {})
    await restore('one')
    const open = (root: string) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
        (name) => (statSync(join(root, name)).mode & 0o77) !== 0,
      )
    assert.deepEqual(open(repository()), [])
    assert.deepEqual(open(join(folder, 'data')), [])
    assert.equal(statSync(repository()).mode & 0o77, 0)
  })
})
