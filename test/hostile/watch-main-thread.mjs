// Loaded into a service before it starts: tells its parent process, when asked, for how long the main thread was busy at the longest
// since it was last asked, and how much memory the process has.
//
// A turn of the event loop is as long as the processor worked for it: time in which a busy machine ran other processes does not count.
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 10

if (isMainThread && process.send !== undefined) {
  let longestMs = 0
  let lastMs = performance.now()
  let lastBusyMs = busyMs()
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
    process.send({ kind: 'watched', id: message.id, pauseMs: longestMs, memory: process.memoryUsage() })
    longestMs = 0
    lastMs = performance.now()
    lastBusyMs = busyMs()
  })
  // The channel alone does not keep the service alive.
  process.channel?.unref()
}

/** Processor time of the main thread, from Linux; elsewhere the time of the clock. */
function busyMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}
