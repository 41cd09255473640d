/**
 * Goal: points in time and scrolls continue after the service was killed, with exactly the documents of their view.
 * Method: a walk over each is in progress while documents change. The service is killed repeatedly, also in the middle
 * of a request, and restarted on the same data. A client that got no response sends its request again.
 *
 * A client that always sends the first scroll id requests the next page and a lost page with the same bytes. The
 * service records that it passed a page to the operating system. If it is killed just before that record is written,
 * the page comes twice. No page may be missing, and a page may come twice only if the service was killed between the
 * request for it and the next one.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const SLOW = process.env['SANDPIPER_SLOW_TESTS'] === '1'
const KILLS = SLOW ? 30 : 3
/** More kills need more documents, because paging must last until the last kill. */
const DOCUMENTS = SLOW ? 9000 : 3000
/**
 * The number of pages of all walks from one kill to the decision for the next one, and the maximum from there to the
 * kill.
 */
const PAGES_BETWEEN_KILLS = 9
const PAGES_BEFORE_KILL = 10
const SANDPIPER = fileURLToPath(new URL('../../bin/sandpiper.js', import.meta.url))

interface Answer {
  readonly id: string
  readonly _scroll_id: string
  readonly hits: { readonly total: { readonly value: number }; readonly hits: { _id: string; sort: unknown[] }[] }
}

/** A service that is killed and restarted on the same data. */
class KilledService {
  readonly folder = mkdtempSync(join(tmpdir(), 'sandpiper-paging-crash-'))
  #process: ChildProcess | undefined
  #url = ''
  #restarting: Promise<void> | undefined
  /** The number of kills so far. */
  deaths = 0

  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [SANDPIPER, 'serve', '--port', '0', '--data', this.folder, '--log-level', 'error'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    this.#process = child
    let output = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (url === undefined) continue
      this.#url = url
      return
    }
    throw new Error(`the service did not start: ${output}`)
  }

  kill(): Promise<void> {
    this.deaths++
    this.#restarting = (async () => {
      const ended = once(this.#process!, 'exit')
      this.#process!.kill('SIGKILL')
      await ended
      await this.start()
      this.#restarting = undefined
    })()
    return this.#restarting
  }

  end(): void {
    this.#process?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    const ended = once(this.#process!, 'exit')
    this.#process!.kill('SIGTERM')
    await ended
  }

  /** Sends a request again if the service was killed before the response. */
  async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Answer }> {
    const text = Array.isArray(body) ? `${body.map((line) => JSON.stringify(line)).join('\n')}\n` : JSON.stringify(body)
    for (;;) {
      await this.#restarting
      try {
        const headers = { 'content-type': Array.isArray(body) ? 'application/x-ndjson' : 'application/json' }
        const answer = await fetch(this.#url + path, { method, ...(text === undefined ? {} : { headers, body: text }) })
        return { status: answer.status, body: (await answer.json()) as Answer }
      } catch {
        await delay(20)
      }
    }
  }
}

async function walkPit(service: KilledService, pit: string, onPage: () => Promise<void>): Promise<string[]> {
  const ids: string[] = []
  let after: unknown[] | undefined
  for (;;) {
    const body = { size: 40, sort: [{ n: 'desc' }], pit: { id: pit, keep_alive: '10m' }, _source: false }
    const more = after === undefined ? {} : { search_after: after }
    const { status, body: page } = await service.send('POST', '/_search', { ...body, ...more })
    assert.equal(status, 200, JSON.stringify(page))
    if (page.hits.hits.length === 0) return ids
    ids.push(...idsOf(page))
    after = page.hits.hits.at(-1)!.sort
    await onPage()
  }
}

/** Walks a scroll, always with the newest scroll id. */
async function walkScroll(service: KilledService, first: Answer, onPage: () => Promise<void>): Promise<string[]> {
  const ids: string[] = []
  for (let page = first; page.hits.hits.length > 0; ) {
    ids.push(...idsOf(page))
    await onPage()
    page = await nextPage(service, page._scroll_id)
  }
  return ids
}

