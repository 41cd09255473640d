/** A terminal line that shows the progress of reading files, rewritten every second. */

const INTERVAL_MS = 1000
const MEGABYTE = 1_000_000

export interface Progress {
  readonly readBytes: number
  readonly totalBytes: number
}

export interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Returns a function that clears the line. Nothing is shown without a terminal, or if events are written to the same
 * terminal.
 */
export function showProgress(
  progress: () => Progress,
  screen: Terminal = process.stderr,
  events: Terminal = process.stdout,
): () => void {
  if (screen.isTTY !== true || events.isTTY === true) return () => {}
  let before = progress().readBytes
  const timer = setInterval(() => {
    const now = progress()
    screen.write(`\r\x1b[K${progressText(now, (now.readBytes - before) / (INTERVAL_MS / 1000))}`)
    before = now.readBytes
  }, INTERVAL_MS)
  return () => {
    clearInterval(timer)
    screen.write('\r\x1b[K')
  }
}

export function progressText({ readBytes, totalBytes }: Progress, bytesPerSecond: number): string {
  const percent = totalBytes === 0 ? 100 : Math.min(100, Math.floor((readBytes / totalBytes) * 100))
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1)
  const leftSeconds = Math.ceil((totalBytes - readBytes) / bytesPerSecond)
  const left = bytesPerSecond > 0 && leftSeconds > 0 ? `, ${duration(leftSeconds)} left` : ''
  return `${percent}% of ${megabytes(totalBytes)} MB read, ${megabytes(bytesPerSecond)} MB/s${left}`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
