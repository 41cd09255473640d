// Installs the packed package with npm and runs test/package on every supported Node version. The Node binaries come
// from the npm packages `node-PLATFORM-ARCH`. Nothing is installed outside a temporary folder.
//   node scripts/test-package.mjs [VERSION …]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']

const failed = versions.filter((version) => !passes(version))
console.log(`${versions.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1

function passes(version) {
  const folder = mkdtempSync(join(tmpdir(), `sandpiper-node-${version}-`))
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (npm.status !== 0) {
      console.log(`Node ${version}: cannot be installed from the registry:\n${npm.stderr}`)
      return false
    }
    const node = join(folder, 'node_modules', name, 'bin', 'node')
    console.log(`Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()}`)
    const run = spawnSync(
      node,
      ['--import', 'tsx', '--test', '--test-reporter', 'spec', 'test/package/package.test.ts'],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, SANDPIPER_PACKAGE_WITH_NPM: '1' },
      },
    )
    return run.status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
