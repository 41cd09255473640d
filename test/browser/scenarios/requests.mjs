import assert from 'node:assert/strict'
import { scenario } from '../harness.mjs'

const editor = (page) => page.locator('.requests .editor .cm-content')
const answer = (page) => page.locator('.requests .answer')

/** Replaces the document by a text, through the address. */
async function write(page, open, text) {
  await open(`/requests#t=${encodeURIComponent(text)}`)
  await editor(page).click()
  await page.keyboard.press('Control+Home')
}

scenario('a request is sent with Ctrl+Enter and answered with status, time and size', async ({ page, open }) => {
  await write(page, open, 'GET _cluster/health')
  await page.keyboard.press('Control+Enter')
  await answer(page).locator('.answerfigures .badge.ok').waitFor()
  await answer(page).getByText('"cluster_name"').waitFor()
  assert.match(await answer(page).locator('[role=status]').innerText(), /m?s · \d+ B/)
})

scenario('the request under the cursor is sent, not the first', async ({ page, open }) => {
  await write(page, open, 'GET _cluster/health\n\nGET issues/_count\n{ "query": { "term": { "state": "open" } } }\n')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+Enter')
  await answer(page).getByText('"count"').waitFor()
})

scenario('Ctrl+Shift+Enter sends all requests of the document', async ({ page, open }) => {
  await write(page, open, '# one\nGET _cluster/health\n\n# two\nGET _cat/indices?v\n')
  await page.keyboard.press('Control+Shift+Enter')
  await answer(page).getByRole('list', { name: 'Answers' }).getByRole('listitem').nth(1).waitFor()
  await answer(page)
    .getByRole('button', { name: /GET \/_cat\/indices/ })
    .click()
  await answer(page).getByText('logs-2025').first().waitFor()
})

scenario('comments and triple quotes are understood', async ({ page, open }) => {
  await write(
    page,
    open,
    'POST issues/_search\n{\n  # a comment\n  "size": 0, // another\n  "query": { "query_string": { "query": """\nstate:open\n""" } }\n}',
  )
  await page.keyboard.press('Control+Enter')
  await answer(page).getByText('"hits"').first().waitFor()
  await answer(page).locator('.answerfigures .badge.ok').waitFor()
})

scenario('a fault of the server is marked at its word, with a fix to take', async ({ page, open }) => {
  await write(
    page,
    open,
    '# first line\nGET logs-2025/_search\n{\n  "query": {\n    "trem": { "host": "web-1" }\n  }\n}',
  )
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Enter')
  const note = page.locator('.cm-editor .note')
  await note.getByText('unknown query [trem]').waitFor()
  assert.match(await note.innerText(), /line 5, in the body line 3/)
  assert.equal(await page.locator('.wave').innerText(), '"trem"')
  await note.getByRole('button', { name: /Replace with term/ }).click()
  await page.keyboard.press('Control+Enter')
  await answer(page).locator('.answerfigures .badge.ok').waitFor()
  assert.equal(await page.locator('.cm-editor .note').count(), 0)
})

scenario('F8 goes to the fault and Alt+Enter takes the fix', async ({ page, open }) => {
  await write(page, open, 'GET logs-2025/_search\n{ "query": { "macth_all": {} } }')
  await page.keyboard.press('Control+Enter')
  await page.locator('.cm-editor .note').waitFor()
  await page.keyboard.press('F8')
  await page.keyboard.press('Alt+Enter')
  await editor(page).getByText('"match_all"').waitFor()
})

scenario('paths and indices are completed', async ({ page, open }) => {
  await write(page, open, 'GET logs-2025/_')
  await page.keyboard.press('End')
  await page.keyboard.press('Control+Space')
  await page.locator('.cm-tooltip-autocomplete').getByText('_search', { exact: true }).first().waitFor()
})

scenario('clauses of a query are completed with their template', async ({ page, open }) => {
  await write(page, open, 'GET logs-2025/_search\n{ "query": { "ter')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Space')
  const list = page.locator('.cm-tooltip-autocomplete')
  await list.getByText('One exact value').waitFor()
  await list.getByText('One exact value').click()
  await editor(page).getByText('"term"').waitFor()
})

scenario('names of fields are completed from the mapping', async ({ page, open }) => {
  await write(page, open, 'GET logs-2025/_search\n{ "aggs": { "a": { "terms": { "field": "')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Space')
  await page.locator('.cm-tooltip-autocomplete').getByText('session').waitFor()
})

scenario('a pasted curl command becomes a request', async ({ page, open }) => {
  await write(page, open, '')
  await page.evaluate(() =>
    navigator.clipboard.writeText(
      `curl -XPOST 'http://localhost:9200/issues/_search?size=1' -H 'Content-Type: application/json' -d '{"query":{"match_all":{}}}'`,
    ),
  )
  await editor(page).click()
  await page.keyboard.press('Control+v')
  await page.getByText('The curl command became a request').waitFor()
  await editor(page).getByText('POST').waitFor()
  await editor(page).getByText('/issues/_search?size=1').waitFor()
})

scenario('history keeps what was sent and finds it by a part', async ({ page, open }) => {
  await write(page, open, 'GET issues/_count')
  await page.keyboard.press('Control+Enter')
  await answer(page).getByText('"count"').waitFor()
  await page.keyboard.press('Control+Alt+h')
  const dialog = page.getByRole('dialog', { name: 'History' })
  await dialog.getByLabel('Find in history').fill('_count')
  await dialog.getByRole('button', { name: /issues\/_count/ }).click()
  await dialog.waitFor({ state: 'detached' })
})

scenario('large numbers stay exact in the answer', async ({ page, open }) => {
  await write(page, open, 'GET hostile/_doc/1')
  await page.keyboard.press('Control+Enter')
  await answer(page).getByText('90071992547409931').waitFor()
})

scenario('hits are shown as a table', async ({ page, open }) => {
  await write(page, open, 'GET issues/_search\n{ "size": 3 }')
  await page.keyboard.press('Control+Enter')
  await answer(page).locator('.answerfigures .badge.ok').waitFor()
  await answer(page).getByRole('tab', { name: 'As table' }).click()
  await answer(page).getByRole('columnheader', { name: 'state' }).waitFor()
  assert.equal(await answer(page).locator('tbody tr').count(), 3)
})

scenario('a long answer is folded and says what a fold holds', async ({ page, open }) => {
  await write(page, open, 'GET logs-2025/_search\n{ "size": 30 }')
  await page.keyboard.press('Control+Enter')
  await answer(page).locator('.cm-foldPlaceholder').first().waitFor()
  assert.match(await answer(page).locator('.cm-foldPlaceholder').first().innerText(), /\d+ fields/)
})

scenario('a page beyond the window offers to go on with a point in time', async ({ page, open }) => {
  await write(page, open, 'GET logs-2025/_search\n{ "from": 20000, "size": 10 }')
  await page.keyboard.press('Control+Enter')
  await answer(page).getByRole('button', { name: 'Go on from here' }).click()
  await editor(page).getByText('search_after').waitFor()
})

scenario('documents of the editor are kept over a reload', async ({ page, open }) => {
  await write(page, open, 'GET _cat/nodes')
  await page.reload()
  await editor(page).getByText('_cat/nodes').waitFor()
})
