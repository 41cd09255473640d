/** Goal: the documentation site works from a folder: its links lead somewhere and it loads nothing from other hosts. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
const site = mkdtempSync(join(tmpdir(), 'sandpiper-site-'))
after(() => rmSync(site, { recursive: true, force: true }))

const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build-docs.mjs'), site], { encoding: 'utf8' })
const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
const read = (name: string) => readFileSync(join(site, name), 'utf8')

test('the site has a page for every page of the manual', () => {
  assert.equal(built.status, 0, built.stderr)
  const sources = readdirSync(join(ROOT, 'docs', 'manual'), { recursive: true, encoding: 'utf8' })
  for (const name of sources.filter((source) => source.endsWith('.md'))) {
    assert.ok(pages.includes(join('manual', name.replace(/\.md$/, '.html').toLowerCase())), name)
  }
})

test('every link and image of the site leads to a file and to a heading in it', () => {
  const broken: string[] = []
  for (const page of pages) {
    for (const [, address] of read(page).matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(address!)) continue
      const [path, fragment] = address!.split('#')
      const target = path === '' ? page : join(dirname(page), path!)
      if (!existsSync(join(site, target))) broken.push(`${page}: ${address}`)
      else if (fragment !== undefined && !read(target).includes(`id="${fragment}"`)) broken.push(`${page}: ${address}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('the site loads no script, style or image from another host', () => {
  for (const page of pages) {
    assert.doesNotMatch(read(page), /<(?:script|img|link|iframe)[^>]*(?:src|href)="(?:https?:)?\/\//, page)
  }
})

test('the search finds sections by words of their text', () => {
  const element = { value: '', hidden: true, textContent: '', addEventListener() {}, append() {} }
  const document = { getElementById: () => element, body: { dataset: { root: './' } }, addEventListener() {} }
  const found = runInNewContext(
    `${read('search-index.js')}\n${read('search.js')}\nfind('scroll restart').map(({ path }) => path)`,
    { document },
  )
  assert.ok(found.length > 0)
  assert.ok(found.every((path: string) => pages.includes(path)))
})
