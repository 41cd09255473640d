// A root folder that contains Node, npm, a shell and a few tools of this system, with the libraries they need, and nothing else.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// flock is in the base image, too: the lock of the data folder uses it.
const TOOLS = ['sh', 'install', 'setpriv', 'env', 'flock']
/** What name resolution and TLS need, for the installation of packages. */
const NETWORK = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl/certs']

export function output(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
  return stdout.trim()
}

export function makeCleanRoot(root) {
  for (const folder of ['bin', 'dev', 'etc', 'proc', 'root', 'tmp', 'usr/bin'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const tool of TOOLS) addProgram(root, output('which', [tool]), join('/bin', tool))
  addProgram(root, process.execPath, '/usr/bin/node')
  const npm = dirname(dirname(realpathSync(output('which', ['npm']))))
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true, dereference: true })
  writeFileSync(join(root, 'usr/bin/npm'), '#!/bin/sh\nexec node /usr/lib/node_modules/npm/bin/npm-cli.js "$@"\n', {
    mode: 0o755,
  })
  // npm starts scripts whose first line is "#!/usr/bin/env node".
  addProgram(root, output('which', ['env']), '/usr/bin/env')
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
  const files = [...NETWORK, process.env['NODE_EXTRA_CA_CERTS'] ?? '']
  for (const file of files) if (file !== '' && existsSync(file)) addFile(root, file)
}

function addProgram(root, from, to) {
  addFile(root, from, to)
  for (const [, library] of output('ldd', [from]).matchAll(/(\/\S+) \(0x/g)) addFile(root, library)
}

function addFile(root, from, to = from) {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  rmSync(join(root, to), { recursive: true, force: true })
  cpSync(from, join(root, to), { recursive: true, dereference: true })
}
