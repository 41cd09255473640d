// Runs real clients, installed by package name, against the built service. Each client runs a scenario of test/clients/real/.
//   node scripts/test-clients.mjs [--only TEXT] [--write]
// --write puts the table of results into docs/compatibility.md. A client whose toolchain or package is missing is reported as
// skipped. Packages come from the configured registries, so this run is no part of `npm test`.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const scenarios = join(root, 'test', 'clients', 'real')
const work = mkdtempSync(join(tmpdir(), 'sandpiper-clients-'))
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined

/** `prepare` returns the version that was installed; `command` runs the scenario. */
const CLIENTS = [
  ...['7.17', '8.19', '9'].map((range) => javascript(`@elastic/elasticsearch ${range}`, '@elastic/elasticsearch', range)),
  javascript('@opensearch-project/opensearch', '@opensearch-project/opensearch', '3'),
  python('elasticsearch-py 8', 'elasticsearch', 'elasticsearch[async]>=8.19,<9'),
  python('elasticsearch-py 9', 'elasticsearch', 'elasticsearch[async]>=9,<10'),
  python('opensearch-py', 'opensearchpy', 'opensearch-py>=3,<4'),
  go('go-elasticsearch 8', 'github.com/elastic/go-elasticsearch/v8@v8.19.0'),
]

const rows = []
const service = await startService(join(work, 'data'))
try {
  for (const client of CLIENTS) {
    if (only !== undefined && !client.name.includes(only)) continue
    rows.push(runClient(client))
  }
} finally {
  await service.stop()
  rmSync(work, { recursive: true, force: true })
}
if (process.argv.includes('--write')) writeTable()
const failed = rows.reduce((sum, row) => sum + row.failed, 0)
console.log(`${rows.reduce((sum, row) => sum + row.passed, 0)} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function runClient({ name, prepare, command }) {
  const folder = join(work, name.replaceAll(/\W+/g, ' ').trim().replaceAll(' ', '-'))
  mkdirSync(folder)
  const version = prepare(folder)
  if (version === undefined) {
    console.log(`${name}: skipped, it cannot be installed here`)
    return { name, version: '', passed: 0, failed: 0, remark: 'not installed' }
  }
  const { stdout, stderr } = run(...command(folder, service.url))
  const results = stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  const wrong = results.filter(({ ok }) => !ok)
  for (const { step, error } of wrong) console.log(`${name}: FAILED ${step}: ${error}`)
  if (results.length === 0) console.log(`${name}: no step ran: ${stderr.slice(-500)}`)
  const passed = results.length - wrong.length
  const failures = results.length === 0 ? 1 : wrong.length
  console.log(`${name} ${version}: ${passed} of ${results.length} steps pass`)
  return { name, version, passed, failed: failures, remark: wrong.map(({ step }) => step).join('; ') }
}

function javascript(name, packageName, range) {
  return {
    name,
    prepare(folder) {
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
      if (!installed(run('npm', ['install', '--no-audit', '--no-fund', `${packageName}@${range}`], folder))) return undefined
      return JSON.parse(readFileSync(join(folder, 'node_modules', packageName, 'package.json'), 'utf8')).version
    },
    command: (folder, url) => [process.execPath, [join(scenarios, 'javascript.mjs'), packageName, url], folder],
  }
}

function python(name, moduleName, requirement) {
  const interpreter = (folder) => join(folder, 'venv', 'bin', 'python')
  return {
    name,
    prepare(folder) {
      if (!installed(run('python3', ['-m', 'venv', join(folder, 'venv')], folder))) return undefined
      if (!installed(run(interpreter(folder), ['-m', 'pip', 'install', '-q', requirement], folder))) return undefined
      const { stdout } = run(interpreter(folder), ['-c', `import ${moduleName}; print(${moduleName}.__versionstr__)`], folder)
      return stdout.trim()
    },
    command: (folder, url) => [interpreter(folder), ['-W', 'ignore', join(scenarios, 'python.py'), moduleName, url], folder],
  }
}

function go(name, requirement) {
  return {
    name,
    prepare(folder) {
      writeFileSync(join(folder, 'main.go'), readFileSync(join(scenarios, 'go', 'main.go')))
      if (!installed(run('go', ['mod', 'init', 'scenario'], folder))) return undefined
      if (!installed(run('go', ['get', requirement], folder))) return undefined
      return installed(run('go', ['mod', 'tidy'], folder)) ? requirement.split('@v').at(-1) : undefined
    },
    command: (folder, url) => ['go', ['run', '.', url], folder],
  }
}

function installed({ status, stderr }) {
  if (status !== 0) console.log(String(stderr).slice(-300))
  return status === 0
}

function run(command, args, cwd = root) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
}

async function startService(data) {
  const flags = ['serve', '--port', '0', '--data', data, '--log-level', 'error']
  const child = spawn(process.execPath, [join(root, 'bin', 'sandpiper.js'), ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((found, fail) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const address = /http:\/\/[\d.]+:\d+/.exec(text)
      if (address !== null) found(address[0])
    })
    child.on('exit', (code) => fail(new Error(`the service ended with code ${code} before it was ready`)))
  })
  const ended = new Promise((done) => child.on('exit', done))
  return { url, stop: () => (child.kill('SIGTERM'), ended) }
}

/** Replaces the table between the two markers. */
function writeTable() {
  const file = join(root, 'docs', 'compatibility.md')
  const text = readFileSync(file, 'utf8')
  const [start, end] = ['<!-- clients -->\n', '<!-- /clients -->']
  const date = new Date().toISOString().slice(0, 10)
  const lines = rows.map(
    ({ name, version, passed, failed, remark }) => `| ${name} | ${version} | ${passed} | ${failed} | ${remark} | ${date} |`,
  )
  const table = ['| client | version | steps passed | failed | failed steps | date |', '|---|---|---|---|---|---|', ...lines]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no markers for the table`)
  writeFileSync(file, `${text.slice(0, from + start.length)}${table.join('\n')}\n${text.slice(to)}`)
}
