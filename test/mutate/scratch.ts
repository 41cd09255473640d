/** A copy of the project in which one mutant at a time is judged. The working tree is never changed. */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { compileTests } from '../compile.mjs'
import type { Mutant } from './mutants.ts'

const LAWS = 'test/model/laws.ts'

/** Seconds of processor time, so that mutants that never end are noticed, however busy the machine is. */
const LIMIT_SECONDS = 60

export interface Verdict {
  readonly fails: boolean
  /** Processor time. */
  readonly seconds: number
  readonly output: string
}

export class Scratch {
  readonly root: string
  readonly #laws: string

  private constructor(root: string, laws: string) {
    this.root = root
    this.#laws = laws
  }

  /** Copies the sources, which some tests read, and what `npm run built` has made of them. */
  static async make(project: string): Promise<Scratch> {
    const root = mkdtempSync(join(tmpdir(), 'sandpiper-mutate-'))
    const copy = (path: string) =>
      cpSync(join(project, path), join(root, path), { recursive: true, preserveTimestamps: true })
    for (const path of ['src', 'dist', 'docs', 'test/model', 'test/fuzz', 'package.json', 'tsconfig.json']) copy(path)
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
    const [laws] = await compileTests(root, [LAWS], join(root, 'dist/mutate'))
    return new Scratch(root, laws!)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Runs `judge` while the copy has the mutant. */
  async with<T>(mutant: Mutant, judge: () => Promise<T>): Promise<T> {
    const path = join(this.root, mutant.file.replace(/^src/, 'dist').replace(/ts$/, 'js'))
    const compiled = readFileSync(path)
    const text = readFileSync(join(this.root, mutant.file), 'utf8')
    writeFileSync(path, javaScript(text.slice(0, mutant.start) + mutant.after + text.slice(mutant.end)))
    try {
      return await judge()
    } finally {
      writeFileSync(path, compiled)
    }
  }

  /** All in one process, because starting one takes longer than most unit tests. */
  unitTests(tests: readonly string[]): Promise<Verdict> {
    const module = join(this.root, 'dist/mutate/tests.mjs')
    const compiled = tests.map((path) => join(this.root, path.replace(/^src/, 'dist').replace(/ts$/, 'js')))
    writeFileSync(module, compiled.map((path) => `import ${JSON.stringify(pathToFileURL(path).href)}\n`).join(''))
    return this.#run([module])
  }

  laws(seed: number, rounds: number): Promise<Verdict> {
    const limits = ['--seconds', '3600', '--rounds', String(rounds), '--trials', '0']
    return this.#run([this.#laws, '--seed', String(seed), ...limits])
  }

  #run(args: readonly string[]): Promise<Verdict> {
    // The last line of `times` is that of the finished processes.
    const script = `ulimit -t ${LIMIT_SECONDS}; "$0" "$@"; code=$?; times; exit $code`
    return new Promise((resolve) => {
      const child = spawn('/bin/sh', ['-c', script, process.execPath, ...args], {
        cwd: this.root,
        stdio: ['ignore', 'pipe', 'pipe'],
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

function javaScript(text: string): string {
  const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node20', logLevel: 'silent' })
  return code.replace(/(\bfrom |\bimport\(?\s*)"(\.[^"]+)\.ts"/g, '$1"$2.js"')
}
