/** Goal: every file that the developer pages name exists. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

const FILES = ['src', 'test', 'scripts', 'bench', 'bin', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `/${folder}/${path}`),
)

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
]

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')

test('every source file that a page names exists', () => {
  const missing: string[] = []
  for (const page of PAGES) {
    for (const [, path] of read(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs))`/g)) {
      if (!FILES.some((file) => file.endsWith(`/${path}`))) missing.push(`${page}: ${path}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('every folder below src/ that a page names exists', () => {
  const missing: string[] = []
  for (const page of PAGES) {
    for (const [, path] of read(page).matchAll(/`(src\/[\w/-]+)\/?`/g)) {
      if (!existsSync(join(ROOT, path!))) missing.push(`${page}: ${path}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('every link between pages leads to a file', () => {
  const missing: string[] = []
  for (const page of PAGES) {
    for (const [, target] of read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      if (!existsSync(join(ROOT, dirname(page), target!))) missing.push(`${page}: ${target}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('each walk names at least a dozen files in the order of its steps', () => {
  for (const walk of ['search', 'write', 'event']) {
    const steps = [...read(`docs/walks/${walk}.md`).matchAll(/^\| (\d+) \| `(src\/[^`]+)`/gm)].map(([, step]) =>
      Number(step),
    )
    assert.ok(steps.length >= 12, walk)
    assert.deepEqual(
      steps,
      steps.map((_, i) => i + 1),
      walk,
    )
  }
})
