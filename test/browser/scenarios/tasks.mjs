import assert from 'node:assert/strict'
import { sender } from '../data.mjs'
import { CONSOLE, scenario } from '../harness.mjs'

/** A reindex that takes about half a minute. */
const startReindex = (send, dest) =>
  send('POST', '/_reindex?wait_for_completion=false&requests_per_second=800', {
    source: { index: 'logs-2025', size: 200 },
    dest: { index: dest },
  })

scenario('tasks show a reindex with its progress, and cancel it', async ({ page, open, service }) => {
  const send = sender(service.url)
  await open('/tasks')
  const { task } = await startReindex(send, 'copied')
  const row = page.locator('.ctx tbody tr', { hasText: 'Reindex' }).first()
  await row.getByText(/\d of 25,000 documents/).waitFor()
  await row.getByRole('progressbar').waitFor()
  await row.getByRole('button', { name: 'Cancel Reindex' }).click()
  await page.getByText('is being cancelled').waitFor()
  await send('GET', `/_tasks/${task}?wait_for_completion=true&timeout=60s`)
  // It stays listed with its outcome.
  await page
    .locator('.ctx tbody tr', { hasText: 'Reindex' })
    .first()
    .getByText(/cancelled/)
    .waitFor()
  // It may have been cancelled before it wrote anything.
  await send('DELETE', '/copied?ignore_unavailable=true')
})

scenario(
  'an update by query that ends stays listed, and its page shows the result',
  async ({ page, open, service }) => {
    const send = sender(service.url)
    await open('/tasks')
    const { task } = await send(
      'POST',
      '/issues/_update_by_query?wait_for_completion=false&requests_per_second=200&scroll_size=100',
    )
    const row = page.locator('.ctx tbody tr', { hasText: 'Update by query' }).first()
    await row.waitFor()
    await row.getByText('done', { exact: true }).waitFor({ timeout: 30_000 })
    await row.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: `Task ${task}` }).waitFor()
    await page.getByText('"updated": 400').waitFor()
    await page.keyboard.press('x')
    await page.getByRole('dialog').getByText(`GET /_tasks/${task}`).waitFor()
  },
)

scenario('an address of a task that does not exist says so', async ({ page, open }) => {
  await open('/tasks/nobody:1')
  await page.getByRole('alert').waitFor()
})

scenario('a snapshot in progress is cancelled by its deletion', async ({ page, service }) => {
  // The repository of the test is too fast to be watched, so that the answer about running snapshots is given here.
  const deleted = []
  await page.route('**/_snapshot/_status', (route) =>
    route.fulfill({
      json: {
        snapshots: [
          {
            snapshot: 'night',
            repository: 'disk',
            shards_stats: { done: 3, total: 4 },
            stats: { total: { size_in_bytes: 5_000_000 }, start_time_in_millis: Date.now() - 3000 },
          },
        ],
      },
    }),
  )
  await page.route('**/_snapshot/disk/night', (route) => {
    deleted.push(route.request().method())
    return route.fulfill({ json: { acknowledged: true } })
  })
  await page.goto(`${service.url}${CONSOLE}/tasks`)
  const row = page.locator('.ctx tbody tr', { hasText: 'Snapshot night' })
  await row.getByText('3 of 4 shards · 5.00 MB').waitFor()
  await row.getByRole('button', { name: 'Cancel Snapshot night' }).click()
  await page.getByText('Snapshot night is being cancelled').waitFor()
  assert.deepEqual(deleted, ['DELETE'])
})

scenario('a restore is listed with its bytes after it is done', async ({ page, open, service }) => {
  const send = sender(service.url)
  await send('PUT', '/_snapshot/disk', { type: 'fs', settings: { location: 'disk' } })
  await send('PUT', '/_snapshot/disk/one?wait_for_completion=true', { indices: 'issues', include_global_state: false })
  await send('POST', '/_snapshot/disk/one/_restore?wait_for_completion=true', {
    indices: 'issues',
    rename_pattern: 'issues',
    rename_replacement: 'issues-restored',
  })
  await open('/tasks')
  const row = page.locator('.ctx tbody tr', { hasText: 'Restore of one' })
  await row.getByText('from disk to issues-restored').waitFor()
  await row.getByText('done', { exact: true }).waitFor()
  await send('DELETE', '/issues-restored')
  await send('DELETE', '/_snapshot/disk/one')
})
