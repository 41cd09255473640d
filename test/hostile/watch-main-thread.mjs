// Preloaded into a service. On request of its parent process it reports the longest time that the main thread was busy
// since the last report, the processor time of all threads since then, and the memory of the process.
//
// The length of an event loop turn is its processor time. Time in which a busy machine ran other processes does not
// count.
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 10

if (isMainThread && process.send !== undefined) {
  let longestMs = 0
  let lastMs = performance.now()
  let lastBusyMs = busyMs()
  let usage = process.cpuUsage()
  const tick = () => {
    const nowMs = performance.now()
    const nowBusyMs = busyMs()
    longestMs = Math.max(longestMs, Math.min(nowMs - lastMs - TICK_MS, nowBusyMs - lastBusyMs))
    lastMs = nowMs
    lastBusyMs = nowBusyMs
  }
  setInterval(tick, TICK_MS).unref()
  process.on('message', (message) => {
    if (message.kind !== 'watch') return
    tick()
    if (message.collect === true) globalThis.gc?.()
    const { user, system } = process.cpuUsage(usage)
    const cpuMs = (user + system) / 1000
    process.send({ kind: 'watched', id: message.id, pauseMs: longestMs, cpuMs, memory: process.memoryUsage() })
    usage = process.cpuUsage()
    longestMs = 0
    lastMs = performance.now()
    lastBusyMs = busyMs()
  })
  // The channel alone must not keep the service alive.
  process.channel?.unref()
}

/** The processor time of the main thread on Linux; elsewhere the clock time. */
function busyMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}
