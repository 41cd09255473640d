#!/usr/bin/env node
/**
 * Plugins against the real programs they talk to, as far as those are installed: `npm run test:peers`. Each peer is started on a free port
 * with a folder of its own and ended afterwards. What is not installed is skipped, and the table says so with the package that has it.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-peers-'))
const children = []

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const firstLine = (program, args) => execFileSync(program, args, { encoding: 'utf8' }).split('\n')[0].trim()

function freePort() {
  return new Promise((done) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

async function start(program, args, port) {
  const child = spawn(program, args, { stdio: 'ignore', cwd: folder })
  children.push(child)
  for (let tries = 0; tries < 100; tries++) {
    const isUp = await new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done(true)
      })
      socket.on('error', () => done(false))
    })
    if (isUp) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${program} did not answer on port ${port}`)
}

/** Runs a configuration on lines of standard input; gives the events it prints. */
function pipeline(config, lines) {
  const args = ['bin/sandpiper.js', 'pipeline', '-w', '1', '--path.data', mkdtempSync(join(folder, 'data-')), '-e', config]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, input: lines.join('\n'), encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) throw new Error(`the pipeline ended with ${status}: ${stderr.slice(-500)}`)
  return stdout.trim().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
}

function expect(actual, expected) {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`expected ${wanted}, got ${found}`)
}

const PEERS = [
  {
    name: 'memcached',
    plugins: 'filter memcached',
    program: 'memcached',
    package: 'memcached',
    version: () => firstLine('memcached', ['-V']),
    async run() {
      const port = await freePort()
      await start('memcached', ['-l', '127.0.0.1', '-p', String(port), '-U', '0', ...(process.getuid?.() === 0 ? ['-u', 'nobody'] : [])], port)
      const filter = `filter { memcached { hosts => ["127.0.0.1:${port}"] namespace => "n"
        set => { "message" => "key:%{[message]}" } get => { "key:%{[message]}" => "found" "key:none" => "none" } } }
        output { stdout { codec => json_lines } }`
      const events = pipeline(`input { stdin { } } ${filter}`, ['one', 'zwölf', 'with blanks'])
      expect(events.map(({ found, none }) => [found, none ?? null]), [['one', null], ['zwölf', null], ['with blanks', null]])
      return '3 values stored and read back'
    },
  },
  {
    name: 'redis',
    plugins: 'output redis',
    program: 'redis-server',
    package: 'redis-server',
    version: () => firstLine('redis-server', ['--version']).replace(/ sha=.*/, ''),
    async run() {
      const port = await freePort()
      await start('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], port)
      const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`)
      pipeline(`input { stdin { } } output { redis { host => "127.0.0.1" port => ${port} data_type => "list" key => "events" } }`, lines)
      const count = Number(execFileSync('redis-cli', ['-p', String(port), 'LLEN', 'events'], { encoding: 'utf8' }))
      expect(count, lines.length)
      return `${count} events in the list`
    },
  },
  {
    name: 'ruby',
    plugins: 'filter ruby, filter aggregate',
    program: 'ruby',
    package: 'ruby',
    version: () => firstLine('ruby', ['-v']),
    async run() {
      const seed = String(Math.floor(Math.random() * 1e6))
      const snippets = execFileSync(process.execPath, ['test/ruby/snippets.mjs', '1000', seed], { cwd: ROOT, encoding: 'utf8' })
      const recorded = execFileSync('ruby', ['--disable=error_highlight,did_you_mean', 'test/ruby/record.rb'], { cwd: ROOT, encoding: 'utf8', input: snippets, maxBuffer: 1e8 })
      const check = spawnSync(process.execPath, ['--import', 'tsx', 'test/ruby/compare.ts'], { cwd: ROOT, encoding: 'utf8', input: recorded })
      const [agreeing, all] = check.stdout.trim().split('\n').at(-1).split(' ').map(Number)
      if (!(agreeing >= all * 0.99)) throw new Error(`seed ${seed}: ${check.stdout}${check.stderr}`)
      return `seed ${seed}: ${agreeing} of ${all} random snippets agree`
    },
  },
]

const rows = []
for (const peer of PEERS) {
  if (!has(peer.program)) {
    rows.push([peer.name, peer.plugins, 'skipped', `not installed; Debian has it in the package ${peer.package}`])
    continue
  }
  try {
    rows.push([`${peer.name} (${peer.version()})`, peer.plugins, 'passed', await peer.run()])
  } catch (error) {
    rows.push([peer.name, peer.plugins, 'FAILED', error.message])
  }
}
for (const child of children) child.kill()
rmSync(folder, { recursive: true, force: true })
console.log('| peer | plugins | result | |\n|---|---|---|---|')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
const count = (result) => rows.filter((row) => row[2] === result).length
console.log(`${count('passed')} passed, ${count('FAILED')} failed, ${count('skipped')} skipped`)
process.exitCode = count('FAILED') > 0 ? 1 : 0
