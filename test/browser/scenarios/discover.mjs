import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { EVENTS, sender, WIDE_FIELDS, XSS } from '../data.mjs'
import { scenario } from '../harness.mjs'

const rows = (page) => page.locator('.hits-table tbody tr:not(.spacer)')
const status = (page) => page.locator('.totals')
const thousands = (value) => value.toLocaleString('en-US')

scenario('documents of an index are listed, newest first, with a histogram', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await rows(page).first().waitFor()
  await status(page).getByText('At least 10,000').waitFor()
  await page.locator('.timebar').first().waitFor()
})

scenario('without a name the newest index with documents is opened', async ({ page, open }) => {
  await open('/discover')
  await page.waitForURL(/index=/)
  await rows(page).first().waitFor()
})

scenario(
  'Search sends the same search again, and shows what was written meanwhile',
  async ({ page, open, service }) => {
    const send = sender(service.url)
    await send('PUT', '/again/_doc/1?refresh=true', { '@timestamp': '2025-01-01T00:00:00Z', n: 1 })
    await open('/discover?index=again')
    await status(page).getByText('1 document').waitFor()
    await send('PUT', '/again/_doc/2?refresh=true', { '@timestamp': '2025-01-02T00:00:00Z', n: 2 })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await status(page).getByText('2 documents').waitFor()
    await page.getByLabel('Refresh', { exact: true }).selectOption('2000')
    await send('PUT', '/again/_doc/3?refresh=true', { '@timestamp': '2025-01-03T00:00:00Z', n: 3 })
    await status(page).getByText('3 documents').waitFor()
    await send('DELETE', '/again')
  },
)

scenario('a chosen column stands beside the time of the documents', async ({ page, open }) => {
  await open('/discover?index=logs-2025&cols=host')
  await rows(page).first().waitFor()
  assert.deepEqual(await page.locator('.hits-table th').allInnerTexts(), ['@timestamp↓', 'host'])
})

scenario('the count is exact when asked for', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await page.getByRole('button', { name: 'Count exactly' }).click()
  await status(page).getByText(thousands(EVENTS)).waitFor()
})

scenario(
  'scrolling goes on past 10,000 hits through a point in time, in the order of the API',
  async ({ page, open, service }) => {
    await open('/discover?index=logs-2025&cols=@timestamp,session')
    await rows(page).first().waitFor()
    for (let turn = 0; turn < 60; turn++) {
      const loaded = await page.locator('.hits .footer').innerText()
      if (Number(/([\d,]+) loaded/.exec(loaded)[1].replaceAll(',', '')) > 12_000) break
      await page.evaluate(() => {
        const box = document.querySelector('.hitbox')
        box.scrollTop = box.scrollHeight
      })
      await page.waitForTimeout(120)
    }
    await page.getByText(/By a point in time/).waitFor()
    await page.evaluate(() => {
      document.querySelector('.hitbox').scrollTop = 11_000 * 34
    })
    await page.waitForFunction(() => document.querySelector('tr[aria-rowindex="11001"]') !== null)
    const shown = await page.locator('tr[aria-rowindex="11001"] td').first().getAttribute('title')
    const send = sender(service.url)
    const { id } = await send('POST', '/logs-2025/_pit?keep_alive=1m')
    let after
    let seen = 0
    let expected
    while (expected === undefined) {
      const page_ = await send('POST', '/_search', {
        size: 5000,
        pit: { id, keep_alive: '1m' },
        sort: [{ '@timestamp': 'desc' }],
        track_total_hits: false,
        ...(after ? { search_after: after } : {}),
      })
      if (seen + page_.hits.hits.length > 11_000) expected = page_.hits.hits[11_000 - seen]._source['@timestamp']
      seen += page_.hits.hits.length
      after = page_.hits.hits.at(-1).sort
    }
    await send('DELETE', '/_pit', { id })
    assert.equal(shown, expected)
  },
)

