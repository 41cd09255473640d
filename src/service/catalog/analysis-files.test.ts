import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { AnalysisRegistry } from '../../engine/analysis/registry/analysis-registry.ts'
import { printSettings } from '../settings/flat-settings.ts'
import { AnalysisFiles } from './analysis-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-config-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'stop.txt'), '# words\nthe\nof\n')
writeFileSync(join(folder, 'latin.txt'), Buffer.from([0x63, 0xe9]))

const settingsFor = (path: string) => ({
  'index.analysis.analyzer.a.type': 'standard',
  'index.analysis.analyzer.a.stopwords_path': path,
})

test('an analyzer uses the words of its file, and the settings do not show them', () => {
  const settings = new AnalysisFiles(folder).load(settingsFor('stop.txt'))
  const terms = AnalysisRegistry.fromSettings(settings).analyzer('a')!.tokens('the king of hearts')
  assert.deepEqual(
    terms.map(({ term }) => term),
    ['king', 'hearts'],
  )
  assert.deepEqual(printSettings(settings, true), settingsFor('stop.txt'))
})

test('a file that is unreadable or outside the config folder is rejected', () => {
  const refusal = (path: string, files = new AnalysisFiles(folder)) => {
    try {
      files.load(settingsFor(path))
    } catch (error) {
      if (error instanceof ApiError) return error.message
      throw error
    }
    return undefined
  }
  assert.equal(refusal('none.txt'), `IOException while reading stopwords_path: ${join(folder, 'none.txt')}`)
  assert.match(refusal('../etc/passwd')!, /^Access denied trying to read file stopwords_path: /)
  assert.match(refusal('/etc/passwd')!, /^Access denied/)
  assert.match(refusal('latin.txt')!, /files must be UTF-8 encoded$/)
  assert.equal(refusal('stop.txt', new AnalysisFiles(undefined)), 'IOException while reading stopwords_path: stop.txt')
})
