// Makes the data folder of a release that is kept for upgrade tests:
//   node --import tsx scripts/record-data-folder.mjs PROGRAM FILE
// Starts PROGRAM (bin/sandpiper.js of the release) on an empty folder, fills it, kills it without a shutdown, and writes
// the files of the folder with the answers of a second start to FILE (gzip-compressed JSON).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { READS, send, WRITES } from '../test/upgrade/steps.ts'

const [program, file] = process.argv.slice(2)
if (file === undefined) {
  console.error('usage: node --import tsx scripts/record-data-folder.mjs PROGRAM FILE')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-record-'))
try {
  const data = join(folder, 'data')
  await withNode(data, async (url) => {
    for (const write of WRITES) {
      const { status, body } = await send(url, write)
      if (status >= 300 || body.errors === true) throw new Error(`${write[0]} ${write[1]}: ${JSON.stringify(body)}`)
    }
  })
  const copy = join(folder, 'copy')
  cpSync(data, copy, { recursive: true })
  const answers = []
  await withNode(copy, async (url) => {
    for (const read of READS) answers.push(await send(url, read))
  })
  const files = Object.fromEntries(
    readdirSync(data, { recursive: true, encoding: 'utf8' })
      .filter((name) => name !== 'node.lock' && statSync(join(data, name)).isFile())
      .map((name) => [name, readFileSync(join(data, name)).toString('base64')]),
  )
  writeFileSync(file, gzipSync(JSON.stringify({ files, answers }), { level: 9 }))
  console.log(`${file}: ${Object.keys(files).length} files, ${answers.length} answers, ${statSync(file).size} bytes`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function withNode(data, work) {
  const node = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', data])
  let output = ''
  node.stdout.on('data', (chunk) => (output += chunk))
  node.stderr.on('data', (chunk) => (output += chunk))
  const ended = once(node, 'exit')
  try {
    while (!/address\s+http/.test(output)) {
      if (node.exitCode !== null) throw new Error(output)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await work(/address\s+(http:\S+)/.exec(output)[1])
  } finally {
    node.kill('SIGKILL')
    await ended
  }
}