scenario('only the rows in sight are in the page', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await rows(page).first().waitFor()
  assert.ok((await rows(page).count()) < 80)
})

scenario('the point in time is ended when the view is left', async ({ page, open, service }) => {
  const send = sender(service.url)
  for (const { id } of (await send('GET', '/_sandpiper/contexts')).contexts)
    await send('DELETE', `/_sandpiper/contexts/${encodeURIComponent(id)}`)
  await open('/discover?index=logs-2025')
  await rows(page).first().waitFor()
  await page.evaluate(() => {
    const box = document.querySelector('.hitbox')
    box.scrollTop = box.scrollHeight
  })
  await page.getByText(/By a point in time/).waitFor()
  await page.getByRole('link', { name: 'Tasks' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  await page.waitForTimeout(600)
  assert.equal((await send('GET', '/_sandpiper/contexts')).total, 0)
})

scenario('a query finds words and marks them', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await page.getByLabel('Query in Lucene syntax').fill('message:handshake AND status:500')
  await page.keyboard.press('Enter')
  await page.locator('mark').first().waitFor()
  assert.equal(await page.locator('mark').first().innerText(), 'handshake')
})

scenario('a query that cannot be read is a fault in its place', async ({ page, open }) => {
  await open('/discover?index=logs-2025&q=message:(')
  await page.getByRole('alert').waitFor()
})

scenario('a value is filtered for and out from the document view', async ({ page, open }) => {
  await open('/discover?index=issues')
  await rows(page).first().click()
  await page.getByRole('button', { name: 'Filter for this state' }).click({ force: true })
  await page.waitForURL(/f=state/)
  await page.locator('.chip').filter({ hasText: 'state' }).waitFor()
  await page.getByRole('button', { name: 'Remove the filter on state' }).click()
  await page.waitForFunction(() => !location.search.includes('f='))
})

scenario('a filter is added in a dialog and switched around by a click', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a filter' })
  await dialog.getByLabel('Field').fill('status')
  await dialog.getByRole('button', { name: 'between' }).click()
  await dialog.getByLabel('From').fill('500')
  await dialog.getByLabel('To').fill('599')
  await dialog.getByRole('button', { name: 'Add filter' }).click()
  await page.getByText('500 to 599').click()
  await page.locator('.chip.not').waitFor()
})

scenario('columns are chosen from the field list', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: 'host' }).click()
  await page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: 'status' }).click()
  await page.getByRole('columnheader', { name: 'status' }).waitFor()
  await page.waitForURL(/cols=host%2Cstatus/)
})

scenario('a column sorts the hits', async ({ page, open }) => {
  await open('/discover?index=logs-2025&cols=took,host')
  await page.getByRole('columnheader', { name: 'took' }).getByRole('button').click()
  await page.waitForURL(/sort=-took/)
  await rows(page).first().waitFor()
  await page.waitForTimeout(500)
  const values = (await rows(page).locator('td:first-child').allInnerTexts()).slice(0, 10).map(Number)
  assert.deepEqual(
    values,
    [...values].sort((a, b) => b - a),
  )
})

scenario('a range is dragged on the histogram and cleared by a click', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await page.locator('.timebar').first().waitFor()
  const box = await page.locator('.brush-chart').boundingBox()
  await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/from=.*to=/)
  await page.getByRole('slider', { name: 'Start of the range' }).waitFor()
  await page.mouse.click(box.x + box.width * 0.9, box.y + 40)
  await page.waitForFunction(() => !location.search.includes('from='))
})

scenario('a handle of the range moves with the arrow keys', async ({ page, open }) => {
  await open('/discover?index=logs-2025&from=2025-01-10T00:00:00.000Z&to=2025-01-20T00:00:00.000Z')
  const handle = page.getByRole('slider', { name: 'End of the range' })
  await handle.waitFor()
  await handle.focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForFunction(() => !location.search.includes('2025-01-20T00'))
})

