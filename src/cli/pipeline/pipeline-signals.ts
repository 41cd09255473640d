/** Stops pipelines on signals: gracefully on the first, immediately on the second. */
import type { PipelineLog } from '../../pipeline/runner/pipeline-log.ts'
import type { PipelineSet } from './pipeline-set.ts'

const STALL_REPORT_MS = 5000
/** Number of reports after which a shutdown counts as stalled. */
const STALL_REPORTS = 3

/** Logs what a shutdown is waiting for. With `pipeline.unsafe_shutdown` a stalled shutdown is forced. */
function reportStalls(pipelines: PipelineSet, isUnsafe: boolean, log: PipelineLog): void {
  let reports = 0
  const timer = setInterval(() => {
    const inFlight = pipelines.all.reduce((sum, { pipeline }) => sum + (pipeline.current?.inFlight ?? 0), 0)
    log.warn('Waiting for events in flight', { inflight_count: inFlight })
    if (++reports < STALL_REPORTS) return
    if (reports === STALL_REPORTS) {
      log.error(
        'The shutdown process appears to be stalled due to busy or blocked plugins. Check the logs for more information.',
      )
    }
    if (!isUnsafe) return
    log.fatal('Forcefully quitting, events are lost')
    process.exit(1)
  }, STALL_REPORT_MS)
  timer.unref()
}

export function stopOnSignals(pipelines: PipelineSet, isUnsafe: boolean, log: PipelineLog): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping && signal === 'SIGINT') process.exit(1)
    if (!stopping) reportStalls(pipelines, isUnsafe, log)
    stopping = true
    log.warn(`${signal} received. Shutting down.`)
    pipelines.stop()
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGHUP', () => pipelines.checkNow())
}
