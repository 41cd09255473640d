// Bundles the console (src/console) for browsers into dist/bundle/console: one script and style sheet for the shell, one chunk
// for each view, names with a hash of the contents. Files are stored as Brotli only; the service converts them
// for browsers that accept only gzip. Compressed files are kept in dist/.console-cache, since the best compression takes seconds.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const PREFIX = '/_sandpiper/console/'

/** Bundles the console. Returns the compressed size of every view, including all files that it loads first. */
export async function bundleConsole(root, outdir) {
  const source = join(root, 'src/console')
  const { metafile, outputFiles } = await build({
    entryPoints: [{ in: join(source, 'main.tsx'), out: 'console' }],
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    publicPath: PREFIX,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: root,
  })
  const cache = join(root, 'dist/.console-cache')
  mkdirSync(cache, { recursive: true })
  mkdirSync(outdir, { recursive: true })
  const sizes = new Map()
  const kept = new Set()
  for (const { path, contents } of outputFiles) {
    const name = basename(path)
    const forms = { br: () => brotli(contents), gz: () => gzipSync(contents, { level: 9 }) }
    const size = { raw: contents.length }
    for (const [extension, compress] of Object.entries(forms)) {
      const cached = join(cache, `${name}.${extension}`)
      if (!existsSync(cached)) writeFileSync(cached, compress())
      const bytes = readFileSync(cached)
      if (extension === 'br') writeFileSync(join(outdir, `${name}.br`), bytes)
      kept.add(`${name}.${extension}`)
      size[extension] = bytes.length
    }
    sizes.set(name, size)
  }
  for (const name of readdirSync(cache)) if (!kept.has(name)) rmSync(join(cache, name))

  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const [entry] = [...outputs].find(([, { entryPoint }]) => entryPoint?.endsWith('src/console/main.tsx'))
  const styles = [...outputs.keys()].filter((name) => name.startsWith('console-') && name.endsWith('.css'))
  const shell = closure(outputs, [entry, ...styles])
  writeFileSync(join(outdir, 'index.html'), page(source, entry, styles, [...shell]))
  const views = viewsOf(source)
  const report = {}
  for (const [view, module] of views) {
    const chunk = [...outputs].find(([, { entryPoint }]) => entryPoint === `src/console/${module}`)?.[0]
    if (chunk === undefined) throw new Error(`no chunk for the view ${view} (${module})`)
    const files = closure(outputs, [entry, ...styles, chunk])
    report[view] = { files: [...files], ...sum([...files].map((name) => sizes.get(name))) }
  }
  writeFileSync(join(root, 'dist/console-sizes.json'), JSON.stringify(report, null, 2))
  return report
}

/** The lines `name: () => import('./views/…')` of the view table. */
function viewsOf(source) {
  const table = readFileSync(join(source, 'shell/views.ts'), 'utf8')
  return [...table.matchAll(/(\w+): \(\) => import\('\.\.\/([^']+)'\)/g)].map(([, view, module]) => [view, module])
}

/** The files that a page must load for these outputs: static imports and styles. */
function closure(outputs, names) {
  const seen = new Set()
  const visit = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    const { imports, cssBundle } = outputs.get(name)
    if (cssBundle !== undefined) visit(basename(cssBundle))
    for (const { path, kind, external } of imports) if (!external && kind === 'import-statement') visit(basename(path))
  }
  for (const name of names) visit(name)
  return seen
}

function page(source, entry, styles, shell) {
  const links = styles.map((name) => `<link rel="stylesheet" href="${PREFIX}${name}">`)
  const preloads = shell
    .filter((name) => name.endsWith('.js') && name !== entry)
    .map((name) => `<link rel="modulepreload" href="${PREFIX}${name}">`)
  const script = `<script type="module" src="${PREFIX}${entry}"></script>`
  return readFileSync(join(source, 'index.html'), 'utf8').replace(
    '<!-- assets -->',
    [...links, ...preloads, script].join('\n'),
  )
}

function sum(sizes) {
  const total = { raw: 0, gz: 0, br: 0 }
  for (const size of sizes) for (const key of Object.keys(total)) total[key] += size[key]
  return total
}

function brotli(contents) {
  return brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
}
