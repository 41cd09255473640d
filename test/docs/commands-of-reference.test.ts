/**
 * Goal: every example of the endpoint reference works as written. Each page has a service of its own, and its examples are sent in their
 * order. Runs with `npm run test:docs`.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Example, referencePages } from './reference-pages.ts'
import { ShellSession } from './shell-session.ts'

const ALL = process.env['SANDPIPER_SLOW_TESTS'] === '1'
const PASSWORD = 'of the reference'

for (const { name, examples } of referencePages()) {
  if (examples.length === 0) continue
  test(`the examples of reference/${name} work as written`, {
    skip: ALL ? false : 'runs with npm run test:docs',
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-docs-'))
    mkdirSync(join(folder, 'backups'))
    const session = new ShellSession(folder)
    try {
      const isSecured = name === 'security.md'
      if (isSecured) process.env['ELASTIC_PASSWORD'] = PASSWORD
      const security = isSecured ? ['--security', 'true'] : []
      const url = await session.serve('--data', 'data', '--path-repo', 'backups', ...security)
      const headers = isSecured ? { authorization: `Basic ${btoa(`elastic:${PASSWORD}`)}` } : {}
      const words = new Map([['ELASTIC_PASSWORD', PASSWORD]])
      for (const example of examples) await send(url, headers, example, words)
    } finally {
      delete process.env['ELASTIC_PASSWORD']
      await session.end()
    }
  })
}

/** Sends an example with the ids of earlier answers in place of the words that stand for them. */
async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  example: Example,
  words: Map<string, string>,
): Promise<void> {
  const filled = (text: string) => text.replaceAll(/\b[A-Z]+_(?:ID|PASSWORD)\b/g, (word) => words.get(word) ?? word)
  const { method, place } = example
  const path = filled(example.path)
  const body = example.body === undefined ? undefined : filled(example.body)
  // Fetch sends no body with GET; the routes that take one take it with POST, too.
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': contentType(path) }) },
    ...(body === undefined ? {} : { body: isLines(path) ? `${body.trimEnd()}\n` : body }),
  })
  const text = await response.text()
  const where = `${place}: ${method} ${path}\n${text.slice(0, 600)}`
  if (example.status !== undefined) assert.equal(response.status, example.status, where)
  else
    assert.ok(
      response.status === 200 || response.status === 201 || response.status === 202,
      `${response.status} ${where}`,
    )
  if (path.includes('_bulk') || path.includes('_msearch')) assert.doesNotMatch(text, /"status":(4(?!04)|5)\d\d/, where)
  remember(path, text, words)
}

const isLines = (path: string) => /\/(_bulk|_msearch)(\/template)?(\?|$)/.test(path)
const contentType = (path: string) => (isLines(path) ? 'application/x-ndjson' : 'application/json')

function remember(path: string, text: string, words: Map<string, string>): void {
  if (!text.startsWith('{')) return
  const answer = JSON.parse(text) as Record<string, unknown>
  const keep = (word: string, value: unknown) => {
    if (typeof value === 'string') words.set(word, value)
  }
  keep('SCROLL_ID', answer['_scroll_id'])
  keep('TASK_ID', answer['task'])
  if (/\/_pit\?/.test(path)) keep('PIT_ID', answer['id'])
  if (/point_in_time\?/.test(path)) keep('PIT_ID', answer['pit_id'])
  if (/_async_search\?/.test(path)) keep('SEARCH_ID', answer['id'])
  if (/\/api_key$/.test(path)) keep('KEY_ID', answer['id'])
}
