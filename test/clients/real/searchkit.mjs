// Searches of Searchkit, as InstantSearch sends them.
//   node searchkit.mjs FOLDER URL        FOLDER has @searchkit/api in its node_modules
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, url] = process.argv.slice(2)
const { default: createClient } = createRequire(join(folder, 'index.js'))('@searchkit/api')
const INDEX = 'clients-searchkit'
const FILMS = 120
const GENRES = ['drama', 'comedy', 'thriller']

const equal = (actual, expected) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}
const send = async (method, path, body, type = 'application/json') => {
  const response = await fetch(url + path, { method, body, headers: { 'content-type': type } })
  if (!response.ok) throw new Error(`${method} ${path}: ${(await response.text()).slice(0, 300)}`)
  return response.json()
}

const client = createClient({
  connection: { host: url },
  search_settings: {
    search_attributes: [{ field: 'title', weight: 3 }, 'plot'],
    result_attributes: ['title', 'year', 'genre'],
    highlight_attributes: ['title'],
    snippet_attributes: ['plot'],
    facet_attributes: [
      { attribute: 'genre', field: 'genre', type: 'string' },
      { attribute: 'year', field: 'year', type: 'numeric' },
      { attribute: 'actor', field: 'name', type: 'string', nestedPath: 'cast' },
      { attribute: 'decade', field: 'decade', type: 'string' },
    ],
    filter_attributes: [{ attribute: 'released', field: 'released', type: 'date' }],
    geo_attribute: 'place',
    runtime_mappings: {
      decade: { type: 'keyword', script: { source: "emit(String.valueOf(doc['year'].value / 10 * 10))" } },
    },
    sorting: {
      default: { field: '_score', order: 'desc' },
      _newest: { field: 'year', order: 'desc' },
      _oldest: [
        { field: 'year', order: 'asc' },
        { field: 'genre', order: 'asc' },
      ],
    },
    query_rules: [
      {
        id: 'pinned',
        conditions: [[{ context: 'query', match_type: 'exact', value: 'pinned' }]],
        actions: [
          { action: 'QueryRewrite', query: 'river' },
          { action: 'PinnedResult', documentIds: ['42', '7'] },
        ],
      },
      {
        id: 'boosted',
        conditions: [[{ context: 'query', match_type: 'prefix', value: 'comic' }]],
        actions: [
          { action: 'QueryRewrite', query: 'river' },
          { action: 'QueryBoost', query: 'genre:comedy', weight: 20 },
        ],
      },
    ],
  },
})
const searchAll = async (...params) =>
  (await client.handleRequest(params.map((one) => ({ indexName: INDEX, params: { query: '', ...one } })))).results
const search = async (params) => (await searchAll(params))[0]
const ids = ({ hits }) => hits.map(({ objectID }) => objectID)

