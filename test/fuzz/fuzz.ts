// Sends random requests to a service with threads over real sockets and looks for failures: a crash, a missing
// response, a 5xx that Elasticsearch would not send, a main thread that is busy for more than 250 ms, memory that is
// not released.
//
//   npm run test:fuzz -- [--requests 20000] [--seed 1] [--state FILE] [--keep-going] [--recorded FOLDER]
//
// Requests are sent in rounds. A round begins with the same indices and is determined by the seed and its number, so a
// failure can be reproduced: the requests of its round are sent to a new service, and then fewer and fewer of them,
// until a short list remains, which is written beside the state. With a state file a stopped run can be continued.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type SentRequest, WatchedService } from '../hostile/watched-service.ts'
import { recordedRequests } from './mutations.ts'
import { type Finding, RESET, Round, roundRequests } from './round.ts'
import { shortened } from './shorten.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    state: { type: 'string' },
    recorded: { type: 'string', multiple: true, default: [] },
    'keep-going': { type: 'boolean', default: false },
  },
})

interface State {
  seed: number
  sent: number
  round: number
  longestPauseMs: number
  findings: {
    readonly kind: string
    readonly what: string
    readonly seed: number
    readonly round: number
    readonly requests: readonly SentRequest[]
  }[]
}

const REQUESTS_PER_ROUND = 5_000
/** Memory may grow by this much beyond what the first rounds leave. */
const GROWTH_MAX = 200 * 2 ** 20

const total = Number(values.requests)
const state: State = readState()
const folders = [fileURLToPath(new URL('../recorded', import.meta.url)), ...values.recorded]
const recorded = folders.flatMap(recordedRequests)
const known = new Set(state.findings.map(({ what }) => what))
console.log(`seed ${state.seed}, from request ${state.sent} of ${total}, ${recorded.length} recorded requests`)

let service = await start()
let baseline: number | undefined
const startedAtMs = performance.now()
const sentBefore = state.sent
let rounds = 0
while (state.sent < total) {
  const requests = roundRequests(state.seed, state.round, REQUESTS_PER_ROUND, recorded)
  const round = new Round(service, requests)
  const findings = await round.run()
  state.longestPauseMs = Math.max(state.longestPauseMs, round.longestPauseMs)
  state.sent += requests.length
  for (const finding of findings) await note(finding, requests)
  if (service.exit !== undefined || findings.some(({ kind }) => kind === 'hang')) {
    await service.stop()
    service = await start()
    baseline = undefined
    rounds = 0
  }
  state.round++
  rounds++
  if (rounds % 2 === 0) await checkMemory()
  saveState()
  if (state.findings.length > 0 && !values['keep-going']) break
}
const { memory } = await service.watch(true)
await service.stop()
const seconds = (performance.now() - startedAtMs) / 1_000
console.log(
  `${state.sent} requests (${state.sent - sentBefore} in ${seconds.toFixed(0)} s), seed ${state.seed}, longest pause ${state.longestPauseMs.toFixed(0)} ms, ` +
    `memory ${mb(memory.rss)} MB (heap ${mb(memory.heapUsed)} MB), ${state.findings.length} findings`,
)
process.exitCode = state.findings.length === 0 ? 0 : 1

async function start(): Promise<WatchedService> {
  return await WatchedService.start({ nodeOptions: ['--expose-gc', '--v8-pool-size=1'], inMemory: true })
}

async function note(finding: Finding, requests: readonly SentRequest[]): Promise<void> {
  // The same words once: numbers and names differ from case to case.
  const what = finding.what
    .replace(/\d+/g, 'N')
    .replace(/fuzz-[a-z]/g, 'fuzz-x')
    .slice(0, 200)
  if (known.has(what)) return
  known.add(what)
  console.log(`round ${state.round}: ${finding.kind}: ${finding.what.slice(0, 300)}`)
  const logged = stackOf(finding)
  if (logged !== undefined) console.log(logged)
  const short = await shortened(finding, requests.slice(0, finding.index + 1))
  if (short === undefined) console.log('  not seen again when the round was repeated')
  else
    for (const { method, path, body } of short) console.log(`  ${method} ${path} ${String(body ?? '').slice(0, 1_000)}`)
  if (short === undefined && finding.kind === 'pause') return
  state.findings.push({ kind: finding.kind, what, seed: state.seed, round: state.round, requests: short ?? [] })
}

/** The logged stack of a failure, because a race is hardly ever reproduced. */
function stackOf({ kind, what }: Finding): string | undefined {
  if (kind !== 'failure') return undefined
  const words = what.slice(4, 60)
  const at = service.log.lastIndexOf(words)
  return at < 0 ? undefined : service.log.slice(Math.max(0, at - 300), at + 1_500)
}

async function checkMemory(): Promise<void> {
  for (const request of RESET) await service.send(request)
  const { memory } = await service.watch(true)
  const used = memory.heapUsed + memory.external
  console.log(
    `${state.sent} requests, ${((state.sent - sentBefore) / ((performance.now() - startedAtMs) / 1_000)).toFixed(0)}/s, ` +
      `longest pause ${state.longestPauseMs.toFixed(0)} ms, memory ${mb(memory.rss)} MB, in use ${mb(used)} MB`,
  )
  if (rounds === 10) baseline = used
  if (baseline !== undefined && used > baseline + GROWTH_MAX) {
    console.log(`memory: ${mb(used)} MB in use after everything was deleted, ${mb(baseline)} MB at first`)
    state.findings.push({
      kind: 'memory',
      what: `${mb(used)} MB in use`,
      seed: state.seed,
      round: state.round,
      requests: [],
    })
    baseline = used
  }
}

function readState(): State {
  const fresh: State = { seed: Number(values.seed), sent: 0, round: 0, longestPauseMs: 0, findings: [] }
  if (values.state === undefined || !existsSync(values.state)) return fresh
  return { ...fresh, ...(JSON.parse(readFileSync(values.state, 'utf8')) as State) }
}

function saveState(): void {
  if (values.state !== undefined) writeFileSync(values.state, `${JSON.stringify(state, undefined, 1)}\n`)
}

function mb(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}
