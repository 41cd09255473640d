/**
 * Goal: the files in deploy/ are valid. The tests use the tools that are installed: promtool and prometheus (Debian
 * package prometheus), systemd-analyze, hadolint. A test without its tool is skipped.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { silentLog } from '../../src/base/log.ts'
import { readSettings } from '../../src/cli/serve/settings.ts'
import { createAuthority } from '../../src/security/tls/certificate.ts'
import { SearchServer } from '../../src/server/search-server.ts'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

const deploy = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'deploy')
const work = mkdtempSync(join(tmpdir(), 'sandpiper-deploy-'))
const slow = process.env['SANDPIPER_SLOW_TESTS'] !== undefined

let search: TestSearch
before(async () => {
  search = await startSearch({ dataFolder: join(work, 'data') })
  await search.request('PUT', '/books/_doc/1?refresh=true', { title: 'a' })
  await search.request('GET', '/books/_search')
})
after(async () => {
  await search.stop()
  rmSync(work, { recursive: true, force: true })
})

function hasCommand(context: TestContext, command: string): boolean {
  if (spawnSync(command, ['--version']).error === undefined) return true
  context.skip(`${command} is not installed`)
  return false
}

function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync(join(deploy, 'grafana', 'sandpiper.json'), 'utf8'))
  return panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr))
}

test('every metric that the dashboard queries is in a scrape', async () => {
  const { text } = await search.request('GET', '/_sandpiper/metrics')
  const queries = dashboardQueries()
  assert.ok(queries.length > 20)
  for (const query of queries)
    for (const [name] of query.matchAll(/\b(sandpiper|process)_\w+/g))
      assert.ok(text.includes(`\n${name}{`) || text.includes(`\n${name} `), `${name} is not exported`)
})

test('promtool accepts a scrape', async (context) => {
  if (!hasCommand(context, 'promtool')) return
  const { text } = await search.request('GET', '/_sandpiper/metrics')
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

test('Prometheus scrapes the service, and every dashboard query returns data', async (context) => {
  if (!slow) return context.skip('runs with --slow')
  if (!hasCommand(context, 'prometheus')) return
  const config = readFileSync(join(deploy, 'prometheus.yml'), 'utf8')
    .replace('127.0.0.1:9200', new URL(search.url).host)
    .replace('scrape_interval: 10s', 'scrape_interval: 1s')
  writeFileSync(join(work, 'prometheus.yml'), config)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(work, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(work, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  try {
    for (const query of dashboardQueries()) {
      let found = 0
      for (let tries = 0; tries < 60 && found === 0; tries++) {
        found = await seriesOf(url, query)
        if (found === 0) await new Promise((resolve) => setTimeout(resolve, 500))
      }
      assert.ok(found > 0, `no data for ${query}`)
    }
  } finally {
    prometheus.kill()
    await new Promise((resolve) => prometheus.once('exit', resolve))
  }
})

test('systemd accepts the unit', (context) => {
  if (!hasCommand(context, 'systemd-analyze')) return
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(deploy, 'sandpiper.service')], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})

test('the health check of the image succeeds without TLS, with TLS and with required client certificates, and fails without a service', async () => {
  const check = (port: number) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(deploy, 'health-check.mjs')], {
        env: { ...process.env, SANDPIPER_PORT: String(port) },
        stdio: 'ignore',
      })
      child.once('exit', resolve)
    })
  assert.equal(await check(Number(new URL(search.url).port)), 0)
  assert.equal(await check(await freePort()), 1)
  const { certificate, key } = createAuthority('of the test', Date.now())
  for (const asked of [{}, { requestCert: true, ca: certificate }]) {
    const encrypted = createHttpsServer({ cert: certificate, key, ...asked }, (request, response) => {
      response.statusCode = request.url === '/_sandpiper/live' ? 200 : 404
      response.end()
    })
    await new Promise<void>((resolve) => encrypted.listen(0, '127.0.0.1', resolve))
    try {
      assert.equal(await check((encrypted.address() as AddressInfo).port), 0)
    } finally {
      encrypted.close()
    }
  }
})

test('hadolint reports nothing for the Dockerfile', (context) => {
  if (!hasCommand(context, 'hadolint')) return
  const { status, stdout } = spawnSync('hadolint', [join(deploy, 'Dockerfile')], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})

test('the steps of the image are those that scripts/test-image.mjs can execute', async () => {
  const module = new URL('../../scripts/image/dockerfile.mjs', import.meta.url).href
  const { parseDockerfile, commandOf, settingOf, environmentOf } = await import(module)
  const stages = parseDockerfile(readFileSync(join(deploy, 'Dockerfile'), 'utf8'))
  assert.deepEqual(
    stages.map(({ name }: { name: string | undefined }) => name),
    ['build', undefined],
  )
  const image = stages.at(-1)
  assert.deepEqual([settingOf(image, 'USER'), settingOf(image, 'VOLUME')], ['1000:1000', '/data'])
  assert.equal(environmentOf(image).SANDPIPER_DATA, settingOf(image, 'VOLUME'))
  assert.deepEqual(commandOf(image, 'CMD'), ['serve'])
  assert.deepEqual(commandOf(image, 'HEALTHCHECK'), ['node', '/app/health-check.mjs'])
  assert.throws(() => parseDockerfile('FROM a\nADD b c'), /ADD is not supported/)
})

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

test('the Kubernetes manifest has valid settings, the user of the image, and probes that need no credentials', async () => {
  const documents = parseAllDocuments(readFileSync(join(deploy, 'kubernetes.yaml'), 'utf8'))
  assert.deepEqual(
    documents.flatMap(({ errors }) => errors),
    [],
  )
  const set = documents.map((document) => document.toJS()).find(({ kind }) => kind === 'StatefulSet')
  const { containers, securityContext } = set.spec.template.spec
  const [{ args, livenessProbe, readinessProbe, startupProbe }] = containers
  const { host, security, tls } = readSettings(args.slice(1), {})
  assert.deepEqual({ host, security, tls }, { host: '0.0.0.0', security: true, tls: 'auto' })
  const [, user] = /^USER (\d+):/m.exec(readFileSync(join(deploy, 'Dockerfile'), 'utf8'))!
  assert.equal(securityContext.runAsUser, Number(user))

  const secured = await SearchServer.open({
    threads: 0,
    maxContentBytes: 1e6,
    strictMediaTypes: false,
    log: silentLog,
    security: { bootstrapPassword: 'a-password' },
  })
  try {
    for (const { httpGet } of [livenessProbe, readinessProbe, startupProbe] as Probe[]) {
      const signal = () => new AbortController().signal
      const request = { method: 'GET', uri: httpGet.path, headers: {}, body: Buffer.alloc(0), signal }
      assert.equal((await secured.dispatch(request)).status, 200, httpGet.path)
    }
  } finally {
    await secured.stop()
  }
})

async function seriesOf(url: string, query: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => undefined)
  if (answer === undefined || !answer.ok) return 0
  return ((await answer.json()) as { data: { result: unknown[] } }).data.result.length
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
