import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { refuseForeignFolder, standardPipelineFolder } from './data-folder.ts'

const work = mkdtempSync(join(tmpdir(), 'sandpiper-folders-'))
const before = process.cwd()
after(() => {
  process.chdir(before)
  rmSync(work, { recursive: true, force: true })
})

function folderWith(name: string, ...parts: readonly string[]): string {
  const path = join(work, name)
  for (const part of ['', ...parts]) mkdirSync(join(path, part), { recursive: true })
  return path
}

test('service and pipeline tool refuse data of each other and of Elasticsearch, and take new, own and mixed folders', () => {
  const node = folderWith('node', 'metadata')
  const pipeline = folderWith('pipeline', 'plugins')
  const elasticsearch = folderWith('elasticsearch', '_state', 'indices')
  const mixed = folderWith('mixed', 'metadata', 'plugins')
  for (const folder of [node, mixed, folderWith('new'), join(work, 'absent')])
    refuseForeignFolder(folder, 'node', '--data')
  for (const folder of [pipeline, mixed, folderWith('new')]) refuseForeignFolder(folder, 'pipeline', '--path.data')
  assert.throws(
    () => refuseForeignFolder(pipeline, 'node', '--data'),
    /has data of the pipeline tool; choose .* --data$/,
  )
  assert.throws(() => refuseForeignFolder(node, 'pipeline', '--path.data'), /has data of the search service/)
  assert.throws(() => refuseForeignFolder(elasticsearch, 'node', '--data'), /has data of Elasticsearch/)
})

test('the pipeline tool keeps its data in pipeline-data, or in data where it has worked there', () => {
  process.chdir(folderWith('fresh'))
  assert.equal(standardPipelineFolder(), 'pipeline-data')
  process.chdir(folderWith('beside-a-node', 'data/metadata'))
  assert.equal(standardPipelineFolder(), 'pipeline-data')
  process.chdir(folderWith('moved', 'data/plugins'))
  assert.equal(standardPipelineFolder(), 'data')
})
