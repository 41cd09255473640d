// Builds the documentation site from README.md, CHANGELOG.md and docs/: static pages with a search that needs no server and no
// other host.
//   node scripts/build-docs.mjs [FOLDER]     (default: dist/site)
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderMarkdown } from './docs-site/markdown.mjs'
import { CSS, pageHtml, SEARCH } from './docs-site/page.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const out = process.argv[2] ?? join(root, 'dist', 'site')

/** Pages of the manual in reading order; pages that are not listed follow by name. */
const ORDER = [
  'tutorial',
  'running',
  'settings',
  'clients',
  'from-elasticsearch',
  'console',
  'security',
  'snapshots',
  'upgrading',
  'scaling',
  'troubleshooting',
  'platforms',
  'performance',
  'comparison',
]
/** Pages of the endpoint reference in reading order. */
const REFERENCE = [
  'README',
  'documents',
  'search',
  'paging',
  'aggregations',
  'indices',
  'templates',
  'ingest',
  'snapshots',
  'cluster',
  'security',
  'sandpiper',
]

const groups = [
  { title: 'Start', sources: ['README.md', 'CHANGELOG.md'] },
  { title: 'Manual', sources: inFolder('docs/manual', ORDER) },
  { title: 'Endpoints', sources: inFolder('docs/manual/reference', REFERENCE) },
  { title: 'Reference', sources: ['docs/compatibility.md', ...inFolder('docs/formats', [])] },
  {
    title: 'Inside',
    sources: [
      'docs/architecture.md',
      'docs/threading.md',
      'docs/glossary.md',
      'docs/where-do-i-change.md',
      ...inFolder('docs/walks', []),
      ...inFolder('docs/decisions', []),
    ],
  },
].map((group) => ({ ...group, sources: group.sources.filter((source) => existsSync(join(root, source))) }))

const sources = groups.flatMap((group) => group.sources)
const address = (source) =>
  source === 'README.md'
    ? 'index.html'
    : source
        .replace(/^docs\//, '')
        .replace(/\.md$/, '.html')
        .toLowerCase()

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const images = new Set()
const rendered = new Map(sources.map((source) => [source, render(source)]))
const navigation = groups.map(({ title, sources }) => ({
  title,
  pages: sources.map((source) => ({ title: rendered.get(source).title, path: address(source) })),
}))
const index = []
for (const [source, page] of rendered) {
  const path = address(source)
  const up = posix.relative(posix.dirname(path), '.') || '.'
  write(path, pageHtml({ ...page, path, root: `${up}/`, navigation }))
  for (const { heading, id, text } of page.sections) {
    index.push({ page: page.title, path, heading, id, text: text.join(' ').replaceAll(/\s+/g, ' ') })
  }
}
write('site.css', CSS)
write('search.js', SEARCH)
write('search-index.js', `const SECTIONS=${JSON.stringify(index)}\n`)
for (const image of images) {
  mkdirSync(dirname(join(out, imageAddress(image))), { recursive: true })
  cpSync(join(root, image), join(out, imageAddress(image)))
}
console.log(
  `${sources.length} pages, ${index.length} sections to search, ${images.size} images: ${relative(process.cwd(), out) || out}`,
)

function inFolder(folder, order) {
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length)
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
    .map((name) => `${folder}/${name}.md`)
}

function render(source) {
  const { html, headings, sections } = renderMarkdown(readFileSync(join(root, source), 'utf8'), (target) =>
    linkFrom(source, target),
  )
  return { html, headings, sections, title: headings[0]?.text ?? source }
}

/** The address of a link: another page or an image. Files of the repository that are not in the site have none. */
function linkFrom(source, target) {
  if (/^(https?:|mailto:|#)/.test(target)) return target
  const [file, fragment] = target.split('#')
  const path = posix.normalize(posix.join(posix.dirname(source), file))
  const up = posix.relative(posix.dirname(address(source)), '.') || '.'
  const after = fragment === undefined ? '' : `#${fragment}`
  if (sources.includes(path)) return `${up}/${address(path)}${after}`
  if (/\.(png|svg|jpg)$/.test(path)) {
    images.add(path)
    return `${up}/${imageAddress(path)}`
  }
  return undefined
}

function imageAddress(path) {
  return `images/${path.replace(/^docs\//, '')}`
}

function write(path, text) {
  mkdirSync(dirname(join(out, path)), { recursive: true })
  writeFileSync(join(out, path), text)
}