const steps = {
  'an index with nested objects, points and dates': async () => {
    await send(
      'PUT',
      `/${INDEX}`,
      JSON.stringify({
        mappings: {
          properties: {
            title: { type: 'text' },
            plot: { type: 'text' },
            genre: { type: 'keyword' },
            year: { type: 'integer' },
            released: { type: 'date' },
            place: { type: 'geo_point' },
            cast: { type: 'nested', properties: { name: { type: 'keyword' } } },
          },
        },
      }),
    )
    const lines = Array.from({ length: FILMS }, (_, n) => {
      const film = {
        title: n % 2 === 0 ? `The river ${n}` : `The mountain ${n}`,
        plot: `A long story number ${n} about a river and a lighthouse`,
        genre: GENRES[n % 3],
        year: 1960 + (n % 60),
        released: `${1960 + (n % 60)}-06-01`,
        place: { lat: n / 4, lon: n / 4 },
        cast: [{ name: `actor ${n % 5}` }, { name: `actor ${(n + 1) % 5}` }],
      }
      return `{"index":{"_id":"${n}"}}\n${JSON.stringify(film)}\n`
    })
    const path = `/${INDEX}/_bulk?refresh=true`
    equal((await send('POST', path, lines.join(''), 'application/x-ndjson')).errors, false)
  },
  'an empty query finds everything': async () => equal((await search({})).nbHits, FILMS),
  'words with a typing error, the title counts more': async () => {
    const found = await search({ query: 'mountan', hitsPerPage: 5 })
    equal([found.nbHits, found.hits.length], [FILMS / 2, 5])
    if (!found.hits.every(({ title }) => title.includes('mountain'))) throw new Error('other titles')
  },
  'highlights and snippets': async () => {
    const tags = { highlightPreTag: '<em>', highlightPostTag: '</em>' }
    const [hit] = (await search({ query: 'lighthouse river', hitsPerPage: 1, ...tags })).hits
    if (!hit._highlightResult.title.value.includes('<em>river</em>')) throw new Error(JSON.stringify(hit))
    if (!hit._snippetResult.plot.value.includes('<em>lighthouse</em>')) throw new Error(JSON.stringify(hit))
  },
  'pages that together are the result': async () => {
    const pages = []
    for (let page = 0; page < 6; page++) pages.push(await search({ page, hitsPerPage: 20 }))
    equal(new Set(pages.flatMap(ids)).size, FILMS)
    equal([pages[0].nbPages, pages[5].page], [6, 5])
  },
  'facets of text, numbers, nested objects and a runtime field': async () => {
    const { facets, facets_stats } = await search({
      facets: ['genre', 'year', 'actor', 'decade'],
      maxValuesPerFacet: 100,
    })
    equal(facets.genre, { comedy: 40, drama: 40, thriller: 40 })
    equal([facets_stats.year.min, facets_stats.year.max], [1960, 2019])
    equal(Object.keys(facets.actor).length, 5)
    equal(facets.decade['1960'], 20)
  },
  'filters of facets, numbers, dates and nested objects': async () => {
    equal((await search({ facetFilters: [['genre:drama', 'genre:comedy']] })).nbHits, 80)
    equal((await search({ numericFilters: ['year>=1970', 'year<=1979'] })).nbHits, 20)
    equal((await search({ filters: 'genre:"drama" AND released:[1960-01-01 TO 1961-12-31]' })).nbHits > 0, true)
    equal((await search({ facetFilters: [['actor:actor 1']] })).nbHits, 48)
  },
  'a disjunctive facet as two searches of one request': async () => {
    const [found, counts] = await searchAll(
      { facetFilters: [['genre:drama']], facets: ['genre'] },
      { hitsPerPage: 0, facets: ['genre'] },
    )
    equal([found.nbHits, found.facets.genre, Object.keys(counts.facets.genre).length], [40, { drama: 40 }, 3])
  },
  'values of a facet that begin with a text': async () => {
    const request = { indexName: INDEX, params: { facetName: 'genre', facetQuery: 'thr', query: '' } }
    const { results } = await client.handleRequest([request])
    equal(
      results[0].facetHits.map(({ value, count }) => [value, count]),
      [['thriller', 40]],
    )
  },
  'orders by fields': async () => {
    const sorted = async (name) => {
      const request = { indexName: INDEX + name, params: { query: '', hitsPerPage: 2 } }
      return (await client.handleRequest([request])).results[0].hits.map(({ year }) => year)
    }
    equal(
      [await sorted('_newest'), await sorted('_oldest')],
      [
        [2019, 2019],
        [1960, 1960],
      ],
    )
  },
  'places around a point and within a box': async () => {
    equal((await search({ aroundLatLng: '0,0', aroundRadius: 100_000 })).nbHits, 3)
    equal((await search({ insideBoundingBox: '5.1,5.1,-0.1,-0.1' })).nbHits, 21)
  },
  'rules that pin and boost documents': async () => {
    equal(ids(await search({ query: 'pinned', hitsPerPage: 2 })), ['42', '7'])
    const { hits } = await search({ query: 'comic', hitsPerPage: 10 })
    equal([...new Set(hits.map(({ genre }) => genre))], ['comedy'])
  },
  'an error of the server is an error of the client': async () => {
    const request = { indexName: 'clients-searchkit-none', params: { query: '' } }
    const message = await client.handleRequest([request]).then(String, (error) => error.message)
    if (!/check your Elasticsearch|index_not_found|no such index/i.test(message)) throw new Error(message)
  },
}

for (const [step, work] of Object.entries(steps)) {
  try {
    await work()
    console.log(JSON.stringify({ step, ok: true }))
  } catch (error) {
    console.log(JSON.stringify({ step, ok: false, error: String(error?.message ?? error).slice(0, 300) }))
  }
}
