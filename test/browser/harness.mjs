// Runs scenarios in a real Chromium against a service of their own. Each gets a fresh page; whatever the page logs as an error, a
// violation of its policy, and a request to another host fail the scenario.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
export const CONSOLE = '/_sandpiper/console'

export function findBrowser() {
  return [process.env.SANDPIPER_CHROMIUM, ...BROWSERS].find((path) => path !== undefined && existsSync(path))
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A service with its data on disk, which can be stopped and started again on the same port. */
export class Service {
  #folder = mkdtempSync(join(tmpdir(), 'sandpiper-browser-'))
  #process
  /** The folder for snapshot repositories. */
  backups = join(this.#folder, 'backups')
  url = ''
  port = 0

  async start(args = []) {
    mkdirSync(this.backups, { recursive: true })
    this.#process = spawn(
      process.execPath,
      [
        join(root, 'bin/sandpiper.js'),
        'serve',
        ...['--port', String(this.port)],
        ...['--data', join(this.#folder, 'data')],
        ...['--path-repo', this.backups],
        ...args,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let text = ''
    for await (const chunk of this.#process.stdout) {
      text += chunk
      const address = /address\s+(http:\S+)/.exec(text)
      if (address === null) continue
      this.url = address[1]
      this.port = Number(new URL(this.url).port)
      this.#process.stdout.resume()
      return
    }
    throw new Error(`the service did not start: ${text}`)
  }

  async stop() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGTERM')
    await ended
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const scenarios = []

/** `options.isElsewhere`: the scenario has a service of its own. `options.errors` lists console errors that belong to the scenario, such as a 400 that is asked for. */
export function scenario(name, run, options = {}) {
  scenarios.push({ name, run, ...options })
}

export async function runScenarios(service, only) {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  let passed = 0
  const failed = []
  for (const {
    name,
    run,
    theme = 'light',
    viewport = { width: 1280, height: 860 },
    errors = [],
    isElsewhere = false,
  } of scenarios) {
    if (only !== undefined && !new RegExp(only).test(name)) continue
    const context = await browser.newContext({
      viewport,
      colorScheme: theme,
      reducedMotion: 'reduce',
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    // Long enough for a machine with other work; a scenario that passes never waits for it.
    page.setDefaultTimeout(45_000)
    const complaints = []
    page.on('pageerror', (error) => complaints.push(`error in the page: ${error.message}`))
    page.on('console', (message) => {
      const text = message.text()
      // A status of 400 or more is logged by the browser; those are part of many scenarios.
      if (
        message.type() === 'error' &&
        !/Failed to load resource/.test(text) &&
        !errors.some((expected) => expected.test(text))
      )
        complaints.push(text)
    })
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== service.url && !isElsewhere)
        complaints.push(`request to another host: ${request.url()}`)
    })
    const startedMs = performance.now()
    try {
      await run({ page, service, context, open: (path) => page.goto(service.url + CONSOLE + path) })
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      passed++
      console.log(`ok   ${name} (${Math.round(performance.now() - startedMs)} ms)`)
    } catch (error) {
      failed.push(name)
      console.log(`FAIL ${name}\n     ${String(error.message).split('\n').slice(0, 12).join('\n     ')}`)
    }
    await context.close()
  }
  await browser.close()
  console.log(`\n${passed} passed, ${failed.length} failed`)
  for (const name of failed) console.log(`  ${name}`)
  return failed.length
}
