// How long the first sight takes on this machine: printed, not judged.
import { chromium } from 'playwright-core'
import { CONSOLE, findBrowser } from './harness.mjs'

export async function measure(service) {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const rounds = []
  for (let round = 0; round < 5; round++) {
    await page.goto('about:blank')
    await page.goto(`${service.url}${CONSOLE}/`, { waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Indexing' }).waitFor()
    const figures = await page.evaluate(() => ({
      fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      interactive: performance.now(),
      bytes: performance
        .getEntriesByType('resource')
        .reduce((sum, entry) => sum + (/\.(js|css)$/.test(entry.name) ? entry.encodedBodySize : 0), 0),
    }))
    rounds.push(figures)
  }
  await browser.close()
  const median = (name) => rounds.map((one) => one[name]).sort((a, b) => a - b)[2]
  console.log(
    `overview on loopback: first contentful paint ${median('fcp').toFixed(0)} ms, interactive with its figures ${median('interactive').toFixed(0)} ms (median of 5), ${(rounds[0].bytes / 1000).toFixed(1)} kB of scripts and styles\n`,
  )
}
