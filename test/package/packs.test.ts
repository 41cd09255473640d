/** Goal: the packs that the build writes mean the same as the ES modules they are made of, and load what a start needs. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { loadBundle, type Manifest } from '../../src/boot/loader.ts'

type PackChunks = (
  chunks: ReadonlyMap<string, { readonly text: string; readonly imports: readonly string[] }>,
  starts: Readonly<Record<string, readonly string[]>>,
) => { readonly texts: ReadonlyMap<string, string>; readonly manifest: Manifest }
const { packChunks } = (await import(new URL('../../scripts/pack-chunks.mjs', import.meta.url).href)) as {
  packChunks: PackChunks
}

const work = mkdtempSync(join(tmpdir(), 'sandpiper-packs-'))
after(() => rmSync(work, { recursive: true, force: true }))

const CHUNKS: Readonly<Record<string, string>> = {
  'main.js':
    'import{add as plus,names}from"./shared.js";import"./effect.js";import{join}from"node:path";function main(){return join(String(plus(1,2)),names[0])}var url=bundleUrl;export{main,url as address};\n',
  'shared.js':
    'import*as fs from"node:fs";import zlib,{crc32 as sum}from"node:zlib";var names=["caf\\xE9"],add=(a,b)=>a+b,vowels=/[äö]/,all=[typeof fs.readFileSync,typeof zlib.gzipSync,typeof sum];export{names,add,vowels,all};\n',
  'effect.js': 'globalThis.packTestEffects=(globalThis.packTestEffects??0)+1;\n',
  'other.js': 'var later=async()=>(await import("./main.js")).main();export{later};\n',
  'named.js':
    'var load=()=>import("./main.js"),require=()=>load();var again=async()=>(await require()).main();export{again};\n',
  'sync.js':
    'function main(...values){return loadNow$(()=>import("./main.js")).main(...values)}var now=()=>main();export{now};\n',
  'unused.js': 'throw new Error("nothing needs this chunk")\n',
}

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'main.js': ['./shared.js', './effect.js', 'node:path'],
  'shared.js': ['node:fs', 'node:zlib'],
}
const chunks = Object.entries(CHUNKS).map(([name, text]) => [name, { text, imports: IMPORTS[name] ?? [] }] as const)

const { texts, manifest } = packChunks(new Map(chunks), {
  main: ['main.js'],
  other: ['other.js', 'shared.js'],
})
for (const [name, text] of texts) writeFileSync(join(work, `${name}.pack.js`), text)
writeFileSync(join(work, 'packs.json'), JSON.stringify(manifest))

test('chunks that the same starts need share a pack, and others have their own', () => {
  const members = Object.fromEntries(Object.entries(manifest.packs).map(([pack, { chunks }]) => [pack, chunks]))
  assert.deepEqual(members, {
    main: ['main.js', 'effect.js'],
    'main-other': ['shared.js'],
    other: ['other.js'],
    named: ['named.js'],
    sync: ['sync.js'],
    unused: ['unused.js'],
  })
})

test('imports, renamed exports and the address of the bundle work in a pack', () => {
  const { main, address } = loadBundle('main.js', work) as { main: () => string; address: string }
  assert.equal(main(), join('3', 'café'))
  assert.equal(address, pathToFileURL(join(work, 'main.pack.js')).href)
})

test('characters in regular expressions keep their meaning, and modules of Node are complete', () => {
  const { vowels, all } = loadBundle('shared.js', work) as { vowels: RegExp; all: string[] }
  assert.deepEqual(
    ['ä', 'x', 'ö'].map((text) => vowels.test(text)),
    [true, false, true],
  )
  assert.deepEqual(all.slice(0, 2), ['function', 'function'])
})

test('a text that looks like an import stops the build instead of being rewritten', () => {
  const text = 'var s=`x import{a}from"y";z`;export{s};\n'
  assert.throws(
    () => packChunks(new Map([['main.js', { text, imports: [] }]]), {}),
    /main\.js imports , .* importing y/,
  )
})

test('a chunk imported on demand is loaded once per thread', async () => {
  const effects = globalThis as { packTestEffects?: number }
  effects.packTestEffects = 0
  const { later } = loadBundle('other.js', work) as { later: () => Promise<string> }
  assert.equal(effects.packTestEffects, 0)
  assert.equal(await later(), join('3', 'café'))
  await later()
  assert.equal(effects.packTestEffects, 1)
})

test('a module whose functions are called load and require imports on demand', async () => {
  const { again } = loadBundle('named.js', work) as { again: () => Promise<string> }
  assert.equal(await again(), join('3', 'café'))
})

test('text that is not converted to a valid script fails the build', () => {
  assert.throws(() => packChunks(new Map([['bad.js', { text: 'export default 1', imports: [] }]]), {}), SyntaxError)
})

test('a chunk that a function loads synchronously is available when the function returns', () => {
  const { now } = loadBundle('sync.js', work) as { now: () => string }
  assert.equal(now(), join('3', 'café'))
})
