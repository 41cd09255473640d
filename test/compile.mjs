// Compiles the tests of test/ for test/run.mjs. Imports of src/ become imports of the compiled modules in dist/. A test
// therefore runs without a loader: with one, every process and every thread of a test transforms the sources again,
// which takes longer than most of the tests.
import { readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Compiles each file (a path below `root`) and its helpers to a module in `outdir`, and returns the paths of the modules. */
export async function compileTests(root, files, outdir) {
  await build({
    entryPoints: files.map((path) => join(root, path)),
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    // Tests find their data and programs relative to their sources.
    define: { 'import.meta.url': 'sourceUrl' },
    plugins: [sourcesOf(root)],
  })
  return files.map((path) => join(outdir, path.replace(/ts$/, 'mjs')))
}

function sourcesOf(root) {
  const inFolder = (path, folder) => path.startsWith(join(root, folder, sep))
  const outside = (path) => ({ path: pathToFileURL(path).href, external: true })
  return {
    name: 'sources',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path: name, resolveDir }) => {
        const path = resolve(resolveDir, name)
        if (inFolder(path, 'test')) return { path }
        if (!inFolder(path, 'src')) return outside(path)
        return outside(join(root, 'dist', relative(join(root, 'src'), path).replace(/ts$/, 'js')))
      })
      build.onLoad({ filter: /\.m?[jt]s$/ }, ({ path }) => ({
        loader: path.endsWith('ts') ? 'ts' : 'js',
        contents: `const sourceUrl = ${JSON.stringify(pathToFileURL(path).href)};${readFileSync(path, 'utf8')}`,
      }))
    },
  }
}
