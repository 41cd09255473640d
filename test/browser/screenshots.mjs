// The pictures of docs/console: every view in light and dark.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { sender } from './data.mjs'
import { CONSOLE, findBrowser, Service } from './harness.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'docs/console')

const REQUEST = `# newest errors of one host
GET logs-2025/_search
{
  "size": 50,
  "query": {
    "bool": {
      "filter": [
        { "range": { "@timestamp": { "gte": "2025-01-01" } } },
        { "trem": { "host": "web-7" } }
      ]
    }
  },
  "sort": [{ "@timestamp": "desc" }]
}

# everything after the last row, past 10,000
POST logs-2025/_pit?keep_alive=5m
`

const VIEWS = [
  ['overview', '/', (page) => page.waitForTimeout(9000)],
  ['requests', `/requests#t=${encodeURIComponent(REQUEST)}`, runRequest],
  [
    'discover',
    '/discover?index=logs-2025&q=message:timeout&f=status:500&cols=@timestamp,host,status,message&from=2025-01-20T00:00:00.000Z&to=2025-02-20T00:00:00.000Z',
    openDocument,
  ],
  [
    'aggregations',
    '/aggregations?index=logs-2025&kind=composite&by=host&by=@timestamp/1d&m=avg:took',
    (page) => page.getByText('end reached').waitFor(),
  ],
  ['map', '/aggregations?index=logs-2025&kind=geotile_grid&by=place/7', zoomMap],
  [
    'levels',
    '/aggregations?index=issues&kind=levels&path=comments&by=comments.author',
    (page) => page.locator('.stop').first().waitFor(),
  ],
  ['indices', '/indices', (page) => page.getByRole('link', { name: 'issues' }).waitFor()],
  ['index', '/indices/issues/mapping', (page) => page.getByRole('button', { name: 'Open comments' }).click()],
  ['analyze', '/indices/issues/analyze?by=own%20steps', (page) => page.locator('.token.gone').first().waitFor()],
  ['contexts', '/contexts', (page) => page.locator('.ctx tbody tr').first().waitFor()],
  ['tasks', '/tasks', (page) => page.getByRole('progressbar').first().waitFor()],
  ['grok', '/pipelines/grok', chooseLine],
  ['config', '/pipelines/config', (page) => page.locator('.change').first().waitFor()],
  ['running', '/pipelines/running', (page) => page.locator('.node-card').first().waitFor()],
]

/** The views of a service with users. */
const GUARDED_VIEWS = [
  ['users', '/users?reserved=true', (page) => page.getByText('Ann Wade').waitFor()],
  ['roles', '/roles', (page) => page.getByText('some documents').first().waitFor()],
  ['role', '/roles?edit=sales-north', (page) => page.getByRole('dialog').waitFor()],
  ['keys', '/keys?ended=true', (page) => page.getByText('invalidated', { exact: true }).waitFor()],
]
const SMALL_VIEWS = [
  ['discover-390', '/discover?index=logs-2025', (page) => page.locator('.hits-table tbody tr').nth(3).waitFor()],
]
const GATEWAY_VIEWS = [
  ['gateway', '/gateway', (page) => page.getByRole('region', { name: 'Requests by handling' }).waitFor()],
]

async function runRequest(page) {
  await page.locator('.cm-content').first().click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Enter')
  await page.locator('.cm-editor .note').waitFor()
}

/** The first trial waits for the pipeline tool to be loaded, which a busy machine may refuse at first. */
async function chooseLine(page) {
  const line = page.getByRole('option').nth(2)
  const again = page.getByRole('button', { name: 'Try again' })
  await line.or(again).first().waitFor({ timeout: 120_000 })
  if (await again.isVisible()) await again.click()
  await line.click({ timeout: 120_000 })
}

async function openDocument(page) {
  await page.locator('.hits-table tbody tr:not(.spacer)').nth(2).click()
  await page.getByRole('region', { name: 'Document' }).waitFor()
  await page.locator('.brush-chart').waitFor()
}

async function zoomMap(page) {
  await page.getByRole('button', { name: 'Zoom to the tiles' }).click()
  await page.locator('.map .tile').first().waitFor()
}

/** `only` is an expression that the names of the pictures must match. */
export async function takeScreenshots(service, only = '') {
  const chosen = (views) => views.filter(([name]) => new RegExp(only).test(name))
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  try {
    await withActivity(service, async () => {
      await takeAll(browser, service.url, chosen(VIEWS))
      const small = { width: 390, height: 844 }
      for (const view of chosen(SMALL_VIEWS)) await take(browser, service.url, view, 'light', small)
    })
    await withUsers(async (url, authorization) => takeAll(browser, url, chosen(GUARDED_VIEWS), authorization))
    await withGateway(service, async (url) => takeAll(browser, url, chosen(GATEWAY_VIEWS)))
  } finally {
    await browser.close()
  }
}

