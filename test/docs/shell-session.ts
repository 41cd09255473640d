import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, '..', '..')

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

  constructor(folder: string) {
    this.#folder = folder
    this.#bin = join(folder, '.commands')
    mkdirSync(this.#bin, { recursive: true })
    symlinkSync(join(ROOT, 'bin'), join(folder, 'bin'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(ROOT, join(folder, 'node_modules', 'sandpiper-search'))
    const own = `exec '${process.execPath}' '${join(HERE, 'sandpiper-command.mjs')}' "$@"`
    this.#command('sandpiper', own)
    this.#command('npx', `test "$1" = sandpiper-search && shift && ${own}`)
    // `npm install` and `npm test` are what CI runs on a clean checkout. `npm start` builds first, which CI has done.
    this.#command('npm', `case "$*" in install|test) ;; start) ${own} ;; *) exit 1 ;; esac`)
    this.#command('curl', `exec ${JSON.stringify(curl() ?? "curl")} --fail-with-body --silent --show-error "$@"`)
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

  /** Starts a service and returns its address. */
  async serve(...args: string[]): Promise<string> {
    const { code, output } = await this.run('bash', ['-c', `sandpiper serve ${args.join(' ')}`])
    if (code !== 0) throw new Error(`the service does not start:\n${output}`)
    return this.service()
  }

  /** The address of the service that was started last. */
  service(): string {
    return readFileSync(join(this.#folder, '.service'), 'utf8')
  }

  /** The monitoring API that `pipeline tap` and `pipeline top` read. */
  monitor(address: string): void {
    this.#monitoring = address
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
        DOCS_PROGRAM: join(ROOT, 'bin', 'sandpiper.js'),
        DOCS_SERVICE: join(this.#folder, '.service'),
        DOCS_PIDS: join(this.#folder, '.pids'),
        DOCS_MONITORING: this.#monitoring,
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

  /** Stops the services and removes the folder. */
  async end(): Promise<void> {
    const pids = join(this.#folder, '.pids')
    if (existsSync(pids)) {
      await Promise.all(
        readFileSync(pids, 'utf8')
          .trim()
          .split('\n')
          .map((pid) => stopped(Number(pid))),
      )
    }
    rmSync(this.#folder, { recursive: true, force: true })
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