scenario('no hit says what to do', async ({ page, open }) => {
  await open('/discover?index=logs-2025&q=message:nosuchword')
  await page.getByText('No document matches').waitFor()
  await page.getByRole('button', { name: 'Without the query' }).click()
  await rows(page).first().waitFor()
})

scenario('an index without documents says so', async ({ page, open }) => {
  await open('/discover?index=empty')
  await page.getByText('This index has no documents').waitFor()
})

scenario('an index that is missing is a fault with advice', async ({ page, open }) => {
  await open('/discover?index=nosuch')
  await page
    .getByRole('alert')
    .getByText(/no such index/)
    .waitFor()
})

scenario('a document opens by its address, as table, JSON and with its neighbours', async ({ page, open }) => {
  await open('/discover?index=logs-2025&doc=logs-2025/17')
  const drawer = page.getByRole('region', { name: 'Document' })
  await drawer.getByText('session').first().waitFor()
  await drawer.getByRole('tab', { name: 'JSON' }).click()
  await drawer.getByText('"@timestamp"').waitFor()
  await drawer.getByRole('tab', { name: 'Around this' }).click()
  await drawer.locator('.around li').nth(5).waitFor()
  await page.getByRole('button', { name: 'Close the document' }).click()
  await drawer.waitFor({ state: 'detached' })
})

scenario('rows are moved through and opened by keyboard', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await rows(page).first().waitFor()
  await page.locator('.hitbox').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Document' }).waitFor()
  assert.equal(await page.locator('tr[aria-selected="true"]').getAttribute('aria-rowindex'), '3')
})

scenario('a document with markup is shown as text and runs nothing', async ({ page, open }) => {
  await open('/discover?index=hostile&doc=hostile/1')
  await page.getByRole('region', { name: 'Document' }).getByText(XSS).first().waitFor()
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.waitForTimeout(300)
  assert.equal(await page.evaluate(() => window.hacked), undefined)
  assert.equal(await page.locator('img').count(), 0)
})

scenario('large numbers are exact in the table and the document', async ({ page, open }) => {
  await open('/discover?index=hostile&cols=big&doc=hostile/1')
  await rows(page).first().getByText('90071992547409931').waitFor()
  await page.getByRole('region', { name: 'Document' }).getByText('90071992547409931').waitFor()
})

scenario('an index with 1,000 fields is quick and its fields are found', async ({ page, open }) => {
  await open('/discover?index=wide')
  const list = page.getByRole('region', { name: 'Fields' })
  await list.getByText(`Others ${thousands(WIDE_FIELDS)}`).waitFor()
  assert.ok((await list.getByRole('listitem').count()) < 80)
  await list.getByLabel('Find a field').fill('0777')
  await list.getByText('field_0777').waitFor()
})

scenario('documents are exported as NDJSON, as many as counted', async ({ page, open }) => {
  await open('/discover?index=issues')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Export…' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n')
  assert.equal(lines.length, 400)
  assert.equal(new Set(lines.map((line) => JSON.parse(line)._id)).size, 400)
  await page.getByText(/400 documents exported, as many as counted/).waitFor()
})

scenario('documents are exported as CSV with exact numbers', async ({ page, open }) => {
  await open('/discover?index=hostile&cols=big')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Export…' }).click()
  await page.getByRole('button', { name: 'CSV' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  assert.equal(readFileSync(await download.path(), 'utf8'), '_index,_id,big\r\nhostile,1,90071992547409931\r\n')
})

scenario('an export can be stopped', async ({ page, open }) => {
  await open('/discover?index=logs-2025')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Export…' }).click()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText(/Stopped after/).waitFor()
})

scenario('an alias and a data stream are opened like an index', async ({ page, open }) => {
  await open('/discover?index=logs')
  await rows(page).first().waitFor()
  await open('/discover?index=metrics-web')
  await rows(page).first().waitFor()
})
