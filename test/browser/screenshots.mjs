// The pictures of docs/console: every view in light and dark.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { sender } from './data.mjs'
import { CONSOLE, findBrowser } from './harness.mjs'

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
  ['tasks', '/tasks', (page) => page.waitForTimeout(1500)],
  ['grok', '/pipelines/grok', (page) => page.getByRole('option').nth(2).click({ timeout: 60_000 })],
  ['config', '/pipelines/config', (page) => page.locator('.change').first().waitFor()],
  ['running', '/pipelines/running', (page) => page.locator('.node-card').first().waitFor()],
]

async function runRequest(page) {
  await page.locator('.cm-content').first().click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Enter')
  await page.locator('.cm-editor .note').waitFor()
}

async function openDocument(page) {
  await page.locator('.hits-table tbody tr:not(.spacer)').nth(2).click()
  await page.getByRole('region', { name: 'Document' }).waitFor()
}

async function zoomMap(page) {
  await page.getByRole('button', { name: 'Zoom to the tiles' }).click()
  await page.locator('.map .tile').first().waitFor()
}

export async function takeScreenshots(service) {
  mkdirSync(folder, { recursive: true })
  const send = sender(service.url)
  await send('POST', '/logs-2025/_pit?keep_alive=10m')
  await send('POST', '/issues/_search?scroll=40s', { size: 10 })
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
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  try {
    for (const theme of ['light', 'dark']) {
      for (const [name, path, prepare] of VIEWS) {
        const context = await browser.newContext({
          viewport: { width: 1440, height: 900 },
          colorScheme: theme,
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        await page.goto(service.url + CONSOLE + path)
        await prepare(page)
        await page.waitForTimeout(700)
        await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
        await context.close()
        console.log(`${name}-${theme}.png`)
      }
    }
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 1,
      colorScheme: 'light',
    })
    const page = await context.newPage()
    await page.goto(`${service.url}${CONSOLE}/discover?index=logs-2025`)
    await page.locator('.hits-table tbody tr').nth(3).waitFor()
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(folder, 'discover-390-light.png') })
  } finally {
    clearInterval(writing)
    pipeline.kill()
    await browser.close()
  }
}
