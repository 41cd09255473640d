// Bundles the program into dist/bundle, so that a command reads one file instead of hundreds, which saves most of the
// start time. Modules that a command loads later stay in separate files. Worker modules are entry points too. They are
// found by the calls that start them and are in the same folder as the other chunks, so that './name.js' is the same
// file from every chunk.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleConsole } from './bundle-console.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const source = join(root, 'src')

const workers = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('console'))
  .flatMap((path) => {
    const calls = readFileSync(join(source, path), 'utf8').matchAll(/startWorker\(\s*'\.\/([\w/-]+)'/g)
    return [...calls].map(([, name]) => join(source, dirname(path), `${name}.ts`))
  })

// Chunk names contain a hash of their contents, so those of the last build would remain.
const outdir = join(root, 'dist/bundle')
rmSync(outdir, { recursive: true, force: true })

await build({
  entryPoints: [
    { in: join(source, 'cli/main.ts'), out: 'main' },
    { in: join(source, 'testing/index.ts'), out: 'testing' },
    ...workers.map((path) => ({ in: path, out: basename(path, '.ts') })),
  ],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  chunkNames: '[name]-[hash]',
  minifyWhitespace: true,
  minifySyntax: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
})

const views = await bundleConsole(root, join(outdir, 'console'))
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
for (const [view, { files, gz, br }] of Object.entries(views))
  console.log(`console ${view.padEnd(14)} ${kilobytes(gz).padStart(9)} gzip ${kilobytes(br).padStart(9)} br, ${files.length} files`)
