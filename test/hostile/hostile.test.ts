/**
 * Goal: no request freezes the node. Every hostile request gets a response that is not an internal error, and so does a
 * small request on another connection right after it. `npm run test:hostile` measures how long the main thread was
 * busy.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HOSTILE_REQUESTS, SETUP } from './hostile-requests.ts'
import { WatchedService } from './watched-service.ts'

const isSlow = process.env['SANDPIPER_SLOW_TESTS'] === '1'
/** A request that never ends fails the test. A slow response on a busy machine does not. */
const LIMIT_MS = 60_000

let service: WatchedService

before(async () => {
  service = await WatchedService.start()
  for (const request of SETUP) assert.ok((await service.send(request)).status < 300)
})
after(() => service.stop())

for (const request of HOSTILE_REQUESTS) {
  if (request.isShort !== true && !isSlow) continue
  test(`${request.name}: this request and the next one get a response`, { timeout: LIMIT_MS }, async () => {
    const answered = service.send(request)
    const next = await service.send({ method: 'GET', path: '/' })
    assert.equal(next.status, 200)
    const { status, body } = await answered
    assert.ok(status < 500, `${status} ${body.slice(0, 500)}`)
  })
}

test('the analysis of a client that disconnects is cancelled', { timeout: LIMIT_MS }, async () => {
  const gone = new AbortController()
  const request = HOSTILE_REQUESTS.find(({ name }) => name === 'uax_url_email of dots')!
  const refused = assert.rejects(service.send(request, gone.signal))
  setTimeout(() => gone.abort(), 200)
  await refused
  // The thread runs one request at a time, so a response to this one shows that the first one was ended.
  const next = await service.send({
    method: 'POST',
    path: '/_analyze',
    body: JSON.stringify({ analyzer: 'standard', text: 'quick '.repeat(1_000) }),
  })
  assert.equal(next.status, 200)
})
