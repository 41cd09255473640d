// The command `sandpiper` for the commands of the documentation. Commands that run until Ctrl-C are started and, except
// for the service, stopped as soon as they work. The service stays until the test ends, because later commands use it.
//
// Environment: DOCS_PROGRAM, the program; DOCS_SERVICE, a file with the address of the service that commands use;
// DOCS_STARTED, a file for the address of a service that is started; DOCS_PIDS, a file for the process ids of services;
// DOCS_MONITORING, the address of a pipeline tool's monitoring API; DOCS_FREE_PORT, a port for the monitoring API of a
// pipeline that is started.
import { spawn } from 'node:child_process'
import { appendFileSync, fstatSync, readFileSync, writeFileSync } from 'node:fs'

const HAS_URL = new Set(['export', 'import', 'snapshot', 'restore', 'move'])

const given = process.argv.slice(2)
const command = given[0] === undefined || given[0].startsWith('-') ? 'serve' : given[0]
const ends = given.includes('--help') || given.includes('--version')

if (command === 'serve' && !ends) startService()
else if (command === 'pipeline' && !ends && runsForEver()) await runUntilItWorks()
else passThrough()

function runsForEver() {
  if (['test', 'tap', 'top'].includes(given[1])) return false
  if (given.some((word) => ['-t', '--dry-run', '--config.test_and_exit'].includes(word))) return false
  return !fstatSync(0).isFIFO()
}

function startService() {
  const words = given.map((word, i) => (given[i - 1] === '--port' ? '0' : word))
  const args = [process.env.DOCS_PROGRAM, ...words, ...(words.includes('--port') ? [] : ['--port', '0'])]
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  appendFileSync(process.env.DOCS_PIDS, `${child.pid}\n`)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    const address = /address\s+(https?:\S+)/.exec(output)?.[1]
    if (address === undefined || !output.endsWith('\n')) return
    writeFileSync(process.env.DOCS_STARTED, address)
    process.stdout.write(output)
    process.exit(0)
  })
  child.on('exit', (code) => process.exit(code || 1))
}

async function runUntilItWorks() {
  const port = process.env.DOCS_FREE_PORT
  const args = [process.env.DOCS_PROGRAM, ...given, '--api.http.port', port]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  let works = false
  child.on('exit', (code, signal) => process.exit(works && signal === null ? code : 1))
  while (!works && child.exitCode === null) {
    works = await fetch(`http://127.0.0.1:${port}/_node/pipelines`).then(
      async (answer) => Object.keys((await answer.json()).pipelines ?? {}).length > 0,
      () => false,
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.kill('SIGINT')
}

function passThrough() {
  const args = [process.env.DOCS_PROGRAM, ...given]
  if (HAS_URL.has(command) && !ends && !given.includes('--url')) {
    args.push('--url', readFileSync(process.env.DOCS_SERVICE, 'utf8'))
  }
  if (command === 'pipeline' && ['tap', 'top'].includes(given[1]) && !ends) {
    args.push('--api', process.env.DOCS_MONITORING ?? '')
    if (given[1] === 'top' && !given.includes('--once')) args.push('--once')
  }
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  child.on('exit', (code) => process.exit(code ?? 1))
}
