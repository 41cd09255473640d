import assert from 'node:assert/strict'
import { sender } from '../data.mjs'
import { scenario } from '../harness.mjs'

const sentence = (page) => page.locator('.sentence')
const number = (text) => Number(text.replaceAll(',', ''))

scenario('terms are listed with a chart and the documents of the others', async ({ page, open }) => {
  await open('/aggregations?index=logs-2025&by=host')
  await sentence(page).getByText('20', { exact: true }).waitFor()
  await page.locator('.uplot canvas').waitFor()
  await sentence(page)
    .getByText(/documents in other buckets/)
    .waitFor()
})

scenario('composite is paged to the end and has as many buckets as the API', async ({ page, open, service }) => {
  await open('/aggregations?index=logs-2025&kind=composite&by=host&by=@timestamp/1d&size=100')
  await sentence(page)
    .getByText(/end reached/)
    .waitFor({ timeout: 30_000 })
  const shown = number(await sentence(page).locator('b').first().innerText())
  const send = sender(service.url)
  let buckets = 0
  let after
  do {
    const { aggregations } = await send('POST', '/logs-2025/_search', {
      size: 0,
      aggs: {
        a: {
          composite: {
            size: 1000,
            sources: [
              { host: { terms: { field: 'host' } } },
              { day: { date_histogram: { field: '@timestamp', calendar_interval: 'day' } } },
            ],
            ...(after ? { after } : {}),
          },
        },
      },
    })
    buckets += aggregations.a.buckets.length
    after = aggregations.a.after_key
  } while (after !== undefined)
  assert.equal(shown, buckets)
})

scenario('composite says whether pages ended early, and why not', async ({ page, open }) => {
  await open('/aggregations?index=sorted&kind=composite&by=host&by=@timestamp/1d')
  await page.getByText('Early termination was used.').waitFor()
  await open('/aggregations?index=sorted&kind=composite&by=host&q=message:timeout')
  await page.locator('.ways').waitFor()
})

scenario('two sources are drawn as a heat map', async ({ page, open }) => {
  await open('/aggregations?index=sorted&kind=composite&by=host&by=status')
  await page.getByRole('img', { name: /Heat map of/ }).waitFor()
})

scenario('time spans are drawn as a line, and as bars when asked', async ({ page, open }) => {
  await open('/aggregations?index=logs-2025&kind=date_histogram&by=@timestamp/1d&m=avg:took')
  await page.getByRole('img', { name: /Lines of/ }).waitFor()
  await page.getByRole('button', { name: 'Bars' }).click()
  await page.getByRole('img', { name: /Bars of/ }).waitFor()
  await page.getByRole('columnheader', { name: 'avg took' }).waitFor()
})

scenario('map tiles are drawn on the outlines of land, and zoomed to', async ({ page, open }) => {
  await open('/aggregations?index=logs-2025&kind=geotile_grid&by=place/6')
  await page.getByRole('img', { name: /Map with/ }).waitFor()
  await page.locator('.map .tile').first().waitFor()
  await page.getByRole('button', { name: 'Zoom to the tiles' }).click()
  await page.getByRole('button', { name: 'Show the world' }).waitFor()
})

scenario('ranges of a number have a bucket each', async ({ page, open }) => {
  await open('/aggregations?index=logs-2025&kind=range&by=took/..100,100..500,500..')
  await sentence(page).getByText('3', { exact: true }).waitFor()
})

scenario('spans of a number are counted', async ({ page, open }) => {
  await open('/aggregations?index=logs-2025&kind=histogram&by=took/200')
  await sentence(page)
    .getByText(/buckets/)
    .waitFor()
})

scenario(
  'nested and reverse_nested are drawn as levels whose counts are the API’s',
  async ({ page, open, service }) => {
    await open('/aggregations?index=issues&kind=levels&path=comments&by=comments.author')
    await page.locator('.lane.t2 .stop').first().waitFor()
    const { aggregations } = await sender(service.url)('POST', '/issues/_search', {
      size: 0,
      aggs: {
        down: {
          nested: { path: 'comments' },
          aggs: { who: { terms: { field: 'comments.author', size: 20 }, aggs: { back: { reverse_nested: {} } } } },
        },
      },
    })
    const first = aggregations.down.who.buckets[0]
    const stops = await page.locator('.stop b').allInnerTexts()
    assert.ok(
      stops.some((text) => number(text.split(' ')[0]) === aggregations.down.doc_count),
      stops.join(),
    )
    assert.ok(
      stops.some((text) => number(text.split(' ')[0]) === first.back.doc_count),
      stops.join(),
    )
    await page.getByText(`Why ${first.doc_count} is not ${first.back.doc_count}:`).waitFor()
  },
)

scenario('an index without nested fields has no levels, and says so', async ({ page, open }) => {
  await open('/aggregations?index=empty&kind=levels')
  await page.getByText('This index has no nested fields').waitFor()
})

scenario('the builder adds a source and a metric', async ({ page, open }) => {
  await open('/aggregations?index=logs-2025&by=host')
  await page.getByLabel('Kind').selectOption('composite')
  await page.getByRole('button', { name: 'Add a source' }).click()
  await page.getByRole('textbox', { name: 'Add a source' }).fill('stat')
  await page.getByRole('button', { name: /^status/ }).click()
  await page.getByRole('button', { name: 'Add a metric' }).click()
  await page.getByRole('button', { name: /^took/ }).click()
  await page.getByRole('columnheader', { name: 'avg took' }).waitFor()
  await page.waitForURL(/by=host&by=status/)
})

scenario('a bucket leads to its documents', async ({ page, open }) => {
  await open('/aggregations?index=logs-2025&by=host')
  await page.getByRole('link', { name: 'Documents' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Discover' }).waitFor()
  await page.locator('.chip').filter({ hasText: 'host' }).waitFor()
})
