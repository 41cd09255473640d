/**
 * The compressed size that a browser must load for each view of the console. `npm run build` prints the same figures.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const FIRST_VIEW_MAX_BYTES = 120_000
const VIEW_MAX_BYTES = 320_000

interface ViewSize {
  readonly files: readonly string[]
  readonly gz: number
  readonly br: number
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const views = JSON.parse(readFileSync(join(root, 'dist', 'console-sizes.json'), 'utf8')) as Record<string, ViewSize>

test('the first view of the console is at most 120 kB compressed, and every view at most 320 kB', () => {
  assert.ok(views['overview']!.gz <= FIRST_VIEW_MAX_BYTES, `overview: ${views['overview']!.gz} bytes`)
  for (const [name, { gz, br }] of Object.entries(views))
    assert.ok(Math.max(gz, br) <= VIEW_MAX_BYTES, `${name}: ${gz}`)
})

test('the page of the console refers only to existing files, and to no other host', () => {
  const folder = join(root, 'dist', 'bundle', 'console')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, url]) => url!)
    .filter((url) => !url.startsWith('data:'))
  assert.ok(named.length > 1)
  for (const url of named) {
    assert.ok(url.startsWith('/_sandpiper/console/'), url)
    readFileSync(join(folder, `${url.split('/').at(-1)}.br`))
  }
})
