import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SandpiperNode } from '../sandpiper-node.ts'
import { MissingMetadataError, NODE_FILE } from './node-file.ts'

const root = mkdtempSync(join(tmpdir(), 'sandpiper-node-file-'))
after(() => rmSync(root, { recursive: true }))

const open = (name: string) => SandpiperNode.open({ dataFolder: join(root, name) })

/** A node that has metadata and no index. */
async function used(name: string): Promise<string> {
  const node = await open(name)
  await node.metadata.update(() => [
    { section: 'lifecyclePolicies', name: 'p', value: { version: 1, modifiedMs: 0, policy: {} } },
  ])
  await node.close()
  return join(root, name)
}

for (const [what, remove] of [
  ['the folder of the metadata', (folder: string) => rmSync(join(folder, 'metadata'), { recursive: true })],
  [
    'all files of the metadata',
    (folder: string) => {
      for (const name of readdirSync(join(folder, 'metadata'))) rmSync(join(folder, 'metadata', name))
    },
  ],
] as const) {
  test(`a node without indices does not start without ${what}, and changes nothing`, async () => {
    const folder = await used(what)
    remove(folder)
    await assert.rejects(open(what), (error: Error) => {
      assert.ok(error instanceof MissingMetadataError)
      assert.match(error.message, /has the file node\.id of a node, but its metadata is missing/)
      return true
    })
    assert.ok(readdirSync(folder).includes(NODE_FILE))
  })
}

test('a node does not start with the metadata of another node', async () => {
  const [one, two] = [await used('one'), await used('two')]
  rmSync(join(one, 'metadata'), { recursive: true })
  cpSync(join(two, 'metadata'), join(one, 'metadata'), { recursive: true })
  await assert.rejects(open('one'), /node\.id of the node \[.+\], but its metadata is that of \[.+\]/)
})

for (const how of ['missing', 'damaged']) {
  test(`a file ${NODE_FILE} that is ${how} is written anew`, async () => {
    const folder = await used(how)
    if (how === 'missing') rmSync(join(folder, NODE_FILE))
    else writeFileSync(join(folder, NODE_FILE), 'nothing')
    await (await open(how)).close()
    rmSync(join(folder, 'metadata'), { recursive: true })
    await assert.rejects(open(how), MissingMetadataError)
  })
}
