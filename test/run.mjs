// Runs the tests next to the code (compiled to dist/ by `npm run build`) and those of test/ (compiled by compile.mjs) with
// Node's test runner. This script finds the files, because Node 20 accepts no patterns, and groups small ones.
//   node test/run.mjs [--only TEXT] [--slow]
//
// Node starts a process for every test file, which costs more than most unit tests. Therefore several compiled tests
// next to the code are imported into one process. Tests in test/ start servers, kill processes and read the
// environment, so each of them has its own process. They start last, because they are shorter than the longest groups:
// a long process at the end leaves the other cores idle. At least three run at once, because many of them wait for threads and processes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileTests } from './compile.mjs'

/** The number of compiled test files per process. */
const FILES_PER_PROCESS = 12

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const only = optionValue('--only')
// Files are listed by their sources, because dist/ may still have the compiled tests of moved or deleted files.
const beside = names('src').map((path) => join('dist', path.replace(/ts$/, 'js')))
const apart = names('test').map((path) => join('test', path))
const wanted = (path) => only === undefined || path.includes(only)

// In dist/, so that the packages of node_modules are found.
const modules = mkdtempSync(join(root, 'dist/tests-'))
try {
  const files = [...grouped(beside.filter(wanted)), ...(await compileTests(root, apart.filter(wanted), modules))]
  if (files.length === 0) throw new Error(`no test file has ${only} in its path`)
  const run = spawnSync(
    process.execPath,
    ['--test', `--test-concurrency=${Math.max(3, availableParallelism() - 1)}`, '--test-reporter', 'spec', ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...(process.argv.includes('--slow') ? { SANDPIPER_SLOW_TESTS: '1' } : {}) },
    },
  )
  process.exitCode = run.status ?? 1
} finally {
  rmSync(modules, { recursive: true, force: true })
}

/** Writes a module per group of neighbouring files that imports them all, and returns the paths of the modules. */
function grouped(files) {
  const paths = []
  for (let at = 0; at < files.length; at += FILES_PER_PROCESS) {
    const group = files.slice(at, at + FILES_PER_PROCESS)
    const name = group[0]
      .replace(/\.test\.js$/, '')
      .split(sep)
      .slice(1)
      .join('-')
    const path = join(modules, `${name}.test.mjs`)
    writeFileSync(
      path,
      group.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)}\n`).join(''),
    )
    paths.push(path)
  }
  return paths
}

function names(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .sort()
}

function optionValue(option) {
  const at = process.argv.indexOf(option)
  return at < 0 ? undefined : process.argv[at + 1]
}
