import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../pipelines/harness.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, '..', '..')
const PROGRAM = join(ROOT, 'bin', 'sandpiper.js')

/** Longest time for one block. A block that hangs is stopped and fails. */
const LIMIT_MS = 60_000

export interface Outcome {
  readonly code: number | null
  readonly output: string
}

/**
 * A shell in a scratch folder in which the commands of a page run one block after the other, as a reader would type them:
 * with `sandpiper` on the PATH and a service that is started on a free port in place of 9200.
 */
export class ShellSession {
  readonly #folder: string
  readonly #bin: string
  #monitoring = ''
  /** Process ids of what runs until the end. */
  readonly #lasting: number[] = []

  constructor(folder: string) {
    this.#folder = folder
    this.#bin = join(folder, '.commands')
    mkdirSync(this.#bin, { recursive: true })
    symlinkSync(join(ROOT, 'bin'), join(folder, 'bin'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(ROOT, join(folder, 'node_modules', 'sandpiper-search'))
    const own = `exec '${process.execPath}' '${join(HERE, 'sandpiper-command.mjs')}' "$@"`
    this.#command('sandpiper', own)
    // `npm install` and `npm test` are what CI runs on a clean checkout. `npm start` builds first, which CI has done.
    this.#command('npm', `case "$*" in install|test) ;; start) ${own.replace('"$@"', 'serve')} ;; *) exit 1 ;; esac`)
    this.#command('curl', `exec ${JSON.stringify(curl() ?? 'curl')} --fail-with-body --silent --show-error "$@"`)
  }

  #command(name: string, script: string): void {
    writeFileSync(join(this.#bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(this.#bin, name), 0o755)
  }

  write(name: string, text: string): void {
    const path = join(this.#folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** Starts the service that the commands use in place of the one on port 9200, and returns its address. */
  async serve(...args: string[]): Promise<string> {
    const { code, output } = await this.run('bash', ['-c', `sandpiper serve ${args.join(' ')}`])
    if (code !== 0) throw new Error(`the service does not start:\n${output}`)
    renameSync(join(this.#folder, '.started'), join(this.#folder, '.service'))
    this.#lasting.push(...this.#startedPids())
    return readFileSync(join(this.#folder, '.service'), 'utf8')
  }

  /** Starts a pipeline that `pipeline tap` and `pipeline top` look into. */
  async startPipeline(configuration: string): Promise<void> {
    this.write('running.conf', configuration)
    const port = await freePort()
    const args = ['pipeline', '-f', 'running.conf', '--path.data', 'running', '--api.http.port', String(port)]
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: this.#folder, stdio: 'ignore' })
    this.#lasting.push(child.pid!)
    this.#monitoring = `127.0.0.1:${port}`
    while (!(await answers(`http://${this.#monitoring}/_node/pipelines`))) {
      if (child.exitCode !== null) throw new Error('the pipeline beside the blocks does not start')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Runs a program in the folder and returns its exit code with everything that it printed. */
  async run(program: string, args: readonly string[]): Promise<Outcome> {
    const { NODE_TEST_CONTEXT: _context, SANDPIPER_SLOW_TESTS: _slow, ...inherited } = process.env
    const child = spawn(program, args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited,
        PATH: `${this.#bin}:${process.env['PATH']}`,
        DOCS_PROGRAM: PROGRAM,
        DOCS_SERVICE: join(this.#folder, '.service'),
        DOCS_STARTED: join(this.#folder, '.started'),
        DOCS_PIDS: join(this.#folder, '.pids'),
        DOCS_MONITORING: this.#monitoring,
        DOCS_FREE_PORT: String(await freePort()),
      },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    const [code] = (await once(child, 'exit')) as [number | null]
    clearTimeout(timer)
    // A service that a block started inherits the pipes and keeps them open.
    child.stdout.destroy()
    child.stderr.destroy()
    return { code, output }
  }

  /** Stops the services that the last block has started. */
  async stopServices(): Promise<void> {
    await Promise.all(this.#startedPids().map(stopped))
  }

  /** Stops everything and removes the folder. */
  async end(): Promise<void> {
    await Promise.all([...this.#startedPids(), ...this.#lasting].map(stopped))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #startedPids(): number[] {
    const pids = join(this.#folder, '.pids')
    if (!existsSync(pids)) return []
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    rmSync(pids)
    return started
  }
}

/** The path of curl, or undefined where it is not installed. */
export function curl(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, 'curl'))
    .find((path) => existsSync(path))
}

async function stopped(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGTERM')
    for (;;) {
      process.kill(pid, 0)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  } catch {
    // The process has ended.
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => (await answer.text()).includes('main'),
    () => false,
  )
}
