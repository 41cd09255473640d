/**
 * Loads the bundled program. `scripts/bundle.mjs` writes it as packs: scripts that hold several chunks of modules, each as a
 * function. A pack is compiled as a whole, from V8's code of an earlier start where there is one (code-cache.ts), which Node 20
 * offers for scripts but not for ES modules.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { cacheFolder, cacheName, hasGrown, readCode, writeCode } from './code-cache.ts'
import { readLargeFile, release } from './large-file.ts'

/** The compiled functions of the start are complete by then, and a command that ends sooner does not wait. */
const WRITE_AFTER_MS = 3000

/** The packs, written by scripts/bundle.mjs. */
export interface Manifest {
  readonly packs: Readonly<Record<string, PackDescription>>
}

interface PackDescription {
  readonly chunks: readonly string[]
  /** The contents of the pack; undefined if V8's code of it is not worth keeping. */
  readonly hash?: string
}

type Exports = Record<string, unknown>
type Chunk = (exports: Exports) => void
type Pack = (require: Require, load: (name: string) => Promise<Exports>, url: string) => Record<string, Chunk>
type Require = (name: string) => unknown

/** Loads the chunk that this thread starts with and returns its exports. The bundle is beside the bundled form of this module. */
export function loadBundle(entry: string, folder = __dirname): Exports {
  const manifest = JSON.parse(readFileSync(join(folder, 'packs.json'), 'utf8')) as Manifest
  return new Loader(folder, manifest, entry).load(entry)
}

class Loader {
  readonly #folder: string
  readonly #packs: Manifest['packs']
  readonly #packOf = new Map<string, string>()
  readonly #chunks = new Map<string, Chunk>()
  readonly #loaded = new Map<string, Exports>()
  readonly #requireNode: Require
  /** Whether scripts of node:vm use the same global objects as this code. They do not inside Jest. */
  readonly #sharesRealm = new Script('Array').runInThisContext() === Array
  readonly #cache = cacheFolder(process.env)
  readonly #role: string

  /** `role` names the first chunk of this thread. */
  constructor(folder: string, { packs }: Manifest, role: string) {
    this.#folder = folder
    this.#packs = packs
    for (const [pack, { chunks }] of Object.entries(packs)) for (const chunk of chunks) this.#packOf.set(chunk, pack)
    this.#requireNode = createRequire(`${folder}/`)
    this.#role = role
  }

  /** The exports of a chunk. Modules of Node and of packages are loaded as by `require`. */
  load(name: string): Exports {
    const known = this.#loaded.get(name)
    if (known !== undefined) return known
    const exports: Exports = {}
    this.#chunk(name)(exports)
    this.#loaded.set(name, exports)
    return exports
  }

  #chunk(name: string): Chunk {
    const pack = this.#packOf.get(name)
    if (pack === undefined) throw new Error(`the bundle has no chunk ${name}`)
    if (!this.#chunks.has(name)) this.#addChunks(pack)
    return this.#chunks.get(name)!
  }

  #addChunks(pack: string): void {
    const path = `${this.#folder}/${pack}.pack.js`
    const require: Require = (name) => (name.startsWith('./') ? this.load(name.slice(2)) : this.#requireNode(name))
    const load = async (name: string) => this.load(name)
    const chunks = this.#compile(pack, path)(require, load, pathToFileURL(path).href)
    for (const [name, chunk] of Object.entries(chunks)) this.#chunks.set(name, chunk)
  }

  #compile(pack: string, path: string): Pack {
    const text = this.#readPack(path)
    // biome-ignore lint/security/noGlobalEval: test runners have a realm of their own, in which scripts of node:vm would not run.
    if (!this.#sharesRealm) return globalThis.eval(text) as Pack
    const { hash } = this.#packs[pack]!
    const folder = this.#cache
    if (hash === undefined || folder === undefined)
      return new Script(text, { filename: path }).runInThisContext() as Pack
    const name = cacheName(pack, hash, this.#role, path)
    const stored = readCode(folder, name)
    const script = new Script(text, { filename: path, ...(stored === undefined ? {} : { cachedData: stored.code }) })
    release(stored?.code)
    const isAccepted = stored !== undefined && script.cachedDataRejected !== true
    const write = () => {
      if (!isAccepted || hasGrown(stored)) writeCode(folder, name, script)
    }
    setTimeout(write, WRITE_AFTER_MS).unref()
    return script.runInThisContext() as Pack
  }

  /** The text of a pack. It is ASCII, which V8 keeps in one byte per character. */
  #readPack(path: string): string {
    const file = readLargeFile(path)
    const text = file.toString('latin1')
    release(file)
    return text
  }
}
