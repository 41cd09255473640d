// Runs the service on a small disk that becomes full at random moments, in random orders with kills, restarts and returning space, and
// checks that nothing acknowledged is lost, that requests are answered at once, that refusals name the folder and the free bytes, that
// readiness and health tell the truth, and that the service is healthy within ten seconds of space, without a restart.
//
//   npm run test:full-disk -- [--runs 50] [--seed 1] [--run N] [--steps 40] [--size 48] [--patience 1] [--verbose]
//
// The disk is a tmpfs of --size MB in a mount namespace of its own, which needs Linux and either root or user namespaces. Without them
// the script says so and ends with status 0: nothing was tested. --run repeats one run of a seed. --patience
// multiplies all limits of time, for a machine that is busy with other programs.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DiskRun } from './full-disk/disk-run.mjs'
import { SmallDisk } from './full-disk/small-disk.mjs'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    run: { type: 'string' },
    steps: { type: 'string', default: '40' },
    size: { type: 'string', default: '48' },
    patience: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
})
const INSIDE = 'SANDPIPER_FULL_DISK_INSIDE'
process.exitCode = process.env[INSIDE] === undefined ? startInNamespace() : await main()

/** Mounts disappear with the namespace, also after a kill. */
function startInNamespace() {
  const self = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  for (const flags of ['-m', '-Urm']) {
    const probe = 'mount -t tmpfs -o size=1m tmpfs /mnt'
    if (spawnSync('unshare', [flags, 'sh', '-c', probe]).status !== 0) continue
    const run = spawnSync('unshare', [flags, ...self], { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } })
    return run.status ?? 1
  }
  console.log(
    'SKIPPED: a tmpfs cannot be mounted here: that needs Linux, and root or user namespaces. Nothing was tested.',
  )
  return 0
}

async function main() {
  const mountPoint = mkdtempSync(join(tmpdir(), 'sandpiper-full-disk-'))
  const runs =
    options.run === undefined ? Array.from({ length: Number(options.runs) }, (_, i) => i) : [Number(options.run)]
  let failed = 0
  const totals = new Map()
  for (const number of runs) {
    mount(mountPoint)
    const run = new DiskRun({
      seed: Number(options.seed) * 1_000_003 + number,
      steps: Number(options.steps),
      disk: new SmallDisk(mountPoint),
      patience: Number(options.patience),
      say: options.verbose ? (line) => console.log(`    ${line}`) : () => {},
    })
    const problems = await run.run()
    for (const [what, count] of run.counts) totals.set(what, (totals.get(what) ?? 0) + count)
    if (problems.length > 0) failed++
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} run ${number}: ${run.summary()}`)
    for (const problem of problems) console.log(`  ${problem}`)
    spawnSync('umount', ['-l', mountPoint])
  }
  rmSync(mountPoint, { recursive: true, force: true })
  console.log([...totals].map(([what, count]) => `${count} ${what}`).join(', '))
  console.log(`seed ${options.seed}: ${runs.length - failed} of ${runs.length} runs passed`)
  return failed === 0 ? 0 : 1
}

function mount(folder) {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${options.size}m`, 'tmpfs', folder])
  if (status !== 0) throw new Error(`the disk cannot be mounted: ${stderr}`)
}
