/**
 * Checks the sources against the structure in docs/architecture.md: layers, no import cycles, folders of limited size.
 * The exceptions below are rules that a folder does not meet yet. Lists of exceptions only get shorter.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The folders that each folder of src/ may import, besides itself and node: modules. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  text: ['base'],
  engine: ['base'],
  service: ['base', 'engine', 'text'],
  security: ['base', 'engine'],
  http: ['base', 'service', 'security'],
  threads: ['base', 'engine', 'service', 'http'],
  gateway: ['base', 'service', 'http'],
  server: ['base', 'service', 'security', 'http', 'threads'],
  pipeline: ['base', 'text'],
  testing: ['base', 'service', 'http', 'server', 'pipeline'],
  cli: ['base', 'text', 'service', 'security', 'http', 'gateway', 'server', 'pipeline', 'testing'],
  boot: [],
  // Runs in a browser and uses only the HTTP API of the service.
  console: [],
}

/** The maximum number of source files in a folder, without tests. */
const FOLDER_MAX = 21

/** Folders with one file per item of a list, ordered by name. They may be longer. */
const LISTS = [
  'engine/analysis/stemmers',
  'engine/analysis/token-filters',
  'gateway/rewrite',
  'pipeline/codecs',
  'pipeline/filters',
  'pipeline/inputs',
  'pipeline/outputs',
  'service/ingest/processors',
]

/** Folders that exceed the maximum. */
const LARGE_FOLDERS: readonly string[] = []

/** Top folders in which import cycles between folders of depth two are tolerated. */
const FOLDER_CYCLES: readonly string[] = []

/**
 * Files outside field-types/ that compare with a word that is also the name of a mapping type, or have a set of such
 * words. Code that depends on the properties of a field uses its traits (`engine/mapping/field-traits.ts`).
 */
const TYPE_NAMES_ALLOWED: Readonly<Record<string, string>> = {
  'engine/aggregations/': 'kinds of value sources and of results, some of which are called like types',
  'engine/mapping/definition/mapping-parser.ts': 'object, nested and alias are not field types',
  'engine/mapping/documents/value-writer.ts': 'the JSON parsers of byte, short and integer differ in their errors only',
  'engine/mapping/similarities.ts': 'the similarity called boolean',
  'engine/painless/': 'primitive types of Java',
  'engine/request/sort/sort-spec.ts': 'values of numeric_type',
  'engine/sort/bind-sort.ts': 'shapes of fields, some of which are called like types',
  'engine/runtime-fields/': 'types of runtime fields, which are a list of their own',
  'service/search/answer/': 'names of sort types',
}

interface Import {
  readonly to: string
  /** Whether the import exists at run time: not `import type`, and not loaded on demand. */
  readonly isValue: boolean
}

const SRC = resolve(dirname(fileURLToPath(import.meta.url)), '..', 'src')

/** Every source file that is not a test, by path below src/. */
const TEXTS = readSources()
/** The imports of each file. */
const FILES = new Map([...TEXTS].map(([path, text]) => [path, importsOf(path, text)]))

test('no module exports a variable that changes, because the bundle copies exports when a module is loaded', () => {
  const violations = [...TEXTS].filter(
    ([path, text]) => !path.startsWith('console') && /^export (let|var)\b/m.test(text),
  )
  assert.deepEqual(
    violations.map(([path]) => path),
    [],
  )
})

test('imports between the folders of src/ point one way', () => {
  const violations: string[] = []
  for (const [path, imports] of FILES) {
    const from = topFolder(path)
    for (const { to } of imports) {
      const target = topFolder(to)
      if (target !== from && !MAY_IMPORT[from]?.includes(target)) violations.push(`${path} may not import ${to}`)
    }
  }
  assert.deepEqual(violations, [])
})

