// Runs the steps of deploy/Dockerfile without a container runtime: each stage in a clean root of its own, and the service as compose.yaml
// runs it: as process 1 of its namespace, non-root, without capabilities, on a read-only root with /tmp and /data. Then the health
// check, a write to the root, SIGTERM, and a second start on the same data.
//   sudo node scripts/test-image.mjs            (Linux, root: mount and process namespaces)
// Not covered: the base image (its place take Node, npm and a shell of this system), the layers and the network of a container runtime.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCleanRoot, output } from './image/clean-root.mjs'
import { commandOf, environmentOf, parseDockerfile, settingOf } from './image/dockerfile.mjs'

const context = join(dirname(fileURLToPath(import.meta.url)), '..')
const work = mkdtempSync(join(tmpdir(), 'sandpiper-image-'))
/** Inside and outside of the root. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
const STOP_MS = 30_000

const quoted = (words) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The arguments of `unshare` that run a script in namespaces of its own. */
const inNamespaces = (script) => ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script]

/** One RUN step, as root in the root of its stage. */
function runStep(root, folder, command) {
  const mounts = `mount -t proc proc ${root}/proc; mount --rbind /dev ${root}/dev`
  const inside = quoted(['sh', '-ec', `cd ${folder}; ${command}`])
  const env = {
    PATH,
    HOME: '/root',
    npm_config_registry: output('npm', ['config', 'get', 'registry']),
    ...(process.env['NODE_EXTRA_CA_CERTS'] === undefined
      ? {}
      : { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] }),
  }
  const { status } = spawnSync('unshare', inNamespaces(`${mounts}; exec chroot ${root} ${inside}`), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
  assert.equal(status, 0, `RUN ${command}`)
}

function copyStep(roots, root, folder, text) {
  const from = /^--from=(\S+) /.exec(text)?.[1]
  const names = text.replace(/^--from=\S+ /, '').split(' ')
  const target = join(root, names.at(-1).startsWith('/') ? names.at(-1) : join(folder, names.at(-1)))
  for (const name of names.slice(0, -1)) {
    const source = from === undefined ? join(context, name) : join(roots.get(from), name)
    const into = names.at(-1).endsWith('/') ? join(target, basename(name)) : target
    mkdirSync(dirname(into), { recursive: true })
    cpSync(source, into, { recursive: true })
  }
}

/** Executes the stages and returns the root and the description of the last one. */
function buildImage() {
  const roots = new Map()
  let image
  for (const [number, stage] of parseDockerfile(readFileSync(join(context, 'deploy/Dockerfile'), 'utf8')).entries()) {
    const root = join(work, `stage-${number}`)
    makeCleanRoot(root)
    roots.set(stage.name, root)
    let folder = '/'
    for (const { instruction, text } of stage.steps) {
      console.log(`${instruction} ${text}`)
      if (instruction === 'WORKDIR') {
        folder = text
        mkdirSync(join(root, folder), { recursive: true })
      } else if (instruction === 'COPY') copyStep(roots, root, folder, text)
      else if (instruction === 'RUN') runStep(root, folder, text)
    }
    image = { root, stage }
  }
  return image
}

/** Starts a command as the container would, with the volume `data`. */
function startContainer({ root, stage }, data, command, settings) {
  const [user, group] = settingOf(stage, 'USER').split(':')
  const script = [
    `mount --bind ${root} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount --bind ${data} ${root}${settingOf(stage, 'VOLUME')}`,
    `mount -o remount,ro,bind ${root}`,
    `exec chroot ${root} setpriv --reuid ${user} --regid ${group} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all ${quoted(command)}`,
  ]
  return spawn('unshare', inNamespaces(script.join('\n')), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH, HOME: '/', ...environmentOf(stage), ...settings },
  })
}

async function exitOf(child) {
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

const processOne = ({ pid }) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

async function request(url, method, path, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function checkContainer(image) {
  const { stage } = image
  const data = join(work, 'data')
  mkdirSync(data, { mode: 0o700 })
  const [user, group] = settingOf(stage, 'USER').split(':').map(Number)
  chownSync(data, user, group)
  const port = await freePort()
  const settings = { SANDPIPER_PORT: String(port) }
  const url = `http://127.0.0.1:${port}`
  const run = (command) => exitOf(startContainer(image, data, command, settings))
  const healthCheck = () => run(commandOf(stage, 'HEALTHCHECK'))
  const serve = async () => {
    const service = startContainer(
      image,
      data,
      [...commandOf(stage, 'ENTRYPOINT'), ...commandOf(stage, 'CMD')],
      settings,
    )
    while (
      !(await fetch(url).then(
        () => true,
        () => false,
      ))
    ) {
      assert.equal(service.exitCode, null, 'the service ended')
      await sleep(100)
    }
    return service
  }
  const stop = async (service) => {
    const begun = performance.now()
    process.kill(processOne(service), settingOf(stage, 'STOPSIGNAL'))
    const code = await Promise.race([exitOf(service), sleep(STOP_MS).then(() => 'still running')])
    assert.equal(code, 0, 'exit after the signal')
    return Math.round(performance.now() - begun)
  }

  const write = (file) => `require('fs').writeFileSync('${file}','')`
  assert.equal(
    await run(['node', '-e', `try{${write('/app/x')};process.exit(1)}catch(e){process.exit(e.code==='EROFS'?0:2)}`]),
    0,
  )
  assert.equal(await run(['node', '-e', `${write('/tmp/x')};${write('/data/x')}`]), 0)
  rmSync(join(data, 'x'))
  console.log('ok: the root is read-only, /tmp and /data are writable')

  assert.equal(await healthCheck(), 1, 'health check without a service')
  const first = await serve()
  const status = readFileSync(`/proc/${processOne(first)}/status`, 'utf8')
  const fact = (name) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)[1]
  assert.equal(fact('Uid').split('\t')[0], String(user))
  assert.equal(fact('NSpid').split('\t').at(-1), '1')
  assert.equal(Number.parseInt(fact('CapEff'), 16), 0)
  assert.equal(Number.parseInt(fact('CapBnd'), 16), 0)
  assert.equal(fact('NoNewPrivs'), '1')
  console.log(`ok: process 1 has user ${user}, no capabilities, no new privileges, ${fact('VmRSS')} resident`)
  assert.equal(await healthCheck(), 0, 'health check of a running service')
  assert.equal((await request(url, 'PUT', '/books/_doc/1?refresh=true', { title: 'Clean roots' })).status, 201)
  console.log('ok: the health check succeeds, a document is stored')
  console.log(`ok: ${settingOf(stage, 'STOPSIGNAL')} ends the service with exit code 0 after ${await stop(first)} ms`)

  const second = await serve()
  const found = await request(url, 'GET', '/books/_search?q=title:roots')
  assert.equal(found.body.hits.total.value, 1)
  await stop(second)
  console.log('ok: a second container finds the document of the first')
}

const sizeOf = (folder) => Number(output('du', ['-sk', folder]).split('\t')[0])

try {
  assert.equal(process.getuid?.(), 0, 'needs root: namespaces with mounts')
  const image = buildImage()
  const added = readdirSync(join(image.root, 'app'))
  console.log(`/app has ${added.join(', ')}: ${(sizeOf(join(image.root, 'app')) / 1024).toFixed(1)} MB`)
  await checkContainer(image)
} finally {
  rmSync(work, { recursive: true, force: true })
}
