/**
 * Ends the threads of helpers at each moment of their lives: while they start, while they work, when they are idle, and when they are idle and
 * nobody has noticed their end yet. The request of that moment gets an answer, and the next one succeeds. The table is in docs/threading.md.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import threads from 'node:worker_threads'
import { silentLog } from '../../src/base/log.ts'
import { readLent } from '../../src/base/memory/lent-bytes.ts'
import { parseConfig } from '../../src/pipeline/config/parser.ts'
import { dryRunSettings } from '../../src/pipeline/dry-run/run-filters.ts'
import { Event } from '../../src/pipeline/event/event.ts'
import { objectText } from '../../src/pipeline/event/json-text.ts'
import { Timestamp } from '../../src/pipeline/event/timestamp.ts'
import { buildPipeline } from '../../src/pipeline/runner/build.ts'
import { FilterSite } from '../../src/pipeline/runner/filter-site.ts'
import { Workbench } from '../../src/pipeline/workbench/workbench.ts'
import { SearchServer } from '../../src/server/search-server.ts'
import { SlowMatcher } from '../../src/text/regex/slow-matcher.ts'
import { EarlyWriter } from '../../src/threads/writer/writer-start.ts'

const skip = process.env['SANDPIPER_SLOW_TESTS'] === undefined && 'slow'

const { Worker } = threads
/** The threads that were started, newest last, by the name of their module. */
const started: { readonly name: string; readonly worker: threads.Worker }[] = []
let onStart: ((worker: threads.Worker) => void) | undefined
let fails = false
class Recorded extends Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    if (fails) throw Object.assign(new Error('a thread cannot be created'), { code: 'ERR_WORKER_INIT_FAILED' })
    super(...args)
    started.push({ name: String(args[0]), worker: this })
    onStart?.(this)
  }
}
threads.Worker = Recorded
syncBuiltinESMExports()
after(() => {
  threads.Worker = Worker
  syncBuiltinESMExports()
})

const TRIAL = { grok: { pattern: '%{WORD:w}', lines: ['abc'], definitions: {}, ecs: false } }

/** A request to a helper, that must be answered in time: with a result or with an error. */
type Request = () => Promise<unknown>
const IN_TIME_MS = 60_000

async function answered(work: Promise<unknown>): Promise<'done' | 'failed'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), IN_TIME_MS)))
  const ended = work.then(
    () => 'done' as const,
    () => 'failed' as const,
  )
  const outcome = await Promise.race([ended, late])
  clearTimeout(timer)
  if (outcome === 'late') assert.fail('the request gets no answer')
  return outcome
}

/** Each moment ends a thread; the request of that moment may fail, the one after it succeeds. */
const MOMENTS: Readonly<Record<string, (request: Request) => Promise<unknown>>> = {
  'cannot be created': async (request) => {
    fails = true
    const outcome = await answered(request()).finally(() => (fails = false))
    assert.equal(outcome, 'failed')
  },
  'while it starts': async (request) => {
    onStart = (worker) => {
      onStart = undefined
      void worker.terminate()
    }
    await answered(request())
  },
  'while it works': async (request) => {
    const work = answered(request())
    await pause(5)
    await started.at(-1)!.worker.terminate()
    await work
  },
  'while it is idle': async (request) => {
    await answered(request())
    await started.at(-1)!.worker.terminate()
  },
  'while it is idle, unnoticed': async (request) => {
    await answered(request())
    void started.at(-1)!.worker.terminate()
    await answered(request())
  },
}

for (const moment of Object.keys(MOMENTS)) {
  test(`the thread of slow expressions ends ${moment}`, { skip }, async () => {
    const matcher = new SlowMatcher()
    const request = () => matcher.match({ source: '(a+)+$', text: 'aaaaaaaaaaaaaaaaaaaaab' }, 5_000)
    try {
      await MOMENTS[moment]!(request)
      assert.equal(await answered(request()), 'done')
    } finally {
      await matcher.close()
    }
  })

  test(`the thread of the workbench ends ${moment}`, { skip }, async () => {
    const workbench = new Workbench(30_000)
    const request = () => workbench.run(TRIAL)
    try {
      await MOMENTS[moment]!(request)
      assert.equal(await answered(request()), 'done')
    } finally {
      await workbench.close()
    }
  })
}

