import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { expandGlob, nameMatcher } from './glob.ts'

let root: string
before(() => {
  root = mkdtempSync(join(tmpdir(), 'sandpiper-glob-'))
  for (const name of [
    'a.log',
    'b.log',
    'b.txt',
    '.hidden.log',
    'sub/c.log',
    'sub/deep/d.log',
    'sub2/e.log',
    '[x].log',
  ]) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), '')
  }
})
after(() => rmSync(root, { recursive: true }))

function found(pattern: string): string[] {
  return expandGlob(join(root, pattern))
    .map((path) => path.slice(root.length + 1))
    .sort()
}

const CASES: readonly [string, readonly string[]][] = [
  ['a.log', ['a.log']],
  ['missing.log', []],
  ['sub', []],
  ['*.log', ['[x].log', 'a.log', 'b.log']],
  ['.*.log', ['.hidden.log']],
  ['?.log', ['a.log', 'b.log']],
  ['[ab].*', ['a.log', 'b.log', 'b.txt']],
  ['[!a].log', ['b.log']],
  ['{a,b}.{log,txt}', ['a.log', 'b.log', 'b.txt']],
  ['{a,s{ub,ub2}/*}.log', ['a.log', 'sub/c.log', 'sub2/e.log']],
  ['sub*/*.log', ['sub/c.log', 'sub2/e.log']],
  ['**/*.log', ['[x].log', 'a.log', 'b.log', 'sub/c.log', 'sub/deep/d.log', 'sub2/e.log']],
  ['sub/**/d.log', ['sub/deep/d.log']],
  ['sub/**', ['sub/c.log', 'sub/deep/d.log']],
]

for (const [pattern, names] of CASES) {
  test(`the pattern ${pattern} matches ${names.join(', ') || 'nothing'}`, () => assert.deepEqual(found(pattern), names))
}

test('nameMatcher compares file names without their folders', () => {
  const isExcluded = nameMatcher('*.{gz,zip}')
  assert.ok(isExcluded('a.gz'))
  assert.ok(!isExcluded('a.log'))
})
