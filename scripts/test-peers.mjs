#!/usr/bin/env node
/**
 * Plugins against the real programs they talk to, as far as those are installed: `npm run test:peers`. Each peer is started on a free port
 * of the loopback interface with a folder of its own, and ended afterwards. What is not installed is skipped, and the table says so with the package
 * that has it. Small libraries come from the configured registries (npm, pip, Maven, Go), once.
 *   node scripts/test-peers.mjs [--only TEXT]
 * SANDPIPER_PEER_ELASTICSEARCH and SANDPIPER_PEER_OPENSEARCH are the addresses of running services; indices are made and deleted there.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { BROKERS } from '../test/peers/brokers.mjs'
import { DATABASES } from '../test/peers/databases.mjs'
import { firstLine, has, ROOT, Skipped, Surroundings } from '../test/peers/harness.mjs'
import { LOGS } from '../test/peers/logs.mjs'
import { NET } from '../test/peers/net.mjs'
import { SERVICES } from '../test/peers/services.mjs'

const RUBY = {
  name: 'Ruby',
  plugins: 'filter ruby, filter aggregate',
  program: 'ruby',
  package: 'ruby',
  version: () => firstLine('ruby', ['-v']),
  async run() {
    const seed = String(Math.floor(Math.random() * 1e6))
    const snippets = execFileSync(process.execPath, ['test/ruby/snippets.mjs', '1000', seed], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const recorded = execFileSync('ruby', ['--disable=error_highlight,did_you_mean', 'test/ruby/record.rb'], {
      cwd: ROOT,
      encoding: 'utf8',
      input: snippets,
      maxBuffer: 1e8,
    })
    const check = spawnSync(process.execPath, ['--import', 'tsx', 'test/ruby/compare.ts'], {
      cwd: ROOT,
      encoding: 'utf8',
      input: recorded,
    })
    const [agreeing, all] = check.stdout.trim().split('\n').at(-1).split(' ').map(Number)
    if (!(agreeing >= all * 0.99)) throw new Error(`seed ${seed}: ${check.stdout}${check.stderr}`)
    return `seed ${seed}: ${agreeing} of ${all} random snippets agree`
  },
}

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1].toLowerCase() : ''
const PEERS = [...BROKERS, ...DATABASES, ...LOGS, ...NET, ...SERVICES, RUBY].filter(({ name, plugins }) =>
  `${name} ${plugins}`.toLowerCase().includes(only),
)
const rows = []
for (const peer of PEERS) rows.push(await runPeer(peer))
console.log('| peer | version | plugins | result | |\n|---|---|---|---|---|')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
const count = (result) => rows.filter((row) => row[3] === result).length
console.log(`${count('passed')} passed, ${count('FAILED')} failed, ${count('skipped')} skipped`)
process.exitCode = count('FAILED') > 0 ? 1 : 0

async function runPeer({ name, plugins, program, package: source, isThere = () => has(program), version, run }) {
  if (!isThere()) return [name, '', plugins, 'skipped', `not installed; Debian has it in the package ${source}`]
  const surroundings = new Surroundings()
  let found = ''
  try {
    found = version()
    const what = await run(surroundings)
    console.error(`${name}: passed: ${what}`)
    return [name, found, plugins, 'passed', what]
  } catch (error) {
    const result = error instanceof Skipped ? 'skipped' : 'FAILED'
    console.error(`${name}: ${result}: ${error.message}`)
    return [name, found, plugins, result, error.message.replaceAll(/\s+/g, ' ').replaceAll('|', '/').slice(0, 500)]
  } finally {
    await surroundings.end()
  }
}