async function takeAll(browser, url, views, authorization) {
  for (const theme of ['light', 'dark'])
    for (const view of views) await take(browser, url, view, theme, { width: 1440, height: 900 }, authorization)
}

async function take(browser, url, [name, path, prepare], theme, viewport, authorization) {
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  if (authorization !== undefined) {
    await page.addInitScript((value) => sessionStorage.setItem('sandpiper.authorization', value), authorization)
  }
  await page.goto(url + CONSOLE + path)
  await prepare(page)
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
  await context.close()
  console.log(`${name}-${theme}.png`)
}

/** Contexts, a running pipeline, a reindex and writes, so that the pictures show something. */
async function withActivity(service, work) {
  const send = sender(service.url)
  await send('POST', '/logs-2025/_pit?keep_alive=10m')
  await send('POST', '/issues/_search?scroll=40s', { size: 10 })
  await send('POST', '/_reindex?wait_for_completion=false&requests_per_second=60', {
    source: { index: 'logs-2025', size: 100 },
    dest: { index: 'copied' },
  })
  const pipeline = spawn(
    process.execPath,
    [
      join(root, 'bin/sandpiper.js'),
      'pipeline',
      '-e',
      'input { generator { lines => ["192.0.2.7 GET /x 12", "bad"] } } filter { sleep { time => "0.01" every => 1 } grok { match => { "message" => "%{IP:client} %{WORD:verb}" } } mutate { lowercase => ["verb"] } } output { null {} }',
    ],
    { stdio: 'ignore' },
  )
  const writing = setInterval(
    () => void send('POST', '/issues/_doc', { title: 'written while you look', state: 'open' }).catch(() => {}),
    40,
  )
  try {
    await work()
  } finally {
    clearInterval(writing)
    pipeline.kill()
  }
}

async function withUsers(work) {
  const guarded = new Service()
  const authorization = `Basic ${btoa('elastic:for the pictures')}`
  process.env.ELASTIC_PASSWORD = 'for the pictures'
  await guarded.start(['--security', 'true'])
  try {
    const send = async (method, path, body) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const response = await fetch(`${guarded.url}/_security${path}`, { method, headers, body: JSON.stringify(body) })
      return response.json()
    }
    const read = (names, limits = {}) => ({ names, privileges: ['read', 'view_index_metadata'], ...limits })
    await send('PUT', '/role/sales-north', {
      cluster: ['monitor'],
      indices: [
        read(['orders-*'], {
          field_security: { grant: ['*'], except: ['card.*'] },
          query: { term: { region: 'north' } },
        }),
        read(['products', 'prices']),
      ],
    })
    await send('PUT', '/role/log-writer', {
      indices: [{ names: ['logs-*'], privileges: ['create_doc', 'auto_configure'] }],
    })
    const users = [
      ['ann', 'Ann Wade', ['sales-north', 'viewer']],
      ['bo', 'Bo Stint', ['editor']],
      ['dunlin', 'Dora Dunlin', ['log-writer', 'monitoring_user']],
    ]
    for (const [name, full_name, roles] of users)
      await send('PUT', `/user/${name}`, { password: 'a long one', full_name, email: `${name}@example.org`, roles })
    await send('PUT', '/user/bo/_disable')
    const writer = { ship: { indices: [{ names: ['logs-*'], privileges: ['create_doc', 'auto_configure'] }] } }
    await send('POST', '/api_key', { name: 'shipper-web-1', expiration: '90d', role_descriptors: writer })
    await send('POST', '/api_key', { name: 'shipper-web-2', expiration: '5d', role_descriptors: writer })
    await send('POST', '/api_key', { name: 'dashboard', role_descriptors: { r: { cluster: ['monitor'] } } })
    await send('POST', '/api_key', { name: 'forgotten' })
    await send('DELETE', '/api_key', { name: 'forgotten' })
    await work(guarded.url, authorization)
  } finally {
    delete process.env.ELASTIC_PASSWORD
    await guarded.stop()
    guarded.remove()
  }
}

/** The service of the other pictures takes the part of the cluster. */
async function withGateway(cluster, work) {
  const gateway = new Service()
  await gateway.start(['--cluster', cluster.url])
  try {
    for (let n = 0; n < 40; n++) await fetch(`${gateway.url}/logs-2025/_search?q=status:${200 + n}`)
    await work(gateway.url)
  } finally {
    await gateway.stop()
    gateway.remove()
  }
}
