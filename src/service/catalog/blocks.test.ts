import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexMetadata } from '../metadata/metadata.ts'
import { type BlockedAction, checkBlocks, liftsBlock } from './blocks.ts'

const ACTIONS: readonly BlockedAction[] = ['read', 'write', 'metadataRead', 'metadataWrite', 'delete']

const blocked = (name: string, ...blocks: string[]) =>
  ({ name, settings: Object.fromEntries(blocks.map((block) => [`index.blocks.${block}`, 'true'])) }) as IndexMetadata

test('each block rejects its actions and no others', () => {
  const rejected: Record<string, BlockedAction[]> = {
    read_only: ['write', 'metadataWrite', 'delete'],
    read: ['read'],
    write: ['write'],
    metadata: ['metadataRead', 'metadataWrite', 'delete'],
    read_only_allow_delete: ['write', 'metadataWrite'],
  }
  for (const [block, expected] of Object.entries(rejected)) {
    const failing = ACTIONS.filter((action) => {
      try {
        checkBlocks([blocked('i', block)], action)
        return false
      } catch {
        return true
      }
    })
    assert.deepEqual(failing, expected, block)
  }
})

test('the error lists all blocks of all indices, and is retryable only if every block is', () => {
  const full = blocked('full', 'read_only_allow_delete')
  assert.throws(() => checkBlocks([blocked('open'), full], 'write'), { status: 429, type: 'cluster_block_exception' })
  assert.throws(() => checkBlocks([full, blocked('both', 'write', 'read_only')], 'write'), {
    status: 403,
    message:
      /^index \[full\] blocked by: \[TOO_MANY_REQUESTS\/12\/.*\];index \[both\] blocked by: \[FORBIDDEN\/5\/index read-only \(api\), FORBIDDEN\/8\/index write \(api\)\];$/,
  })
})

test('an update may remove a block that rejects changes of settings', () => {
  assert.equal(liftsBlock(['index.blocks.read_only', 'index.refresh_interval']), true)
  assert.equal(liftsBlock(['index.blocks.read_only_allow_delete']), true)
  assert.equal(liftsBlock(['index.blocks.metadata']), true)
  assert.equal(liftsBlock(['index.blocks.metadata', 'index.refresh_interval']), false)
  assert.equal(liftsBlock(['index.blocks.write']), false)
})
