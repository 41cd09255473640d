/**
 * Goal: a service that is killed during snapshots and restores leaves a repository in which every listed snapshot is whole, and a
 * data folder that the next start opens.
 * Method: documents are written in rounds. After each round a snapshot or a restore begins and the service is killed at a random moment of
 * it. Then it is started again: the indices still hold every acknowledged document, and each snapshot that is listed restores to
 * exactly the documents that were there when it was asked for.
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
const KILLS = SLOW ? 20 : 2
const DOCUMENTS_PER_ROUND = 300
const SANDPIPER = fileURLToPath(new URL('../../bin/sandpiper.js', import.meta.url))

class Service {
  readonly folder = mkdtempSync(join(tmpdir(), 'sandpiper-snapshot-crash-'))
  #process: ChildProcess | undefined
  #url = ''

  async start(): Promise<void> {
    const flags = ['--port', '0', '--data', join(this.folder, 'data'), '--path-repo', join(this.folder, 'repos')]
    const child = spawn(process.execPath, [SANDPIPER, 'serve', ...flags, '--log-level', 'error'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#process = child
    let output = ''
    for await (const text of child.stdout!.setEncoding('utf8')) {
      output += text
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (url === undefined) continue
      this.#url = url
      return
    }
    throw new Error(`the service did not start: ${output}`)
  }

  async kill(): Promise<void> {
    const child = this.#process!
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  async request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await this.send(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { 'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}

test('kills during snapshots and restores leave every listed snapshot whole and every document in place', async () => {
  const service = new Service()
  /** Documents at the moment of each snapshot that was asked for. */
  const counts = new Map<string, number>()
  let documents = 0
  try {
    await service.start()
    await service.request('PUT', '/_snapshot/repo', { type: 'fs', settings: { location: 'r' } })
    await service.request('PUT', '/docs', { settings: { number_of_replicas: 0, number_of_shards: 2 } })
    for (let round = 0; round < KILLS; round++) {
      documents = await index(service, documents)
      const name = `s${round}`
      counts.set(name, documents)
      await service.request('PUT', `/_snapshot/repo/${name}`, { indices: 'docs' })
      if (round % 2 === 1) {
        await restored(service, 's0', 'half').catch(() => {})
        const begun = service.send('POST', '/_snapshot/repo/s0/_restore', {
          rename_pattern: '.+',
          rename_replacement: 'killed',
        })
        begun.catch(() => {})
      }
      await delay(Math.random() * 60)
      await service.kill()
      await service.start()
      await check(service, counts, documents)
    }
    await service.request('POST', '/_snapshot/repo/_cleanup')
    await check(service, counts, documents)
    await service.request('DELETE', '/_snapshot/repo/s*')
    assert.deepEqual(blobs(service), [])
  } finally {
    await service.kill()
    rmSync(service.folder, { recursive: true, force: true })
  }
})

async function index(service: Service, from: number): Promise<number> {
  const lines = Array.from({ length: DOCUMENTS_PER_ROUND }, (_, i) => {
    const id = from + i
    return `{"index":{"_id":"${id}"}}\n{"n":${id},"text":"document number ${id} of many"}\n`
  })
  const { errors } = await service.request('POST', '/docs/_bulk?refresh=true', lines.join(''))
  assert.equal(errors, false)
  return from + DOCUMENTS_PER_ROUND
}

/** Everything acknowledged is there, and what is listed can be restored. */
async function check(service: Service, counts: ReadonlyMap<string, number>, documents: number): Promise<void> {
  assert.equal(await count(service, 'docs'), documents)
  const { snapshots } = (await service.request('GET', '/_snapshot/repo/_all')) as {
    snapshots: { snapshot: string; state: string }[]
  }
  // The first was complete before the second round began, and lists grow with the rounds: the newest and the oldest are restored.
  for (const { snapshot, state } of new Set([snapshots[0], snapshots.at(-1)].filter((one) => one !== undefined))) {
    assert.equal(state, 'SUCCESS')
    await restored(service, snapshot, 'copy')
    assert.equal(await count(service, 'copy'), counts.get(snapshot))
    await service.request('DELETE', '/copy')
  }
  for (const leftover of ['killed', 'half']) await service.send('DELETE', `/${leftover}`)
}

async function restored(service: Service, snapshot: string, target: string): Promise<void> {
  const body = { indices: 'docs', rename_pattern: '.+', rename_replacement: target }
  await service.request('POST', `/_snapshot/repo/${snapshot}/_restore?wait_for_completion=true`, body)
}

async function count(service: Service, name: string): Promise<number> {
  const { hits } = (await service.request('POST', `/${name}/_search`, {
    size: 0,
    track_total_hits: true,
    query: { match: { text: 'many' } },
  })) as { hits: { total: { value: number } } }
  return hits.total.value
}

const blobs = ({ folder }: Service): string[] =>
  readdirSync(join(folder, 'repos', 'r'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  )
