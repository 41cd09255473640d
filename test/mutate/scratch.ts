/** A copy of the project with all mutants in it, of which a process or a moment chooses one. The working tree is never changed. */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { compileTests } from '../compile.mjs'
import type { Mutant } from './mutants.ts'

/** Seconds of processor time, so that mutants that never end are noticed, however busy the machine is. */
const LIMIT_SECONDS = 60

/** The number of the mutant that is active in a process from its start, in its environment. */
export const CHOSEN = 'SANDPIPER_MUTANT'

export interface Verdict {
  readonly fails: boolean
  /** Processor time. */
  readonly seconds: number
  readonly output: string
}

export class Scratch {
  readonly root: string
  /** The module that judges by the laws. */
  readonly laws: string
  #modules = 0

  private constructor(root: string, laws: string) {
    this.root = root
    this.laws = laws
  }

  /** Copies the sources, which some tests read, and what `npm run built` has made of them. */
  static async make(project: string, mutants: readonly Mutant[]): Promise<Scratch> {
    const root = mkdtempSync(join(tmpdir(), 'sandpiper-mutate-'))
    const copy = (path: string) => cpSync(join(project, path), join(root, path), { recursive: true })
    for (const path of ['src', 'dist', 'docs', 'test', 'package.json', 'tsconfig.json']) copy(path)
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
    for (const file of new Set(mutants.map((mutant) => mutant.file))) {
      const text = withMutants(readFileSync(join(root, file), 'utf8'), file, mutants)
      writeFileSync(compiledPath(root, file), javaScript(text))
    }
    const [laws] = await compileTests(root, ['test/mutate/judge.ts'], join(root, 'dist/mutate'))
    return new Scratch(root, laws!)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Runs test files in one process, because starting one takes longer than most unit tests. */
  unitTests(tests: readonly string[], chosen: number): Promise<Verdict> {
    const module = join(this.root, `dist/mutate/tests-${this.#modules++}.mjs`)
    const urls = tests.map((path) => pathToFileURL(compiledPath(this.root, path)).href)
    writeFileSync(module, urls.map((url) => `import ${JSON.stringify(url)}\n`).join(''))
    // The last line of `times` is that of the finished processes.
    const script = `ulimit -t ${LIMIT_SECONDS}; "$0" "$1"; code=$?; times; exit $code`
    return new Promise((resolve) => {
      const child = spawn('/bin/sh', ['-c', script, process.execPath, module], {
        cwd: this.root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, [CHOSEN]: String(chosen) },
      })
      const parts: Buffer[] = []
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
      child.on('close', (code) => {
        const output = Buffer.concat(parts).toString()
        const [, minutes = '0', seconds = '0'] = /(\d+)m([\d.]+)s \S+\s*$/.exec(output) ?? []
        resolve({ fails: code !== 0, seconds: Number(minutes) * 60 + Number(seconds), output })
      })
    })
  }
}

const compiledPath = (root: string, file: string): string =>
  join(root, file.replace(/^src/, 'dist').replace(/ts$/, 'js'))

/** The text of a file with its mutants, whose numbers are their places in the list. */
function withMutants(text: string, file: string, mutants: readonly Mutant[]): string {
  const own = [...mutants.entries()].filter(([, mutant]) => mutant.file === file)
  // From the end, so that positions stay true.
  own.sort(([, a], [, b]) => b.start - a.start)
  return own.reduce(
    (changed, [number, { start, end, switched }]) =>
      changed.slice(0, start) + switched(`globalThis.sandpiperMutant === ${number}`) + changed.slice(end),
    text,
  )
}

function javaScript(text: string): string {
  const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node20', logLevel: 'silent' })
  const chosen = `globalThis.sandpiperMutant ??= Number(process.env.${CHOSEN} ?? -1);\n`
  return chosen + code.replace(/(\bfrom |\bimport\(?\s*)"(\.[^"]+)\.ts"/g, '$1"$2.js"')
}
