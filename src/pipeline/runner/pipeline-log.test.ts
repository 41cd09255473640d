import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPipelineLog, withoutPasswords } from './pipeline-log.ts'

test('the password of an address is masked in a log line, and other text is unchanged', () => {
  assert.equal(
    withoutPasswords('Cannot read from https://ann:s3cret@host:9200/a?b=c: refused'),
    'Cannot read from https://ann:<password>@host:9200/a?b=c: refused',
  )
  for (const line of ['at 12:30 a@b.c', 'http://host:9200/path@x', 'https://ann@host/']) {
    assert.equal(withoutPasswords(line), line)
  }
})

test('the log file is readable by its owner alone', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'sandpiper-log-'))
  const mask = process.umask(0)
  t.after(() => {
    process.umask(mask)
    rmSync(root, { recursive: true })
  })
  const folder = join(root, 'logs')
  createPipelineLog({ level: 'info', format: 'plain', folder }).info('hello')
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, 'logstash-plain.log')).mode & 0o777, 0o600)
})
