// Runs real clients, installed by package name, against the built service: each client's own test suite where its package has one, otherwise a scenario of
// test/clients/real/.
//   node scripts/test-clients.mjs [--only TEXT] [--except TEXT] [--cache FOLDER] [--report FOLDER] [--write] [--list]
// --only runs the clients whose name contains TEXT, --except leaves those out whose name does. --cache is the folder that clients are installed into, once; by
// default it is in the system's folder for temporary files. --report writes the failures of each client to a file. --write puts each result into the table of
// docs/compatibility.md as soon as the client has run, and keeps the lines of the others. A client that cannot be installed is reported with the reason.
// Packages come from the configured registries, so this run is no part of `npm test`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLIENTS } from '../test/clients/clients.mjs'
import { throughGateway } from '../test/clients/gateway-clients.mjs'
import { NotInstalled, once } from '../test/clients/runner/install.mjs'
import { judge, readUnsupported } from '../test/clients/runner/results.mjs'
import { startService } from '../test/clients/runner/service.mjs'
import { writeTable } from '../test/clients/runner/table.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined)
const cache = resolve(option('--cache') ?? join(tmpdir(), 'sandpiper-clients'))
const only = option('--only') ?? ''
const except = option('--except')
const report = option('--report')
const unsupported = readUnsupported(readFileSync(join(root, 'test', 'clients', 'unsupported.txt'), 'utf8'))
const all = [...CLIENTS, ...throughGateway(CLIENTS)]
const names = all.map(({ name }) => name)
const chosen = all.filter(({ name }) => name.includes(only) && (except === undefined || !name.includes(except)))
if (process.argv.includes('--list')) {
  for (const { name, runs } of chosen) console.log(`${name}: ${runs}`)
  process.exit(0)
}

const rows = []
for (const client of chosen) {
  const row = await runClient(client)
  rows.push(row)
  if (process.argv.includes('--write')) writeTable(join(root, 'docs', 'compatibility.md'), [row], names)
}
const sum = (member) => rows.reduce((total, row) => total + row[member], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped') + sum('unsupported')} skipped`)
process.exitCode = sum('failed') === 0 ? 0 : 1

async function runClient({ name, runs, absent, install, test, service: settings }) {
  const folder = join(cache, fileName(name))
  const row = { name, runs, version: '', passed: 0, failed: 0, unsupported: 0, skipped: 0, remark: '' }
  let service
  try {
    row.version = once(folder, () => install(folder))
    service = await (settings?.start ?? startService)(settings)
  } catch (error) {
    if (!(error instanceof NotInstalled)) throw error
    console.log(`${name}: not installed: ${error.message}`)
    return { ...row, remark: `not run: ${absent ?? 'cannot be installed from the registries here'}` }
  }
  try {
    const results = await test(folder, service)
    const found = judge(name, results, unsupported)
    const nothing = results.length === 0 ? [{ test: 'a test runs', message: 'no test ran' }] : []
    const failed = [...found.failed, ...nothing]
    for (const { test: title, message } of failed) console.log(`${name}: FAILED ${title}: ${message.slice(0, 300)}`)
    for (const { test: title } of found.stale) console.log(`${name}: passes, take it from the list: ${title}`)
    if (report !== undefined) writeReport(name, [...failed, ...found.unsupported, ...found.skipped])
    const counts = {
      passed: found.passed,
      failed: failed.length,
      unsupported: found.unsupported.length,
      skipped: found.skipped.length,
    }
    console.log(
      `${name} ${row.version}: ${Object.entries(counts)
        .map(([what, number]) => `${number} ${what}`)
        .join(', ')}`,
    )
    return { ...row, ...counts, remark: found.reasons.map(([reason, number]) => `${number} ${reason}`).join('; ') }
  } finally {
    await service.stop()
  }
}

function writeReport(name, results) {
  mkdirSync(report, { recursive: true })
  const lines = results.map(({ test, status, message }) => `${status ?? 'failed'} ${test}: ${message}\n`)
  writeFileSync(join(report, `${fileName(name)}.txt`), lines.join(''))
}

/** Names that differ have different files: `elasticsearch.dsl 8` and `elasticsearch-dsl 8` are two clients. */
function fileName(name) {
  return name
    .replaceAll(/[^\w.]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
}
