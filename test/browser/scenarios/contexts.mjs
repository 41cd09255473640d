import assert from 'node:assert/strict'
import { sender } from '../data.mjs'
import { scenario } from '../harness.mjs'

scenario(
  'open contexts are listed with owner, time left and what they pin, and ended',
  async ({ page, open, service }) => {
    const send = sender(service.url)
    await send('POST', '/logs-2025/_pit?keep_alive=5m')
    await send('POST', '/issues/_search?scroll=5m', { size: 1 })
    await open('/contexts')
    await page.locator('.ctx tbody tr').nth(1).waitFor()
    await page.getByRole('button', { name: 'Scrolls' }).click()
    await page.getByRole('button', { name: 'End the scroll on issues' }).first().click()
    await page.getByText('Nothing is open').waitFor()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('button', { name: 'End all…' }).click()
    await page.getByLabel(/to confirm/).fill('end all')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /End \d+ context/ })
      .click()
    await page.getByText('Nothing is open').waitFor()
    assert.equal((await send('GET', '/_sandpiper/contexts')).total, 0)
  },
)

scenario(
  'contexts outlive a restart of the service',
  async ({ page, open, service }) => {
    const send = sender(service.url)
    const { id } = await send('POST', '/logs-2025/_pit?keep_alive=5m')
    await service.stop()
    await service.start()
    await open('/contexts')
    await page.locator('.ctx tbody tr').first().getByText('logs-2025').waitFor()
    await send('DELETE', '/_pit', { id })
  },
  { errors: [/ERR_/] },
)
