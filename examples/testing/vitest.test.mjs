// npx vitest run vitest.test.mjs
import { startSearch } from 'sandpiper-search/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addBook, titlesByGenre } from './books.mjs'

let search
beforeAll(async () => {
  search = await startSearch({ refresh: 'immediate' })
})
beforeEach(() => search.reset())
afterAll(() => search.stop())

test('books are found by genre, in the order of their titles', async () => {
  await addBook(search.url, 1, { title: 'Waders', genre: 'nature' })
  await addBook(search.url, 2, { title: 'Sandpipers', genre: 'nature' })
  expect(await titlesByGenre(search.url, 'nature')).toEqual(['Sandpipers', 'Waders'])
})

test('every test starts with an empty service', async () => {
  expect((await search.request('GET', '/books')).status).toBe(404)
})
