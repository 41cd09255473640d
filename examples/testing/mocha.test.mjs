// npx mocha mocha.test.mjs
import assert from 'node:assert/strict'
import { startSearch } from 'sandpiper-search/testing'
import { addBook, titlesByGenre } from './books.mjs'

describe('books', () => {
  let search
  before(async () => {
    search = await startSearch({ refresh: 'immediate' })
  })
  beforeEach(() => search.reset())
  after(() => search.stop())

  it('are found by genre, in the order of their titles', async () => {
    await addBook(search.url, 1, { title: 'Waders', genre: 'nature' })
    await addBook(search.url, 2, { title: 'Sandpipers', genre: 'nature' })
    assert.deepEqual(await titlesByGenre(search.url, 'nature'), ['Sandpipers', 'Waders'])
  })

  it('are gone when the next test starts', async () => {
    assert.equal((await search.request('GET', '/books')).status, 404)
  })
})
