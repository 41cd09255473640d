import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutPasswords } from './pipeline-log.ts'

test('the password of an address is masked in a log line, and other text is unchanged', () => {
  assert.equal(
    withoutPasswords('Cannot read from https://ann:s3cret@host:9200/a?b=c: refused'),
    'Cannot read from https://ann:<password>@host:9200/a?b=c: refused',
  )
  for (const line of ['at 12:30 a@b.c', 'http://host:9200/path@x', 'https://ann@host/']) {
    assert.equal(withoutPasswords(line), line)
  }
})
