// The code under test: it knows a URL and Elasticsearch's API, and nothing of Sandpiper.
const json = { 'content-type': 'application/json' }

export async function addBook(url, id, book) {
  const answer = await fetch(`${url}/books/_doc/${id}`, { method: 'PUT', headers: json, body: JSON.stringify(book) })
  if (!answer.ok) throw new Error(`book ${id} was rejected: ${await answer.text()}`)
}

export async function titlesByGenre(url, genre) {
  const body = JSON.stringify({ query: { term: { 'genre.keyword': genre } }, sort: ['title.keyword'] })
  const answer = await fetch(`${url}/books/_search`, { method: 'POST', headers: json, body })
  const { hits } = await answer.json()
  return hits.hits.map(({ _source }) => _source.title)
}