test('the console imports no module of Node', () => {
  const violations = [...TEXTS].filter(([path, text]) => topFolder(path) === 'console' && /from 'node:/.test(text))
  assert.deepEqual(
    violations.map(([path]) => path),
    [],
  )
})

test('every relative import names a source file', () => {
  const missing: string[] = []
  for (const [path, imports] of FILES) {
    for (const { to } of imports)
      if (!FILES.has(to) && !to.endsWith('.css')) missing.push(`${path} imports ${to}, which does not exist`)
  }
  assert.deepEqual(missing, [])
})

test('no files import each other in a cycle at run time', () => {
  const graph = new Map<string, Set<string>>()
  for (const [path, imports] of FILES) {
    graph.set(path, new Set(imports.filter(({ isValue }) => isValue).map(({ to }) => to)))
  }
  assert.deepEqual(cyclesOf(graph).map(shown), [])
})

test('no folders of depth two import each other in a cycle, types included', () => {
  const cycles = cyclesOf(folderGraph()).filter(
    (cycle) => !cycle.every((name) => FOLDER_CYCLES.includes(topFolder(name))),
  )
  assert.deepEqual(cycles.map(shown), [])
})

test('every exception for folder cycles is still needed', () => {
  const cyclic = new Set(cyclesOf(folderGraph()).flatMap((cycle) => cycle.map(topFolder)))
  const stale = FOLDER_CYCLES.filter((name) => !cyclic.has(name))
  assert.deepEqual(stale, [], 'remove these from FOLDER_CYCLES: they have no cycle any more')
})

test('no folder exceeds the maximum number of files unless it is a list', () => {
  const sizes = new Map<string, number>()
  for (const path of FILES.keys()) sizes.set(folder(path), (sizes.get(folder(path)) ?? 0) + 1)
  const large = [...sizes].filter(([name, count]) => count > FOLDER_MAX && !LISTS.includes(name))
  const known = new Set(LARGE_FOLDERS)
  assert.deepEqual(
    large
      .filter(([name]) => !known.has(name))
      .map(([name, count]) => `${name} holds ${count} files; give it subfolders`),
    [],
  )
  const names = large.map(([name]) => name)
  const stale = LARGE_FOLDERS.filter((name) => !names.includes(name))
  assert.deepEqual(stale, [], 'remove these from LARGE_FOLDERS: they are small enough')
})

test('only the field types compare names of mapping types', () => {
  const names = new Set<string>()
  for (const [path, text] of TEXTS) {
    if (!path.startsWith('engine/mapping/field-types/')) continue
    for (const [, name] of text.matchAll(/^\s+\{? ?type: '([a-z_]+)',/gm)) names.add(name!)
  }
  assert.ok(names.has('keyword') && names.has('half_float') && names.size > 20, 'the names of the types are found')
  const compared: string[] = []
  for (const [path, text] of TEXTS) {
    if (!/^(engine|service|threads)\//.test(path) || path.startsWith('engine/mapping/field-types/')) continue
    if (Object.keys(TYPE_NAMES_ALLOWED).some((allowed) => path.startsWith(allowed))) continue
    for (const [found, name] of text.matchAll(/\btype\)? [!=]== '([a-z_]+)'/g)) {
      if (names.has(name!)) compared.push(`${path}: ${found}; ask the traits of the field instead`)
    }
    for (const [found, list] of text.matchAll(/new Set(?:<[^>]*>)?\(\[([^\]]*)\]\)/g)) {
      const listed = [...list!.matchAll(/'([a-z_]+)'/g)].filter(([, name]) => names.has(name!))
      if (listed.length > 1) compared.push(`${path}: ${found}; ask the traits of the field instead`)
    }
  }
  assert.deepEqual(compared, [])
})

function readSources(): Map<string, string> {
  const texts = new Map<string, string>()
  for (const path of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path) || path.endsWith('.test.ts')) continue
    texts.set(unix(path), readFileSync(join(SRC, path), 'utf8'))
  }
  return texts
}

function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = []
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
  const target = (specifier: string) => unix(relative(SRC, resolve(dirname(join(SRC, path)), specifier)))
  for (const [, type, names, specifier] of code.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:([^'"()]*?)\s+from\s+)?'(\.[^']+)'/gm,
  )) {
    imports.push({ to: target(specifier!), isValue: type === undefined && !namesTypesOnly(names) })
  }
  for (const [, specifier] of code.matchAll(/import\(\s*'(\.[^']+)'/g)) {
    imports.push({ to: target(specifier!), isValue: false })
  }
  return imports
}

/** `{ type A, type B }` is erased like `import type`. */
function namesTypesOnly(names: string | undefined): boolean {
  const list = names?.match(/^\{([\s\S]*)\}$/)?.[1]
  if (list === undefined) return false
  const each = list.split(',').map((name) => name.trim())
  return each.every((name) => name === '' || name.startsWith('type '))
}

function folderGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [path, imports] of FILES) {
    const from = depthTwo(path)
    const targets = graph.get(from) ?? new Set<string>()
    for (const { to } of imports) if (depthTwo(to) !== from) targets.add(depthTwo(to))
    graph.set(from, targets)
  }
  return graph
}

/** Groups of nodes that reach each other (Tarjan's strongly connected components), larger than one. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const cycles: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    onStack.add(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) {
        visit(next)
        low.set(node, Math.min(low.get(node)!, low.get(next)!))
      } else if (onStack.has(next)) low.set(node, Math.min(low.get(node)!, index.get(next)!))
    }
    if (low.get(node) !== index.get(node)) return
    const members = stack.splice(stack.indexOf(node))
    for (const member of members) onStack.delete(member)
    if (members.length > 1) cycles.push(members)
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return cycles
}

function shown(cycle: readonly string[]): string {
  return `in a cycle: ${[...cycle].sort().join(', ')}`
}

function unix(path: string): string {
  return path.split(sep).join('/')
}

function folder(path: string): string {
  return dirname(path)
}

function topFolder(path: string): string {
  return path.split('/')[0]!
}

function depthTwo(path: string): string {
  return dirname(path).split('/').slice(0, 2).join('/')
}
