// Runs the tests: those beside the code (compiled to dist/) and those of test/. Node's own runner does the work; this
// script only finds the files, because Node 20 takes no patterns.
//   node test/run.mjs [--only TEXT] [--slow]
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const only = optionValue('--only')
// Named by their sources: dist/ may still have the compiled tests of files that were moved or deleted.
const beside = names(join(root, 'src')).map((path) => join(root, 'dist', path.replace(/ts$/, 'js')))
const apart = names(join(root, 'test')).map((path) => join(root, 'test', path))
const files = [...beside, ...apart].filter((file) => only === undefined || file.includes(only))
const run = spawnSync(process.execPath, ['--import', 'tsx', '--test', '--test-reporter', 'spec', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(process.argv.includes('--slow') ? { SANDPIPER_SLOW_TESTS: '1' } : {}) },
})
process.exitCode = run.status ?? 1

function names(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'))
}

function optionValue(option) {
  const at = process.argv.indexOf(option)
  return at < 0 ? undefined : process.argv[at + 1]
}
