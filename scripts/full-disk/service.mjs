/** The service of a run: its process, and requests that must be answered in time. */
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SANDPIPER = fileURLToPath(new URL('../../bin/sandpiper.js', import.meta.url))
/** A request that waits for space waits for longer. */
const ANSWER_MS = 10_000
const START_MS = 30_000

export class Service {
  #child
  #address
  #folder
  #patience
  #log = ''
  /** Resolves when the process has ended, whatever ended it. */
  #ended = Promise.resolve()
  isExpectedToRun = false

  /** `patience` multiplies all limits of time, for a machine that is busy with other programs. */
  constructor(folder, patience) {
    this.#folder = folder
    this.#patience = patience
  }

  get log() {
    return this.#log.slice(-4_000)
  }

  get isRunning() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async start() {
    const folders = ['--data', join(this.#folder, 'data'), '--path-repo', join(this.#folder, 'snapshots')]
    const child = spawn(process.execPath, [SANDPIPER, 'serve', '--port', '0', ...folders, '--log-level', 'warn'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SANDPIPER_FULL_DISK_INSIDE: undefined },
    })
    this.#child = child
    this.#ended = new Promise((done) => child.on('exit', done))
    child.stderr.on('data', (text) => (this.#log += text))
    this.#address = await new Promise((found, fail) => {
      const startMs = START_MS * this.#patience
      const timer = setTimeout(() => fail(new Error(`the service did not start in ${startMs} ms`)), startMs)
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += chunk
        const address = /address\s+(http:\S+)/.exec(text)
        if (address === null) return
        clearTimeout(timer)
        found(new URL(address[1]))
      })
      child.on('exit', (code, signal) => {
        clearTimeout(timer)
        fail(new Error(`the service ended with ${signal ?? code} before it was ready`))
      })
    })
    this.isExpectedToRun = true
  }

  async end(signal) {
    this.isExpectedToRun = false
    if (!this.isRunning) return
    this.#child.kill(signal)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), START_MS * this.#patience)
    await this.#ended
    clearTimeout(timer)
  }

  /** Status 0: the connection broke, as it does when the service is killed. */
  send(method, path, body) {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
    const headers = text === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }
    return new Promise((resolve) => {
      const { hostname, port } = this.#address
      const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (answer += chunk))
        response.on('error', () => resolve({ status: 0, json: {} }))
        response.on('end', () => resolve({ status: response.statusCode, json: parsed(answer) }))
      })
      sent.setTimeout(ANSWER_MS * this.#patience, () => {
        resolve({ status: -1, json: {} })
        sent.destroy()
      })
      sent.on('error', () => resolve({ status: 0, json: {} }))
      sent.end(text)
    })
  }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}
