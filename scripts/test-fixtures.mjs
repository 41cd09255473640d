// Runs the tests of the fixtures in clients/ with the installed toolchains: pytest, go, mvn. A missing one is reported
// and does not fail the run.
//   node scripts/test-fixtures.mjs
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const environment = {
  ...process.env,
  SANDPIPER_COMMAND: `${process.execPath} ${join(root, 'bin', 'sandpiper.js')}`,
  PYTHONPATH: join(root, 'clients', 'pytest', 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
}

const FIXTURES = [
  {
    name: 'pytest',
    probe: ['python3', ['-m', 'pytest', '--version']],
    run: ['python3', ['-m', 'pytest', '-q', '-p', 'pytest_sandpiper', '-p', 'no:cacheprovider', 'tests']],
  },
  { name: 'go', probe: ['go', ['version']], run: ['go', ['test', './...']] },
  { name: 'junit5', probe: ['mvn', ['--version']], run: ['mvn', ['-q', '-B', 'test']] },
]

let [passed, failed, skipped] = [0, 0, 0]
for (const { name, probe, run } of FIXTURES) {
  if (spawnSync(...probe, { stdio: 'ignore' }).status !== 0) {
    console.log(`${name}: skipped, ${probe[0]} is not installed`)
    skipped++
    continue
  }
  const { status } = spawnSync(...run, { cwd: join(root, 'clients', name), env: environment, stdio: 'inherit' })
  console.log(`${name}: ${status === 0 ? 'passed' : 'failed'}`)
  if (status === 0) passed++
  else failed++
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1