/** Walks a scroll with the first scroll id only, and skips pages that come twice because of a kill. */
async function walkByFirstId(service: KilledService, first: Answer, onPage: () => Promise<void>): Promise<string[]> {
  const ids = idsOf(first)
  let newest = ids
  let deathsBefore = service.deaths
  for (;;) {
    await onPage()
    const deaths = service.deaths
    const page = idsOf(await nextPage(service, first._scroll_id))
    if (page.length === 0) return ids
    if (page[0] === newest[0]) {
      assert.deepEqual(page, newest, 'a page that comes twice comes whole')
      assert.ok(service.deaths > deathsBefore, 'a page came twice without a kill')
    } else {
      ids.push(...page)
      newest = page
    }
    deathsBefore = deaths
  }
}

async function nextPage(service: KilledService, scroll_id: string): Promise<Answer> {
  const { status, body } = await service.send('POST', '/_search/scroll', { scroll: '10m', scroll_id })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const idsOf = ({ hits }: Answer) => hits.hits.map(({ _id }) => _id)

test(`every walk returns exactly the documents of its view through ${KILLS} kills`, async () => {
  const service = new KilledService()
  await service.start()
  try {
    const settings = { number_of_shards: 2, refresh_interval: '-1', 'merge.policy.segments_per_tier': 3 }
    await service.send('PUT', '/books', { settings, mappings: { properties: { n: { type: 'integer' } } } })
    const expected: string[] = []
    for (let batch = 0; batch < 6; batch++) {
      const lines: object[] = []
      for (let i = batch; i < DOCUMENTS; i += 6) {
        lines.push({ index: { _id: `d${i}` } }, { n: i % 100 })
        expected.push(`d${i}`)
      }
      await service.send('POST', '/books/_bulk?refresh=true', lines)
    }
    expected.sort()
    const { body: opened } = await service.send('POST', '/books/_pit?keep_alive=10m')
    const { body: scroll } = await service.send('POST', '/books/_search?scroll=10m', {
      size: 40,
      sort: ['n'],
      _source: false,
    })
    const { body: repeated } = await service.send('POST', '/books/_search?scroll=10m', { size: 60, _source: false })
    const { body: other } = await service.send('POST', '/books/_search?scroll=10m', { size: 500, _source: false })

    // All documents of the index change from this point on.
    let pages = 0
    let pagesAtKill = 0
    let kills = 0
    let killing: Promise<void> | undefined
    const onPage = async () => {
      pages++
      // Kills are sequential, because a service cannot be killed while it is starting.
      if (kills < KILLS && killing === undefined && pages - pagesAtKill >= PAGES_BETWEEN_KILLS) {
        kills++
        pagesAtKill = pages
        killing = delay(Math.random() * 12)
          .then(() => service.kill())
          .then(() => {
            pagesAtKill = pages
            killing = undefined
          })
      }
      // Waits for the kill if pages arrive fast, so that the walks are still in progress at the last kill.
      if (pages - pagesAtKill >= PAGES_BEFORE_KILL) await killing
    }
    const changes = (async () => {
      for (let round = 0; round < 10; round++) {
        const lines = Array.from({ length: 50 }, (_, i) => [{ index: { _id: `d${round * 50 + i}` } }, { n: -1 }]).flat()
        await service.send('POST', '/books/_bulk?refresh=true', [...lines, { delete: { _id: `d${2000 + round}` } }])
        if (round % 4 === 3) await service.send('POST', '/books/_forcemerge?max_num_segments=1')
      }
    })()
    const walks = await Promise.all([
      walkPit(service, opened.id, onPage),
      walkScroll(service, scroll, onPage),
      walkScroll(service, other, onPage),
      walkByFirstId(service, repeated, onPage),
    ])
    await changes
    await killing
    for (const [i, ids] of walks.entries()) assert.deepEqual(ids.sort(), expected, `walk ${i}`)
    assert.equal(kills, KILLS)

    await service.send('DELETE', '/_pit', { id: opened.id })
    await service.send('DELETE', '/_search/scroll/_all')
    await service.send('POST', '/books/_forcemerge?max_num_segments=1')
    await service.stop()
    const files = readdirSync(service.folder, { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      files.filter((file) => /view-\d+$|context-|progress-/.test(file)),
      [],
      'what was closed leaves nothing behind',
    )
  } finally {
    service.end()
    rmSync(service.folder, { recursive: true, force: true })
  }
})