for (const moment of ['while they start', 'while they work', 'while they are idle, unnoticed']) {
  test(`the filter threads of a pipeline end ${moment}, and no event is lost`, { skip }, async () => {
    const settings = dryRunSettings({ workers: 2, heavyEventMs: 0, log: silentLog })
    const config = 'filter { grok { match => { "message" => "n=%{INT:n:int}" } } mutate { add_tag => ["seen"] } }'
    const { filters, filterSources } = await buildPipeline(parseConfig(config), settings)
    const site = new FilterSite(filters, filterSources, settings)
    const batch = () => Array.from({ length: 500 }, (_, i) => Event.ofMessage(`n=${i}`, new Timestamp(i)))
    const texts = (events: readonly Event[]) => events.map(({ fields }) => objectText(fields))
    started.length = 0
    if (moment === 'while they start') onStart = (worker) => void worker.terminate()
    try {
      const filter = site.worker()
      const expected = texts(await filter(batch()))
      assert.equal(expected.length, 500)
      const endsAt = performance.now() + 20_000
      while (started.length < 2 && performance.now() < endsAt) assert.deepEqual(texts(await filter(batch())), expected)
      assert.ok(started.length >= 2, 'the filters move to threads')
      if (moment !== 'while they start') await pause(3_000)
      const under = moment === 'while they work' ? filter(batch()) : undefined
      for (const { worker } of started) void worker.terminate()
      assert.deepEqual(texts(await filter(batch())), expected)
      if (under !== undefined) assert.deepEqual(texts(await under), expected)
      assert.deepEqual(texts(await filter(batch())), expected)
    } finally {
      onStart = undefined
      await site.close()
    }
  })
}

for (const moment of ['before the service starts', 'before the service starts, unnoticed', 'when it gets its data']) {
  test(`the early writer ends ${moment}`, { skip }, async () => {
    await withService(
      async (early) => {
        const { worker } = started.at(-1)!
        if (moment === 'before the service starts') await worker.terminate()
        else if (moment !== 'when it gets its data') void worker.terminate()
        return early
      },
      async (send) => {
        if (moment === 'when it gets its data')
          void started.find(({ name }) => name.includes('writer-thread'))!.worker.terminate()
        await untilWritten(send)
      },
    )
  })
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Send = (method: string, path: string, body?: string) => Promise<{ status: number; body: any }>

async function withService(
  prepare: ((early: EarlyWriter) => Promise<EarlyWriter>) | undefined,
  work: (send: Send) => Promise<void>,
) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sandpiper-moments-'))
  started.length = 0
  const early = new EarlyWriter()
  await prepare?.(early)
  const server = await SearchServer.open({
    dataFolder,
    threads: 2,
    earlyWriter: early,
    maxContentBytes: 1e8,
    strictMediaTypes: false,
    log: silentLog,
  })
  const send: Send = async (method, uri, text = '') => {
    const headers = { 'content-type': uri.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json' }
    const answer = await server.dispatch({
      method,
      uri,
      headers,
      body: Buffer.from(text),
      signal: () => new AbortController().signal,
    })
    const json = readLent(answer.body, (bytes) => bytes.toString())
    return { status: answer.status, body: json.startsWith('{') ? JSON.parse(json) : json }
  }
  try {
    await work(send)
  } finally {
    await server.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** Writes a document, again after each refusal: a writer thread that ended is replaced. */
async function untilWritten(send: Send): Promise<void> {
  const endsAt = performance.now() + IN_TIME_MS
  for (;;) {
    const { status } = await send('PUT', '/i/_doc/1?refresh=true', '{"n":1}')
    if (status === 200 || status === 201) return
    assert.equal(status, 503)
    assert.ok(performance.now() < endsAt, 'the writer is replaced')
    await pause(50)
  }
}
