// Bundles the program into dist/bundle, so that a command reads one file instead of hundreds, which saves most of the
// start time. Modules that a command loads later stay in separate files. Worker modules are entry points too. They are
// found by the calls that start them and are in the same folder as the other chunks, so that './name.js' is the same
// file from every chunk.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleConsole } from './bundle-console.mjs'
import { laterModules } from './later-modules.mjs'
import { packChunks } from './pack-chunks.mjs'

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

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
}
const { outputFiles, metafile } = await build({
  ...common,
  entryPoints: [
    { in: join(source, 'cli/main.ts'), out: 'main' },
    { in: join(source, 'testing/index.ts'), out: 'testing' },
    ...workers.map((path) => ({ in: path, out: basename(path, '.ts') })),
  ],
  outdir,
  splitting: true,
  format: 'esm',
  chunkNames: '[name]-[hash]',
  // The address is a parameter of every pack. Only threads that run from the sources resolve a loader.
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.resolve': 'undefined' },
  plugins: [laterModules(source)],
  metafile: true,
  write: false,
})
const chunks = new Map(
  outputFiles.map(({ path, text }) => [basename(path), { text, imports: importsOf(relative(root, path)) }]),
)
const { texts, manifest } = packChunks(chunks, {
  command: [chunkOf('src/cli/main.ts')],
  service: ['src/cli/serve/serve.ts', 'src/threads/searchers/searcher-thread.ts'].map(chunkOf),
  writer: [chunkOf('src/threads/writer/writer-thread.ts')],
  pipeline: [chunkOf('src/cli/pipeline/pipeline.ts')],
})
mkdirSync(outdir, { recursive: true })
for (const [name, text] of texts) writeFileSync(join(outdir, `${name}.pack.js`), text)
writeFileSync(join(outdir, 'packs.json'), JSON.stringify(manifest))
await build({
  ...common,
  entryPoints: [join(source, 'boot/loader.ts')],
  format: 'cjs',
  outfile: join(outdir, 'loader.cjs'),
})

// Threads and the testing module are started by the names of their files.
for (const { entryPoint, exports: names } of Object.values(metafile.outputs)) {
  const isStart =
    entryPoint !== undefined &&
    (workers.includes(join(root, entryPoint)) || /^src\/(cli\/main|testing\/index)\.ts$/.test(entryPoint))
  if (!isStart) continue
  const name = chunkOf(entryPoint)
  const load = `loadBundle(${JSON.stringify(name)});\n`
  const start = names.length === 0 ? load : `export const{${names.join(',')}}=${load}`
  writeFileSync(join(outdir, name), `import{loadBundle}from"./loader.cjs";${start}`)
}

/** What a chunk imports when it is loaded, as its text names it. */
function importsOf(output) {
  return metafile.outputs[output].imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path, external }) => (external ? path : `./${basename(path)}`))
}

function chunkOf(path) {
  const [found] = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint === path)
  if (found === undefined) throw new Error(`${path} is not loaded on demand any more: change the packs`)
  return basename(found[0])
}

const views = await bundleConsole(root, join(outdir, 'console'))
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
for (const [view, { files, gz, br }] of Object.entries(process.argv.includes('--quiet') ? {} : views))
  console.log(
    `console ${view.padEnd(14)} ${kilobytes(gz).padStart(9)} gzip ${kilobytes(br).padStart(9)} br, ${files.length} files`,
  )
