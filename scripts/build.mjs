// Builds dist/: the compiled modules and tests, the type declarations, and the bundle that the commands run.
//   node scripts/build.mjs [--if-stale]
//
// With --if-stale nothing happens if dist/ was built from the files as they are now, so that `npm start` and `npm test` cost
// nothing extra. The stamp lists every source with its size and time: a deleted file counts as a change, too.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'dist/.built')
const onlyIfStale = process.argv.includes('--if-stale')

const sources = fingerprint()
if (onlyIfStale && readStamp() === sources) process.exit(0)
if (onlyIfStale) process.stderr.write('building, as sources have changed…\n')
rmSync(stamp, { force: true })
const tsc = join(root, 'node_modules/typescript/bin/tsc')
run(tsc, '-p', 'tsconfig.build.json')
run(tsc, '-p', 'src/console/tsconfig.json')
run('scripts/bundle.mjs', ...(onlyIfStale ? ['--quiet'] : []))
mkdirSync(dirname(stamp), { recursive: true })
writeFileSync(stamp, sources)

function run(...words) {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function readStamp() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return undefined
  }
}

function fingerprint() {
  const hash = createHash('sha256')
  const files = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  )
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
  for (const path of [...files, ...settings.map((name) => join(root, name))].sort()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}
