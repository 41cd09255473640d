// What every peer needs: free ports, servers that are ended again, and pipelines whose events can be compared.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..', '..')
export const isRoot = process.getuid?.() === 0

export const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
export const firstLine = (program, args) => execFileSync(program, args, { encoding: 'utf8' }).split('\n')[0].trim()

/** Thrown if something that a peer needs is not there. */
export class Skipped extends Error {}

export function freePort() {
  return new Promise((done) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

export function expect(actual, expected, what = '') {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`${what}expected ${wanted?.slice(0, 400)}, got ${found?.slice(0, 400)}`)
}

export async function until(condition, what, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100)) {
    const found = await condition()
    if (found) return found
  }
  throw new Error(`${what} did not happen within ${seconds} s`)
}

/** The surroundings of one peer: a folder, and the processes to end. */
export class Surroundings {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-peer-'))
  #children = []

  file(name, text) {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    return path
  }

  /** A folder below; it belongs to `owner` if this runs as root. */
  subfolder(name, owner) {
    const path = join(this.folder, name)
    mkdirSync(path, { recursive: true })
    if (owner !== undefined && isRoot) {
      execFileSync('chmod', ['711', this.folder])
      chownSync(path, owner.uid, owner.gid)
    }
    return path
  }

  spawn(program, args, { env = {}, owner, input = 'ignore' } = {}) {
    const child = spawn(program, args, {
      stdio: [input, 'pipe', 'pipe'],
      cwd: this.folder,
      env: { ...process.env, ...env },
      ...(owner !== undefined && isRoot ? { uid: owner.uid, gid: owner.gid } : {}),
    })
    child.text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece) => {
        child.text = (child.text + piece).slice(-20_000)
      })
    }
    child.exited = new Promise((done) => child.on('close', done))
    child.on('error', (error) => {
      child.text += error.message
    })
    this.#children.push(child)
    return child
  }

  /** Starts a server and waits until it accepts connections. */
  async server(program, args, port, { seconds = 60, ...options } = {}) {
    const child = this.spawn(program, args, options)
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`${program} ended: ${child.text.slice(-500)}`)
        return isListening(port)
      },
      `${program} answering on port ${port}`,
      seconds,
    )
    return child
  }

  async end() {
    for (const child of this.#children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill()
      const killing = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await child.exited
      clearTimeout(killing)
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }

  /** Runs a configuration on lines of standard input to its end; returns the events it prints. */
  async pipeline(config, lines = [], options = {}) {
    const running = this.start(config, { ...options, input: 'pipe' })
    running.child.stdin.end(lines.join('\n'))
    const timer = setTimeout(() => running.child.kill('SIGKILL'), 90_000)
    const code = await running.child.exited
    clearTimeout(timer)
    if (code !== 0) throw new Error(`the pipeline ended with ${code}: ${running.log.slice(-800)}`)
    return running.events
  }

  /** Starts a configuration whose output `stdout { codec => json_lines }` is collected. `api` is the port of the monitoring API. */
  start(config, { env = {}, input = 'ignore', api } = {}) {
    const data = mkdtempSync(join(this.folder, 'data-'))
    const args = [
      'bin/sandpiper.js',
      'pipeline',
      '-w',
      '1',
      '--path.data',
      data,
      ...(api === undefined ? ['--api.enabled', 'false'] : ['--api.http.port', String(api)]),
      '-e',
      config,
    ]
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: [input, 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    const running = { child, events: [], log: '' }
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      const texts = (rest + piece).split('\n')
      rest = texts.pop()
      for (const text of texts) {
        if (text.startsWith('{')) running.events.push(JSON.parse(text))
        else if (text !== '') running.log += `${text}\n`
      }
    })
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      running.log += piece
    })
    child.exited = new Promise((done) => child.on('close', done))
    this.#children.push(child)
    running.take = async (count, seconds = 60) => {
      await until(
        () => {
          if (child.exitCode !== null)
            throw new Error(`the pipeline ended with ${child.exitCode}: ${running.log.slice(-800)}`)
          return running.events.length >= count
        },
        `${count} events (there are ${running.events.length}; ${running.log.slice(-500)})`,
        seconds,
      )
      return running.events
    }
    /** Waits for a sentence of the log. */
    running.says = (pattern, seconds = 60) =>
      until(
        () => {
          if (child.exitCode !== null)
            throw new Error(`the pipeline ended with ${child.exitCode}: ${running.log.slice(-800)}`)
          return pattern.test(running.log)
        },
        `${pattern} in the log (${running.log.slice(-500)})`,
        seconds,
      )
    running.stop = async () => {
      child.kill()
      const code = await child.exited
      if (code !== 0) throw new Error(`the pipeline ended with ${code}: ${running.log.slice(-800)}`)
      return running.events
    }
    return running
  }
}

export const JSON_OUT = 'output { stdout { codec => json_lines } }'

export function isListening(port) {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', () => done(false))
  })
}

/** A user of the system, for servers that refuse to run as root. */
export function account(name) {
  if (!isRoot) return undefined
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' })))
  return { uid, gid }
}

/** A certificate for 127.0.0.1 and localhost that signs itself. */
export function certificate(surroundings) {
  const [key, cert] = [join(surroundings.folder, 'key.pem'), join(surroundings.folder, 'cert.pem')]
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost'
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    names,
  ]
  execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key, cert }
}
