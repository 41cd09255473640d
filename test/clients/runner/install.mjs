// Installs clients by package name from the configured registries into a cache folder, once for each client. Every function returns the installed version, or
// throws NotInstalled with the reason, which the table of results shows.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'

export class NotInstalled extends Error {}

export function run(command, args, { cwd = tmpdir(), environment = {}, minutes = 20 } = {}) {
  const env = { ...process.env, CI: '', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...environment }
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28, timeout: minutes * 60_000 })
}

/** Runs a step of an installation; its last lines are the reason if it fails. */
function need(command, args, options) {
  const { status, stdout, stderr, error } = run(command, args, options)
  if (status === 0) return stdout
  const lines = `${stdout ?? ''}\n${stderr ?? ''}`
    .split('\n')
    .filter((line) => /\S/.test(line) && !/^\s*(note|hint|npm notice)/.test(line))
  const reason = error?.code === 'ENOENT' ? 'not found' : lines.slice(-2).join(' ').slice(0, 300)
  throw new NotInstalled(`${command} ${args[0]}: ${reason}`)
}

/** Calls `install` unless a former run has, and keeps what it returns. */
export function once(folder, install) {
  const marker = join(folder, 'installed.json')
  if (existsSync(marker)) return JSON.parse(readFileSync(marker, 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const value = install()
  writeFileSync(marker, JSON.stringify(value))
  return value
}

export function installNpm(folder, packages) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  need('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder })
  const name = packages[0].replace(/(.)@[^@/]*$/, '$1')
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
}

export const interpreterOf = (folder) => join(folder, 'venv', 'bin', 'python')

/** The first requirement is the client; its version is returned. */
export function installPython(folder, requirements) {
  need('python3', ['-m', 'venv', join(folder, 'venv')])
  need(interpreterOf(folder), ['-m', 'pip', 'install', '-q', ...requirements])
  const [, name] = /^([\w.-]+)/.exec(requirements[0])
  const code = `import importlib.metadata; print(importlib.metadata.version(${JSON.stringify(name)}))`
  return need(interpreterOf(folder), ['-c', code]).trim()
}

/** The source distribution of a Python package, unpacked to `folder/source`. */
export function unpackPythonSource(folder, requirement) {
  const [, name] = /^([\w.-]+)/.exec(requirement)
  const archives = join(folder, 'archives')
  mkdirSync(archives, { recursive: true })
  need(interpreterOf(folder), [
    '-m',
    'pip',
    'download',
    '-q',
    '--no-deps',
    '--no-binary',
    name,
    '-d',
    archives,
    requirement,
  ])
  return unpack(join(archives, readdirSync(archives)[0]), join(folder, 'source'))
}

function unpack(archive, target) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  need('tar', ['xaf', archive, '--strip-components', '1', '-C', target])
  return target
}

/** A copy of a Go module that can be changed and built, in `folder/source`. */
export function unpackGoModule(folder, module) {
  writeFileSync(join(folder, 'go.mod'), 'module download\n')
  const found = JSON.parse(need('go', ['mod', 'download', '-json', module], { cwd: folder }))
  rmSync(join(folder, 'go.mod'))
  cpSync(found.Dir, join(folder, 'source'), { recursive: true })
  need('chmod', ['-R', 'u+w', join(folder, 'source')])
  return found.Version.slice(1)
}

/** Compiles a copy of a Maven project; the version is that of its first dependency. */
export function installMaven(folder, project) {
  cpSync(project, folder, { recursive: true })
  need(
    'mvn',
    ['-q', '-B', 'compile', 'dependency:build-classpath', `-Dmdep.outputFile=${join(folder, 'classpath.txt')}`],
    { cwd: folder },
  )
  return /<dependency>[\s\S]*?<version>([^<]+)/.exec(readFileSync(join(folder, 'pom.xml'), 'utf8'))[1]
}

export const classPathOf = (folder) =>
  `${join(folder, 'target', 'classes')}:${readFileSync(join(folder, 'classpath.txt'), 'utf8').trim()}`

/** The version of a program that the system has. */
export const commandVersion = (command, args, pattern) => pattern.exec(need(command, args))?.[1] ?? ''

/** The upstream archive of a Debian source package, unpacked to `folder/source`. Debian's list of sources is read from the packages that apt knows. */
export function unpackDebianSource(folder, name, suite = 'sid') {
  const state = join(dirname(folder), 'apt')
  const options = Object.entries({
    'Dir::Etc::sourcelist': join(state, `${suite}.list`),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(state, `${suite}-lists`),
    'Dir::Cache': join(state, 'cache'),
  }).flatMap(([key, value]) => ['-o', `${key}=${value}`])
  mkdirSync(join(state, `${suite}-lists`, 'partial'), { recursive: true })
  mkdirSync(join(state, 'cache', 'archives', 'partial'), { recursive: true })
  const mirror = debianMirror()
  writeFileSync(join(state, `${suite}.list`), `deb-src ${mirror} ${suite} main\n`)
  need('apt-get', [...options, 'update', '-q'])
  const archives = join(folder, 'archives')
  mkdirSync(archives, { recursive: true })
  need('apt-get', [...options, 'source', '-q', '--download-only', '--tar-only', name], { cwd: archives })
  const archive = readdirSync(archives).find((file) => file.includes('.orig.tar'))
  unpack(join(archives, archive), join(folder, 'source'))
  return /_([^_]+?)(?:\+.*)?\.orig\.tar/.exec(archive)[1]
}

/** `[signed-by=KEY] ADDRESS` of the mirror that this system installs Debian's packages from. */
function debianMirror() {
  const file = '/etc/apt/sources.list.d/debian.sources'
  if (!existsSync(file)) throw new NotInstalled('this system has no Debian packages')
  const text = readFileSync(file, 'utf8')
  const [, address] = /^URIs: (\S+)/m.exec(text)
  const [, key] = /^Signed-By: (\S+)/m.exec(text) ?? []
  return key === undefined ? address : `[signed-by=${key}] ${address}`
}

/** Suites name port 9200 and folders of the server. `to` is a copy of `from` in which the ports and the given texts are others. */
export function copyWithPorts(from, to, ports, texts = {}) {
  cpSync(from, to, { recursive: true })
  const numbers = new RegExp(`(?<![\\d.])(${Object.keys(ports).join('|')})(?!\\d)`, 'g')
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !['.py', '.go', '.pl', '.t', '.yml', '.toml', '.json'].includes(extname(entry.name)))
      continue
    const file = join(entry.parentPath ?? entry.path, entry.name)
    const text = readFileSync(file, 'utf8')
    let changed = text.replace(numbers, (port) => String(ports[port]))
    for (const [old, replacement] of Object.entries(texts)) changed = changed.replaceAll(old, replacement)
    if (changed !== text) writeFileSync(file, changed)
  }
  return to
}

export const scratchFolder = () => mkdtempSync(join(tmpdir(), 'sandpiper-clients-run-'))
