/**
 * Goal: every command of README and manual works as written. Each `sh` block runs in a shell in the order of its page,
 * each `js` block in Node. `npm test` runs those of the README, `npm run test:docs` all of them. Blocks marked `client` need a client package and run with `npm run test:clients`.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type CodeBlock, codeBlocks } from './code-blocks.mjs'
import { FIXTURES } from './page-fixtures.ts'
import { curl, ShellSession } from './shell-session.ts'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
const MANUAL = 'docs/manual'
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, MANUAL), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${MANUAL}/${name}`),
].sort()

const ALL = process.env['SANDPIPER_SLOW_TESTS'] === '1'

/**
 * Languages of blocks that are no commands: output, configuration and data, and requests, which
 * `commands-of-reference.test.ts` sends.
 */
const SHOWN_ONLY = new Set(['text', 'json', 'yaml', 'ruby', 'conf', 'console'])

const pages = PAGES.map((page) => ({ page, blocks: codeBlocks(page, readFileSync(join(ROOT, page), 'utf8')) }))

test('every block of README and manual names its language', () => {
  const unknown = pages
    .flatMap(({ blocks }) => blocks)
    .filter(({ language }) => language !== 'sh' && language !== 'js' && language !== 'py' && !SHOWN_ONLY.has(language))
  assert.deepEqual(unknown.map(place), [])
})

for (const { page, blocks } of pages) {
  const commands = blocks.filter(({ language, needs }) => ['sh', 'js'].includes(language) && !needs.includes('client'))
  if (commands.length === 0) continue
  test(`the commands of ${page} work as written`, { skip: reasonToSkip(page) }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-docs-'))
    const session = new ShellSession(folder)
    try {
      const fixture = FIXTURES[page] ?? {}
      const port = new URL(await session.serve('--data', 'beside', '--path-repo', 'backups')).port
      const adapted = (text: string) => inThisFolder(text, folder, port)
      for (const name of ['var/lib', 'var/log', 'backups']) mkdirSync(join(folder, name), { recursive: true })
      for (const [name, text] of Object.entries(fixture.files ?? {})) session.write(name, adapted(text))
      if (fixture.before !== undefined) await worked(session, 'before the first block', adapted(fixture.before))
      if (fixture.running !== undefined) await session.startPipeline(fixture.running)
      for (const block of commands) {
        if (block.language === 'sh') await worked(session, place(block), adapted(block.text))
        else {
          const { code, output } = await session.run(process.execPath, ['--input-type=module', '-e', block.text])
          assert.equal(code, 0, `${place(block)}\n${output}`)
        }
      }
    } finally {
      await session.end()
    }
  })
}

function reasonToSkip(page: string): string | false {
  if (curl() === undefined) return 'curl is not installed'
  return page === 'README.md' || ALL ? false : 'runs with npm run test:docs'
}

async function worked(session: ShellSession, where: string, commands: string): Promise<void> {
  const { code, output } = await session.run('bash', ['-euo', 'pipefail', '-c', commands])
  await session.stopServices()
  assert.equal(code, 0, `${where}\n${commands}\n${output}`)
}

/** Commands with the address and the folders of this test in place of the usual ones. */
function inThisFolder(text: string, folder: string, port: string): string {
  return text
    .replaceAll(/\b(127\.0\.0\.1|localhost|other|a|b):9200\b/g, `127.0.0.1:${port}`)
    .replaceAll('--host 0.0.0.0', '--host 127.0.0.1')
    .replaceAll(/(?<=[\s"'])\/(var|etc|backups)\b/g, `${folder}/$1`)
}

function place({ page, line }: CodeBlock): string {
  return `${page}:${line}`
}
