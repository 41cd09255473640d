// Starts the built service for a client's suite: a fresh data folder, a free port.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

/**
 * `flags` are further flags of `sandpiper serve`, `environment` further variables, `port` one that the suite cannot be told. `repositories` is the folder of
 * snapshot repositories; one that is given is there after `stop`, which removes the data.
 */
export async function startService({ flags = [], environment = {}, port = 0, repositories: given } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-clients-data-'))
  const repositories = given ?? join(folder, 'repositories')
  mkdirSync(repositories, { recursive: true })
  const always = [
    '--port',
    String(port),
    '--data',
    join(folder, 'data'),
    '--path-repo',
    repositories,
    '--log-level',
    'error',
  ]
  const child = spawn(process.execPath, [join(root, 'bin', 'sandpiper.js'), 'serve', ...always, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const ended = new Promise((done) => child.on('exit', done))
  const url = await new Promise((found, fail) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const address = /https?:\/\/[\d.]+:\d+/.exec(text)
      if (address !== null) found(address[0])
    })
    child.on('exit', (code) => fail(new Error(`the service ended with code ${code} before it was ready`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, port: Number(new URL(url).port), folder, repositories, stop }
}

/** Ports on which nobody listens. */
export async function closedPorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}
