/** Goal: modules that the bundle loads later behave like imported ones, and modules that cannot be loaded later fail the build. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { build, type Plugin } from 'esbuild'
import { loadBundle, type Manifest } from '../../src/boot/loader.ts'

const { laterModules } = (await import(new URL('../../scripts/later-modules.mjs', import.meta.url).href)) as {
  laterModules: (source: string, modules: readonly string[]) => Plugin
}
const { packChunks } = (await import(new URL('../../scripts/pack-chunks.mjs', import.meta.url).href)) as {
  packChunks: (
    chunks: ReadonlyMap<string, { readonly text: string; readonly imports: readonly string[] }>,
    starts: object,
  ) => { texts: Map<string, string>; manifest: Manifest }
}

const work = mkdtempSync(join(tmpdir(), 'sandpiper-later-'))
after(() => rmSync(work, { recursive: true, force: true }))

const chunksOf = async (main: string, later: string) => {
  writeFileSync(join(work, 'main.ts'), main)
  writeFileSync(join(work, 'later.ts'), later)
  const { outputFiles, metafile } = await build({
    entryPoints: [join(work, 'main.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    minifyWhitespace: true,
    minifySyntax: true,
    outdir: work,
    write: false,
    logLevel: 'silent',
    metafile: true,
    plugins: [laterModules(work, ['later.ts'])],
  })
  const importsOf = (path: string) =>
    Object.entries(metafile.outputs)
      .find(([output]) => basename(output) === basename(path))![1]
      .imports.filter(({ kind }) => kind === 'import-statement')
      .map(({ path: imported, external }) => (external === true ? imported : `./${basename(imported)}`))
  return new Map(outputFiles.map(({ path, text }) => [basename(path), { text, imports: importsOf(path) }]))
}

test('the functions of a later module load it with the first call and pass arguments, results and errors on', async () => {
  const chunks = await chunksOf(
    `import { add, fail, type Sum } from './later.ts'
export const sum = (a: number, b: number): Sum => add(a, b)
export const failing = () => fail()
export const isLoaded = () => 'laterModuleLoads' in globalThis`,
    `export type Sum = number
export interface Unused { readonly a: Sum }
Object.assign(globalThis, { laterModuleLoads: true })
export function add(a: number, b: number): Sum { return a + b }
export async function fail(): Promise<void> { throw new Error('failed later') }`,
  )
  const { texts, manifest } = packChunks(chunks, { main: ['main.js'] })
  for (const [name, text] of texts) writeFileSync(join(work, `${name}.pack.js`), text)
  writeFileSync(join(work, 'packs.json'), JSON.stringify(manifest))
  const { sum, failing, isLoaded } = loadBundle('main.js', work) as {
    sum: (a: number, b: number) => number
    failing: () => Promise<void>
    isLoaded: () => boolean
  }
  assert.equal(isLoaded(), false)
  assert.equal(sum(2, 3), 5)
  assert.equal(isLoaded(), true)
  await assert.rejects(failing, /failed later/)
})

test('a later module that exports more than functions fails the build', async () => {
  for (const exported of ['export const a = 1', 'export class A {}', "export * from './main.ts'", 'export { b }'])
    await assert.rejects(chunksOf("import './later.ts'", exported), /exports more than functions/, exported)
})
