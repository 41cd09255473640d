/**
 * The process to kill: it writes to a shard with several concurrent clients until it is killed.
 *   node shard-writer.ts FOLDER ROUND
 * It prints a line before it applies an operation and one when the operation is acknowledged:
 *   i ID NUMBER KIND             about to be applied
 *   a ID NUMBER VERSION SEQNO    acknowledged
 * Standard output is a pipe, which Node writes synchronously: the reader has a line before the next step begins.
 */
import { writeSync } from 'node:fs'
import { LateSealer, ShardFixture } from '../../src/engine/shard/shard-fixture.ts'
import { DiskDirectory } from '../../src/engine/store/disk-directory.ts'

const [folder, round] = process.argv.slice(2)
const CLIENTS = 8
const IDS = 60

let number = Number(round) * 1_000_000
const fixture = await ShardFixture.open(new DiskDirectory(folder!), {
  // Small tiers and a short interval, so that refreshes, merges and flushes are in progress at the kill.
  settings: {
    'index.refresh_interval': '3ms',
    'index.translog.flush_threshold_size': '40kb',
    'index.merge.policy.segments_per_tier': '3',
    'index.merge.policy.max_merge_at_once': '3',
  },
  bufferBytesMax: 16 * 1024,
  // Every other process seals its buffers concurrently with writes.
  ...(Number(round) % 2 === 0 ? {} : { sealer: new LateSealer(), asideBytesMin: 1 }),
})
say('ready')

for (let client = 0; client < CLIENTS; client++) void run()

async function run(): Promise<void> {
  for (;;) {
    const acknowledgements: string[] = []
    const operations = 1 + Math.floor(Math.random() * 10)
    for (let i = 0; i < operations; i++) acknowledgements.push(applyOne())
    await fixture.shard.sync()
    say(acknowledgements.join('\n'))
    if (Math.random() < 0.01) await fixture.shard.forceMerge({ maxSegments: 2, onlyExpungeDeletes: false })
    else if (Math.random() < 0.02) await fixture.shard.flush()
    else await new Promise((resolve) => setImmediate(resolve))
  }
}

function applyOne(): string {
  const id = `document-${Math.floor(Math.random() * IDS)}`
  const mine = number++
  const isDelete = Math.random() < 0.2
  say(`i ${id} ${mine} ${isDelete ? 'delete' : 'index'}`)
  const result = isDelete
    ? fixture.delete(id)
    : fixture.index(id, { n: mine, k: id, c: [{ n: mine }, { n: mine + 1 }] })
  return `a ${id} ${mine} ${result.version} ${result.seqNo}`
}

function say(text: string): void {
  writeSync(1, `${text}\n`)
}
