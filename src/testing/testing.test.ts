import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from './index.ts'

// Goal: a test can have a service of its own, with or without a socket, several at a time.
test('a service in memory answers over its socket and without one', async () => {
  const [one, other] = await Promise.all([startSearch(), startSearch({ listen: false })])
  try {
    assert.match(one.url, /^http:\/\/127\.0\.0\.1:\d+$/)
    const banner = (await (await fetch(one.url)).json()) as { tagline: string; cluster_uuid: string }
    assert.equal(banner.tagline, 'You Know, for Search')
    const own = await other.request('GET', '/')
    assert.equal(own.status, 200)
    assert.notEqual(own.body.cluster_uuid, banner.cluster_uuid)
    assert.equal(other.url, '')
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
})

test('mistakes come back as answers', async () => {
  const search = await startSearch({ listen: false })
  const answer = await search.request('POST', '/_cluster/health')
  assert.equal(answer.status, 405)
  assert.equal(answer.headers['Allow'], 'GET')
  await search.stop()
})
