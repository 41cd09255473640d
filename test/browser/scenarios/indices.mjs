import assert from 'node:assert/strict'
import { sender } from '../data.mjs'
import { scenario } from '../harness.mjs'

scenario('indices are listed and found by a part of their name', async ({ page, open }) => {
  await open('/indices')
  await page.getByRole('link', { name: 'logs-2025' }).waitFor()
  await page.getByLabel('Find an index').fill('iss')
  await page.getByRole('link', { name: 'logs-2025' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'issues' }).waitFor()
})

scenario('hidden indices are behind a switch', async ({ page, open }) => {
  await open('/indices')
  await page.getByRole('link', { name: 'issues' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /^\.ds-metrics/ }).count(), 0)
  await page.getByLabel(/Show \d+ hidden/).check()
  await page.getByRole('link', { name: /^\.ds-metrics/ }).waitFor()
})

scenario('an index is created, looked at and deleted by typing its name', async ({ page, open, service }) => {
  await open('/indices')
  await page.getByRole('button', { name: 'Create…' }).click()
  await page.getByLabel('Name').fill('made-here')
  await page.getByLabel(/Mapping as JSON/).fill('{ "properties": { "title": { "type": "text" } } }')
  await page.getByRole('button', { name: 'Create index' }).click()
  await page.getByRole('heading', { level: 1, name: 'made-here' }).waitFor()
  await page.getByText('title', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const remove = page.getByRole('button', { name: 'Delete index' })
  assert.ok(await remove.isDisabled())
  await page.getByLabel(/to confirm/).fill('made-here')
  await remove.click()
  await page.getByRole('heading', { level: 1, name: 'Indices' }).waitFor()
  await assert.rejects(sender(service.url)('GET', '/made-here'), /index_not_found/)
})

scenario('a name that is not allowed is a fault in the dialog', async ({ page, open }) => {
  await open('/indices?create=new')
  await page.getByLabel('Name').fill('Upper')
  await page.getByRole('button', { name: 'Create index' }).click()
  await page
    .getByRole('dialog')
    .getByRole('alert')
    .getByText(/must be lowercase/)
    .waitFor()
})

scenario('a mapping is a tree that opens level by level and is searched', async ({ page, open }) => {
  await open('/indices/issues/mapping')
  await page.getByRole('button', { name: 'Open comments' }).click()
  await page.getByText('author', { exact: true }).waitFor()
  await page.getByLabel('Find a field').fill('reactions')
  await page.getByText('reactions', { exact: true }).waitFor()
})

scenario('the mapping of 1,000 fields opens in part and finds the last', async ({ page, open }) => {
  await open('/indices/wide/mapping')
  await page.getByText('1,000 fields').waitFor()
  await page.getByLabel('Find a field').fill('field_0999')
  await page.getByText('field_0999', { exact: true }).waitFor()
})

scenario('a setting is changed, and one that cannot be is a fault', async ({ page, open }) => {
  await open('/indices/issues/settings')
  await page.getByLabel('Setting').fill('refresh_interval')
  await page.getByLabel('Value').fill('5s')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByText('index.refresh_interval', { exact: true }).waitFor()
  await page.getByLabel('Setting').fill('number_of_shards')
  await page.getByLabel('Value').fill('7')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('alert').waitFor()
})

scenario('an alias is added and removed', async ({ page, open }) => {
  await open('/indices/issues/aliases')
  await page.getByLabel('New alias').fill('tickets')
  await page.getByRole('button', { name: 'Add alias' }).click()
  await page.getByRole('button', { name: 'Remove the alias tickets' }).click()
  await page.getByText('This index has no alias.').waitFor()
})

scenario('segments are listed, and merged to one', async ({ page, open }) => {
  await open('/indices/sorted/segments')
  await page.locator('tbody tr').first().waitFor()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: /Force merge/ }).click()
  await page.getByText('1 segment,').waitFor({ timeout: 15_000 })
})

scenario('an index is closed and opened again', async ({ page, open }) => {
  await open('/indices/empty/mapping')
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Close' }).click()
  await page.getByText('closed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Open' }).click()
  await page.getByText(/0 documents/).waitFor()
})

scenario('the analyzer playground shows what each step does', async ({ page, open }) => {
  await open('/indices/issues/analyze?by=own%20steps&text=The%20Running%20foxes')
  await page.locator('.token.gone').getByText('the').waitFor()
  await page.locator('.token.new').getByText('run', { exact: true }).waitFor()
})

scenario('data streams, templates and aliases are listed', async ({ page, open }) => {
  await open('/indices?show=streams')
  await page.getByRole('link', { name: 'metrics-web', exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Templates' }).click()
  await page.getByText('for metrics-*').waitFor()
  await page.getByRole('tab', { name: 'Aliases' }).click()
  await page.getByRole('link', { name: 'logs', exact: true }).waitFor()
})

scenario('an index that is missing opens with a fault', async ({ page, open }) => {
  await open('/indices/nosuch')
  await page
    .getByRole('alert')
    .getByText(/no such index/)
    .waitFor()
})

scenario('names of indices can be read on a phone', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/indices')
  const name = page.locator('table.virtual tbody tr:not(.spacer) td').first()
  await name.waitFor()
  assert.ok((await name.boundingBox()).width > 120)
  await page.setViewportSize({ width: 1440, height: 900 })
})
