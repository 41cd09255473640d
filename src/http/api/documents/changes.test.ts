import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

let search: TestSearch
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-changes-'))
  search = await startSearch({ dataFolder: folder, listen: false })
})

after(async () => {
  await search.stop()
  rmSync(folder, { recursive: true })
})

interface Changes {
  readonly next: number[]
  readonly max_seq_no: number[]
  readonly changes: { op: string; _id: string; _version: number; _routing?: string; _source?: unknown }[]
}

const changes = async (index: string, parameters: string) =>
  (await search.request('GET', `/${index}/_sandpiper/changes?${parameters}`)).body as unknown as Changes

test('changes since a lease list documents and deletes of all shards, page by page', async () => {
  await search.request('PUT', '/books', { settings: { number_of_shards: 2 } })
  await search.request('PUT', '/books/_doc/old', { n: 0 })
  const leased = await changes('books', 'lease=copy&keep_alive=1m')
  assert.deepEqual(leased.changes, [])
  for (let n = 0; n < 6; n++) await search.request('PUT', `/books/_doc/${n}?routing=r${n}`, `{"n":${n}.0}`)
  await search.request('DELETE', '/books/_doc/3?routing=r3')
  await search.request('POST', '/books/_flush?force=true')
  const raw = await search.request('GET', `/books/_sandpiper/changes?from=${leased.next.join(',')}`)
  assert.match(raw.text, /"_source":\{"n":1\.0\}/)
  const found: string[] = []
  let { next } = leased
  for (;;) {
    const page = await changes('books', `from=${next.join(',')}&size=2&lease=copy&keep_alive=1m`)
    for (const { op, _id, _version, _routing } of page.changes) found.push(`${op} ${_id} ${_version} ${_routing}`)
    if (page.changes.length === 0) break
    next = page.next
  }
  const expected = [0, 1, 2, 3, 4, 5].map((n) => `index ${n} 1 r${n}`)
  assert.deepEqual(found.sort(), ['delete 3 2 r3', ...expected])
})

test('a released lease answers 404 when it is released again', async () => {
  await changes('books', 'lease=other')
  assert.equal((await search.request('DELETE', '/books/_sandpiper/changes?lease=other')).status, 200)
  assert.equal((await search.request('DELETE', '/books/_sandpiper/changes?lease=other')).status, 404)
})

test('wrong parameters of a changes request are rejected with their reason', async () => {
  const cases: [string, number, RegExp][] = [
    ['/books/_sandpiper/changes', 400, /\[from\] or \[lease\] is required/],
    ['/books/_sandpiper/changes?from=x', 400, /\[from\] must be a list of sequence numbers, found \[x\]/],
    ['/books/_sandpiper/changes?from=1,2,3', 400, /\[from\] has \[3\] numbers, and the index has \[2\] shards/],
    ['/books/_sandpiper/changes?from=0&size=-1', 400, /\[size\] must be between 0 and 10000/],
    ['/books/_sandpiper/changes?from=0&keep_alive=1m', 400, /\[keep_alive\] needs a \[lease\]/],
    ['/books/_sandpiper/changes?lease=a&keep_alive=8d', 400, /\[keep_alive\] must be at most \[7d\]/],
    ['/books/_sandpiper/changes?from=999', 404, /operation \[999\] of \[books\]\[0\] is not kept/],
    ['/nothing/_sandpiper/changes?from=0', 404, /no such index \[nothing\]/],
  ]
  for (const [path, status, reason] of cases) {
    const answer = await search.request('GET', path)
    assert.equal(answer.status, status, path)
    assert.match(answer.text, reason)
  }
})

test('an index in memory has no history', async () => {
  const volatile = await startSearch({ listen: false })
  await volatile.request('PUT', '/a/_doc/1', { n: 1 })
  const answer = await volatile.request('GET', '/a/_sandpiper/changes?lease=copy')
  assert.equal(answer.status, 400)
  assert.match(answer.text, /\[a\] is kept in memory and has no history of changes/)
  await volatile.stop()
})
