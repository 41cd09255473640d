import assert from 'node:assert/strict'
import { sender } from '../data.mjs'
import { scenario } from '../harness.mjs'

scenario('overview shows health with its reason, documents, disk and memory', async ({ page, open }) => {
  await open('/')
  await page.getByText('Yellow', { exact: true }).waitFor()
  await page.getByText('1 index asks for a replica; one node has none.').waitFor()
  assert.match(await page.locator('.figures').innerText(), /Documents\s+[\d,]{5,}/)
})

scenario('overview shows rates while documents are written', async ({ page, open, service }) => {
  await open('/')
  await page.getByRole('heading', { name: 'Indexing' }).waitFor()
  const send = sender(service.url)
  await send('PUT', '/live', { settings: { number_of_replicas: 0 } })
  await page.waitForTimeout(2500)
  for (let n = 0; n < 40; n++) await send('POST', '/live/_doc', { n })
  await page.waitForFunction(() => {
    const strong = document.querySelector('[aria-label="Indexing"] header .strong')
    return strong !== null && strong.textContent !== '0'
  })
  await send('DELETE', '/live')
})

scenario('overview lists the slowest searches and opens one with profile', async ({ page, open, service }) => {
  await sender(service.url)('POST', '/logs-2025/_search', {
    size: 0,
    query: { wildcard: { message: { value: '*e*' } } },
    aggs: { a: { terms: { field: 'path', size: 5000 } } },
  })
  await open('/')
  const panel = page.getByRole('region', { name: 'Slowest searches' })
  await panel.getByRole('button').first().click()
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  await page.getByText('"profile"').first().waitFor()
})

scenario('overview shows its requests as console text, curl, JavaScript and Python', async ({ page, open }) => {
  await open('/')
  await page.getByRole('heading', { name: 'Indexing' }).waitFor()
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('GET /_cluster/health').waitFor()
  await dialog.getByRole('button', { name: 'curl' }).click()
  await dialog.getByText(/curl -X GET 'http:/).waitFor()
  await dialog.getByRole('button', { name: 'Python' }).click()
  await dialog.getByText(/client\.perform_request/).waitFor()
  await dialog.getByRole('button', { name: 'JavaScript' }).click()
  await dialog.getByText(/client\.transport\.request/).waitFor()
})

scenario('replicas are set to 0 from the overview, and the health turns green', async ({ page, open, service }) => {
  await open('/')
  await page.getByRole('button', { name: 'Set replicas to 0' }).click()
  await page.getByText('Green', { exact: true }).waitFor()
  await sender(service.url)('PUT', '/issues/_settings', { index: { number_of_replicas: 1 } })
})

scenario(
  'a service that goes away is said, and its return is noticed',
  async ({ page, open, service }) => {
    await open('/')
    await page.getByRole('heading', { name: 'Indexing' }).waitFor()
    await service.stop()
    await page.getByText(/No answer from 127\.0\.0\.1/).waitFor()
    await service.start()
    await page.getByText(/No answer from 127\.0\.0\.1/).waitFor({ state: 'detached', timeout: 20_000 })
    await page.getByText('Connected again').waitFor()
  },
  { errors: [/ERR_/] },
)
