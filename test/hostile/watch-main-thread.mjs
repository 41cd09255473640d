// Loaded into a service before it starts: tells its parent process, when asked, for how long the main thread was busy at the longest
// since it was last asked, and how much memory the process has.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  process.on('message', (message) => {
    if (message.kind !== 'watch') return
    const pauseMs = delay.max / 1e6
    delay.reset()
    process.send({ kind: 'watched', id: message.id, pauseMs, memory: process.memoryUsage() })
  })
  // The channel alone does not keep the service alive.
  process.channel?.unref()
}
