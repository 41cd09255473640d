import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pluginReference } from '../../src/pipeline/registry/reference.ts'

test('the plugin reference in the manual lists exactly the options of the plugins', async () => {
  const page = readFileSync(new URL('../../docs/manual/plugins.md', import.meta.url), 'utf8')
  assert.equal(page, await pluginReference(), 'node --import tsx scripts/plugin-reference.mjs writes the page anew')
})
