// Turns the ES modules that esbuild wrote into the packs that src/boot/loader.ts reads: scripts with one function per module.
// Imports become constants. That is the same as in ES modules because the sources export no variables that change
// (test/structure.test.ts) and have no import cycles.
import { createHash } from 'node:crypto'
import { Script } from 'node:vm'

/** Packs of fewer bytes are compiled in less time than their code is read. */
const MIN_CACHED_BYTES = 100_000

/**
 * `chunks`: by file name the text, and the names that it imports when it is loaded, as esbuild lists them. `starts`: for each way to start the program, the chunks it loads at once. Chunks that the same
 * starts need are in one pack, the others are in a pack each.
 * Returns the text of every pack and the manifest.
 */
export function packChunks(chunks, starts) {
  const converted = new Map([...chunks].map(([name, { text }]) => [name, convert(text)]))
  for (const [name, { imports }] of chunks) checkImports(name, converted.get(name).required, imports)
  const loaded = Object.entries(starts).map(([start, names]) => ({ start, names: closure(converted, names) }))
  const packs = new Map()
  for (const name of converted.keys()) {
    const needed = loaded.filter(({ names }) => names.has(name)).map(({ start }) => start)
    const pack = needed.length === 0 ? name.replace(/\.js$/, '') : needed.join('-')
    packs.set(pack, [...(packs.get(pack) ?? []), name])
  }
  const texts = new Map()
  const manifest = { packs: {} }
  for (const [pack, names] of packs) {
    const members = names.map((name) => `${JSON.stringify(name)}:function(exports){${converted.get(name).body}\n}`)
    // The parameters have names that no module uses: a function of a module that is called `load` would otherwise call itself. `$m`
    // requires a module, `$l` loads a chunk; short names make the package a few kilobytes smaller.
    const text = `(function($m,$l,bundleUrl){"use strict";return{${members.join(',\n')}}})\n`
    // An export that was not recognized is a syntax error here rather than in the program.
    new Script(text, { filename: pack })
    texts.set(pack, text)
    manifest.packs[pack] = text.length < MIN_CACHED_BYTES ? { chunks: names } : { chunks: names, hash: hashOf(text) }
  }
  return { texts, manifest }
}

/** The text of a string or a comment may look like an import; rewriting it would change the program. */
function checkImports(name, found, expected) {
  const sorted = (names) => [...names].sort().join(', ')
  if (sorted(found) === sorted(expected)) return
  throw new Error(`${name} imports ${sorted(expected)}, but its text was read as importing ${sorted(found)}`)
}

function hashOf(text) {
  return createHash('sha1').update(text).digest('hex').slice(0, 16)
}

/** The chunks that are loaded with those of `names`. */
function closure(converted, names) {
  const seen = new Set()
  const add = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    for (const next of converted.get(name).imports) add(next)
  }
  for (const name of names) add(name)
  return seen
}

/** esbuild's forms of an import without white space. */
const IMPORT = /\bimport(?:(?:\*as | )([\w$]+)[, ]?)?(?:\{([^}]*)\})?(?:from)?"([^"]+)";/g

/** One module as the body of a function, and the chunks it imports. */
function convert(text) {
  const imports = []
  const required = []
  let head = ''
  // Imports of chunks come first, those of Node's modules stay where their module begins. All are moved to the front.
  const rest = text.replaceAll(IMPORT, (_all, whole, names, from) => {
    required.push(from)
    if (from.startsWith('./')) imports.push(from.slice(2))
    const bound = [whole, names === undefined ? undefined : `{${renamed(names)}}`].filter((each) => each !== undefined)
    const call = `$m(${JSON.stringify(from)})`
    head += bound.length === 0 ? `${call};` : `const ${bound.map((each) => `${each}=${call}`).join(',')};`
    return ''
  })
  const body = rest
    .replace(/\bexport\{([^}]*)\};?\s*$/, (_all, names) => exportsOf(names))
    .replaceAll(/\bloadNow\$\(\(\)=>import\(("[^"]+")\)\)/g, '$$m($1)')
    .replaceAll(/\bimport\("\.\/([^"]+)"\)/g, '$$l("$1")')
    // esbuild escapes everything but regular expressions. V8 keeps ASCII in one byte per character.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII.
    .replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return { imports, required, body: head + body }
}

function renamed(names) {
  return names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$1:$2')
}

function exportsOf(names) {
  return names
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [local, exported = local] = each.split(' as ')
      return `exports.${exported}=${local};`
    })
    .join('')
}
