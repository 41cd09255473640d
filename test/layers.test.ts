import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** What each folder of src/ may import, besides itself and node: modules. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  engine: ['base'],
  service: ['base', 'engine'],
  http: ['base', 'service'],
  threads: ['base', 'engine', 'service', 'http'],
  server: ['base', 'service', 'http', 'threads'],
  pipeline: ['base'],
  testing: ['base', 'service', 'http', 'server', 'pipeline'],
  cli: ['base', 'service', 'http', 'server', 'pipeline', 'testing'],
}

const SRC = resolve(dirname(fileURLToPath(import.meta.url)), '..', 'src')

test('imports between the folders of src/ point one way', () => {
  assert.deepEqual(findViolations(), [])
})

function findViolations(): string[] {
  const violations: string[] = []
  for (const path of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue
    const file = join(SRC, path)
    const from = folderOf(file)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const to = folderOf(resolve(dirname(file), specifier!))
      if (to !== from && !MAY_IMPORT[from]?.includes(to)) violations.push(`${path} imports ${to}`)
    }
  }
  return violations
}

function folderOf(file: string): string {
  return relative(SRC, file).split(sep)[0]!
}
