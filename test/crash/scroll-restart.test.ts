/**
 * Goal: a scroll continues after a restart with any of its ids, and its keep-alive is the one that was requested last.
 * Method: a node on disk is stopped and opened again between pages, while clients repeat the first scroll id, as
 * Elasticsearch allows. Responses go through `dispatch`, so that each of them counts as received.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

const DOCUMENTS = 60
const PAGE = 7

async function onDisk(work: (restart: () => Promise<TestSearch>) => Promise<void>): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sandpiper-scroll-restart-'))
  let search: TestSearch | undefined
  try {
    await work(async () => {
      await search?.stop()
      search = await startSearch({ listen: false, dataFolder })
      return search
    })
  } finally {
    await search?.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function fill(search: TestSearch, documentOf: (i: number) => object): Promise<string[]> {
  const lines: object[] = []
  for (let i = 0; i < DOCUMENTS; i++) lines.push({ index: { _id: `d${i}` } }, documentOf(i))
  const { status } = await search.request('POST', '/books/_bulk?refresh=true', lines)
  assert.equal(status, 200)
  return Array.from({ length: DOCUMENTS }, (_, i) => `d${i}`).sort()
}

const idsOf = (body: { hits: { hits: { _id: string }[] } }) => body.hits.hits.map(({ _id }) => _id)

/** Walks a scroll with the first id only, with a restart before each page of `restartBefore`. */
async function walkByFirstId(
  restart: () => Promise<TestSearch>,
  request: object,
  restartBefore: (page: number) => boolean,
  pageKeepAlive = '10m',
): Promise<string[]> {
  let search = await restart()
  const first = await search.request('POST', '/books/_search?scroll=10m', request)
  assert.equal(first.status, 200, first.text)
  const ids = idsOf(first.body)
  for (let page = 2; page < DOCUMENTS; page++) {
    if (restartBefore(page)) search = await restart()
    const body = { scroll: pageKeepAlive, scroll_id: first.body._scroll_id }
    const next = await search.request('POST', '/_search/scroll', body)
    assert.equal(next.status, 200, next.text)
    const found = idsOf(next.body)
    if (found.length === 0) return ids.sort()
    ids.push(...found)
  }
  throw new Error('the scroll does not end')
}

test('a client that repeats the first scroll id gets every page once, with a restart before any page', async () => {
  await onDisk(async (restart) => {
    const expected = await fill(await restart(), (n) => ({ n }))
    const request = { size: PAGE, sort: ['n'] }
    for (let at = 2; at <= 5; at++) {
      assert.deepEqual(await walkByFirstId(restart, request, (page) => page === at), expected, `before page ${at}`)
    }
    assert.deepEqual(await walkByFirstId(restart, request, () => true), expected, 'before every page')
  })
})

test('a slice of a scroll continues after restarts with its first id', async () => {
  await onDisk(async (restart) => {
    const expected = await fill(await restart(), (n) => ({ n }))
    const found: string[] = []
    for (const id of [0, 1, 2]) {
      const request = { size: 3, slice: { id, max: 3 } }
      found.push(...(await walkByFirstId(restart, request, (page) => page % 2 === 1)))
    }
    assert.deepEqual(found.sort(), expected)
  })
})

test('the position of a scroll is kept if a page requests a shorter keep-alive than the scroll was opened with', async () => {
  await onDisk(async (restart) => {
    const expected = await fill(await restart(), (n) => ({ n }))
    const request = { size: PAGE, sort: ['n'] }
    assert.deepEqual(await walkByFirstId(restart, request, (page) => page > 2, '1m'), expected)
  })
})

test('the position of a scroll is kept if its sort values are tens of kilobytes long', async () => {
  await onDisk(async (restart) => {
    const search = await restart()
    await search.request('PUT', '/books', {
      mappings: { properties: { long: { type: 'keyword' }, other: { type: 'keyword' } } },
    })
    const expected = await fill(search, (n) => ({
      long: `${'x'.repeat(30_000)}${n}`,
      other: `${'y'.repeat(30_000)}${n}`,
    }))
    const request = { size: PAGE, sort: ['long', 'other'], _source: false }
    assert.deepEqual(await walkByFirstId(restart, request, (page) => page % 2 === 1), expected)
  })
})

test('a keep-alive that a search shortened is still short after a restart', async () => {
  await onDisk(async (restart) => {
    let search = await restart()
    await fill(search, (n) => ({ n }))
    const { body: pit } = await search.request('POST', '/books/_pit?keep_alive=20h')
    await search.request('POST', '/_search', { pit: { id: pit.id, keep_alive: '1ms' } })
    search = await restart()
    const { status } = await search.request('POST', '/_search', { pit: { id: pit.id } })
    assert.equal(status, 404)
  })
})
