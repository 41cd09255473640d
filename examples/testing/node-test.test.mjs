// node --test node-test.test.mjs
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startSearch } from 'sandpiper-search/testing'
import { addBook, titlesByGenre } from './books.mjs'

let search
before(async () => {
  search = await startSearch({ refresh: 'immediate' })
})
beforeEach(() => search.reset())
after(() => search.stop())

test('books are found by genre, in the order of their titles', async () => {
  await addBook(search.url, 1, { title: 'Waders', genre: 'nature' })
  await addBook(search.url, 2, { title: 'Sandpipers', genre: 'nature' })
  await addBook(search.url, 3, { title: 'Ulysses', genre: 'novel' })
  assert.deepEqual(await titlesByGenre(search.url, 'nature'), ['Sandpipers', 'Waders'])
})

test('every test starts with an empty service', async () => {
  assert.equal((await search.request('GET', '/books')).status, 404)
})
