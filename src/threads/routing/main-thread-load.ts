/** Measures whether the main thread has no idle time while other cores may have. */
import { availableParallelism } from 'node:os'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** The main thread counts as busy above this utilization. */
const BUSY = 0.97
/**
 * With two cores, clients and the main thread use both, and a small search costs more in a second thread than it saves
 * in the first.
 */
const HAS_SPARE_CORES = availableParallelism() > 2
/** Interval of the measurement. */
const MEASURED_EVERY_MS = 10

export class MainThreadLoad {
  #utilization: EventLoopUtilization = performance.eventLoopUtilization()
  #measuredAtMs = 0
  #part = 0

  isTooMuch(): boolean {
    if (!HAS_SPARE_CORES) return false
    const now = performance.now()
    if (now - this.#measuredAtMs > MEASURED_EVERY_MS) {
      const utilization = performance.eventLoopUtilization()
      this.#part = performance.eventLoopUtilization(utilization, this.#utilization).utilization
      this.#utilization = utilization
      this.#measuredAtMs = now
    }
    return this.#part > BUSY
  }
}
