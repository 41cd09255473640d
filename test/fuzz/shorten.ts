/** Finds a short list of requests that reproduces a failure. */
import { type SentRequest, WatchedService } from '../hostile/watched-service.ts'
import { isExpected } from './expected-failures.ts'
import { type Finding, PAUSE_MAX_MS, RESET } from './round.ts'

/** The number of leading requests that set up indices. They are kept. */
const SETUP_COUNT = RESET.length + 6
const ATTEMPTS_MAX = 24
const ANSWER_MS = 30_000
/** The number of requests before the failure that are considered. Older ones are hardly ever related. */
const RECENT = 300

/** Returns undefined if the failure cannot be reproduced. */
export async function shortened(
  finding: Finding,
  requests: readonly SentRequest[],
): Promise<SentRequest[] | undefined> {
  const setUp = requests.slice(0, SETUP_COUNT)
  const last = requests.slice(-1)
  if (finding.kind === 'failure' && (await shows(finding, [...setUp, ...last]))) return [...last]
  let rest = requests.slice(SETUP_COUNT)
  const recent = rest.slice(-RECENT)
  if (await shows(finding, [...setUp, ...recent])) rest = recent
  else if (!(await shows(finding, [...setUp, ...rest]))) return undefined
  // Leaves out smaller and smaller parts.
  let attempts = 0
  for (
    let size = Math.ceil(rest.length / 2);
    size >= 1 && attempts < ATTEMPTS_MAX;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < rest.length && rest.length > 1 && attempts < ATTEMPTS_MAX; ) {
      const fewer = [...rest.slice(0, at), ...rest.slice(at + size)]
      attempts++
      if (await shows(finding, [...setUp, ...fewer])) rest = fewer
      else at += size
    }
  }
  return rest
}

async function shows(finding: Finding, requests: readonly SentRequest[]): Promise<boolean> {
  const service = await WatchedService.start({ inMemory: true })
  try {
    await service.watch()
    for (const [i, request] of requests.entries()) {
      try {
        const answer = await service.send(request, AbortSignal.timeout(ANSWER_MS))
        if (i === requests.length - 1 && finding.kind === 'failure') return !isExpected(answer)
      } catch (error) {
        if (service.exit !== undefined) return finding.kind === 'crash'
        if ((error as Error).name === 'TimeoutError') return finding.kind === 'hang'
      }
      if (finding.kind === 'pause' && i >= SETUP_COUNT && (await service.watch()).pauseMs > PAUSE_MAX_MS) return true
      if (finding.kind === 'pause' && i === SETUP_COUNT - 1) await service.watch()
    }
    return service.exit !== undefined && finding.kind === 'crash'
  } catch {
    return finding.kind === 'crash'
  } finally {
    await service.stop()
  }
}
