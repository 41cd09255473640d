// Packs Sandpiper, installs it with vitest, jest and mocha into an empty folder, and runs examples/testing with each runner.
//   node scripts/test-examples.mjs
// The runners come from the configured registry, so this run is no part of `npm test`.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-examples-'))

const RUNNERS = [
  { name: 'node:test', command: process.execPath, args: ['--test', 'node-test.test.mjs'] },
  { name: 'vitest', command: 'npx', args: ['--no-install', 'vitest', 'run', 'vitest.test.mjs'] },
  {
    name: 'jest',
    command: 'npx',
    args: ['--no-install', 'jest', '--testMatch', '**/jest.test.mjs'],
    env: { NODE_OPTIONS: '--experimental-vm-modules' },
  },
  { name: 'mocha', command: 'npx', args: ['--no-install', 'mocha', 'mocha.test.mjs'] },
]

let failed = 0
try {
  cpSync(join(root, 'examples', 'testing'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  need(root, 'npm', ['pack', '--ignore-scripts', '--pack-destination', folder])
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  need(folder, 'npm', ['install', '--no-audit', '--no-fund', `./${tarball}`, 'vitest', 'jest', 'mocha'])
  for (const { name, command, args, env } of RUNNERS) {
    const { status, stdout, stderr } = run(folder, command, args, env)
    console.log(`${name}: ${status === 0 ? 'passed' : `failed\n${stdout}${stderr}`}`)
    if (status !== 0) failed++
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${RUNNERS.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function run(cwd, command, args, env = {}) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } })
}

function need(cwd, command, args) {
  const { status, stderr } = run(cwd, command, args)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
}
