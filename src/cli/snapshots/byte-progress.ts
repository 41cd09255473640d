/** The progress line of a snapshot or restore: rewritten in place on a terminal, printed now and then elsewhere. */
import { formatByteSize } from '../../base/byte-size.ts'

const LOG_EVERY_MS = 5_000

export class ByteProgress {
  readonly #verb: string
  readonly #isQuiet: boolean
  readonly #startedMs = performance.now()
  #shownMs = 0

  constructor(verb: string, isQuiet: boolean) {
    this.#verb = verb
    this.#isQuiet = isQuiet
  }

  note(text: string): void {
    if (!this.#isQuiet) process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}\n` : `${text}\n`)
  }

  /** `total` is undefined while nobody knows it. */
  show(files: number, bytes: number, totalBytes: number | undefined): void {
    const nowMs = performance.now()
    const { isTTY } = process.stderr
    if (this.#isQuiet || (!isTTY && nowMs - this.#shownMs < LOG_EVERY_MS)) return
    this.#shownMs = nowMs
    const seconds = Math.round((nowMs - this.#startedMs) / 1000)
    const part = totalBytes === undefined || totalBytes === 0 ? '' : ` (${Math.floor((bytes / totalBytes) * 100)} %)`
    const line = `${this.#verb} ${files} files, ${formatByteSize(bytes)}${part}, ${seconds} s`
    process.stderr.write(isTTY ? `\r\u001b[K${line}` : `${line}\n`)
  }
}
