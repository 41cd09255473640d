import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Script } from 'node:vm'
import { cacheFolder, cacheName, hasGrown, readCode, writeCode } from './code-cache.ts'

const work = mkdtempSync(join(tmpdir(), 'sandpiper-code-'))
after(() => rmSync(work, { recursive: true, force: true }))

const TEXT = '(function(){return 42})'

function written(name: string): string {
  const folder = join(work, name)
  const script = new Script(TEXT)
  ;(script.runInThisContext() as () => number)()
  writeCode(folder, 'a.code', script)
  return folder
}

test('code that was written is accepted by V8 at the next start', () => {
  const cachedData = readCode(written('accepted'), 'a.code')?.code
  assert.ok(cachedData !== undefined)
  const script = new Script(TEXT, { cachedData })
  assert.equal(script.cachedDataRejected, false)
  assert.equal((script.runInThisContext() as () => number)(), 42)
})

test('code is stored again once the thread has compiled more functions', () => {
  const stored = readCode(written('grown'), 'a.code')!
  assert.equal(hasGrown(stored), false)
  const functions = Array.from(
    { length: 2000 },
    (_, i) => `(function(a,b){let c=a*${i}+b;return [c,c+1,c+2].map(String).join()})(1,2)`,
  )
  new Script(functions.join(';')).runInThisContext()
  assert.equal(hasGrown(stored), true)
})

test('a damaged or shortened file is not used', () => {
  const folder = written('damaged')
  const path = join(folder, 'a.code')
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(path, bytes)
  assert.equal(readCode(folder, 'a.code'), undefined)
  writeFileSync(path, bytes.subarray(0, 7))
  assert.equal(readCode(folder, 'a.code'), undefined)
  assert.equal(readCode(folder, 'absent.code'), undefined)
})

test('only the user can read the folder and the file', { skip: process.platform === 'win32' }, () => {
  const folder = written('private')
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, 'a.code')).mode & 0o777, 0o600)
})

test('code that other users could have written is not used', { skip: process.platform === 'win32' }, () => {
  const folder = written('shared')
  chmodSync(join(folder, 'a.code'), 0o620)
  assert.equal(readCode(folder, 'a.code'), undefined)
  chmodSync(join(folder, 'a.code'), 0o600)
  assert.notEqual(readCode(folder, 'a.code'), undefined)
})

test('writing removes code that is older than a month and leaves other files alone', () => {
  const folder = written('old')
  const longAgo = new Date(Date.now() - 40 * 24 * 3600 * 1000)
  for (const name of ['old.code', 'notes.txt']) {
    writeFileSync(join(folder, name), '')
    utimesSync(join(folder, name), longAgo, longAgo)
  }
  writeCode(folder, 'b.code', new Script(TEXT))
  assert.deepEqual(readdirSync(folder).sort(), ['a.code', 'b.code', 'notes.txt'])
})

test('a folder that cannot be written is no error', () => {
  const file = join(work, 'file')
  writeFileSync(file, '')
  writeCode(join(file, 'below'), 'a.code', new Script(TEXT))
})

test('the cache is in a folder of the user, or nowhere', () => {
  assert.equal(cacheFolder({ HOME: '/home/ada' }), join('/home/ada', '.cache', 'sandpiper'))
  assert.equal(cacheFolder({ HOME: '/home/ada', XDG_CACHE_HOME: '/caches' }), join('/caches', 'sandpiper'))
  assert.equal(cacheFolder({}), undefined)
})

test('threads, contents of packs and installations have different files', () => {
  const names = [
    cacheName('service', 'aa', 'main', '/a/service.pack.js'),
    cacheName('service', 'bb', 'main', '/a/service.pack.js'),
    cacheName('service', 'aa', 'writer', '/a/service.pack.js'),
    cacheName('service', 'aa', 'main', '/b/service.pack.js'),
  ]
  assert.equal(new Set(names).size, 4)
})
