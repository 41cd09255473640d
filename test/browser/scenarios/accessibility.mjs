import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { scenario } from '../harness.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on a page that is serious or worse, one line each. */
export async function seriousFindings(page) {
  // The page's policy admits no injected script; the test runner evaluates it outside of the page's own.
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes
        .slice(0, 3)
        .map(({ target, failureSummary }) => `${target} ${failureSummary.split('\n')[1]?.trim() ?? ''}`)
      return `${id}: ${places.join(' | ')}`
    })
}

const VIEWS = [
  ['overview', '/', '.figures'],
  ['requests', '/requests', '.cm-content'],
  ['discover', '/discover?index=logs-2025&doc=logs-2025/17&f=host:web-1', '.hits-table'],
  ['aggregations', '/aggregations?index=sorted&kind=composite&by=host&by=status', '.heatgrid'],
  ['levels', '/aggregations?index=issues&kind=levels&path=comments&by=comments.author', '.lanes'],
  ['indices', '/indices', '.table'],
  ['one index', '/indices/issues/mapping', '.tree'],
  ['analyzer', '/indices/issues/analyze', '.token'],
  ['contexts', '/contexts', '.figures'],
  ['tasks', '/tasks', '.bar'],
  ['grok', '/pipelines/grok', '.grokline'],
  ['configuration', '/pipelines/config', '.change'],
  ['running', '/pipelines/running?port=9699', '.empty'],
]

for (const theme of ['light', 'dark']) {
  for (const [name, path, ready] of VIEWS) {
    scenario(
      `axe finds nothing serious in ${name}, ${theme}`,
      async ({ page, open }) => {
        await open(path)
        await page.locator(ready).first().waitFor()
        await page.waitForTimeout(300)
        assert.deepEqual(await seriousFindings(page), [])
      },
      { theme },
    )
  }
}
