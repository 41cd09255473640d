/** The progress line of a transfer: rewritten in place on a terminal, printed periodically elsewhere. */
const TERMINAL_EVERY_MS = 200
const LOG_EVERY_MS = 10_000

export class Progress {
  readonly #verb: string
  readonly #isQuiet: boolean
  readonly #startedMs = performance.now()
  #shownMs = 0
  #first = 0

  constructor(verb: string, isQuiet: boolean) {
    this.#verb = verb
    this.#isQuiet = isQuiet
  }

  /** Prints a line of its own: why the transfer waits, or what differs from the export. */
  note(text: string): void {
    if (this.#isQuiet) return
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}\n` : `${text}\n`)
  }

  /** Sets what an earlier run has done, which does not count for the rate. */
  startAt(done: number): void {
    this.#first = done
  }

  show(done: number, total: number | undefined, isLast = false): void {
    const nowMs = performance.now()
    const { isTTY } = process.stderr
    if (this.#isQuiet || (!isLast && nowMs - this.#shownMs < (isTTY ? TERMINAL_EVERY_MS : LOG_EVERY_MS))) return
    this.#shownMs = nowMs
    const seconds = Math.max(0.001, (nowMs - this.#startedMs) / 1000)
    const rate = Math.round((done - this.#first) / seconds)
    const line = progressLine(
      { verb: this.#verb, done, total, rate, isLast },
      isTTY ? process.stderr.columns - 1 : Number.POSITIVE_INFINITY,
    )
    process.stderr.write(isTTY ? `\r\u001b[K${line}${isLast ? '\n' : ''}` : `${line}\n`)
  }
}

interface Position {
  readonly verb: string
  readonly done: number
  readonly total: number | undefined
  /** Documents a second. */
  readonly rate: number
  readonly isLast: boolean
}

/**
 * The line in at most `columns` characters: a longer line would wrap on a terminal, and only its last row would be rewritten.
 * What matters least is left out first.
 */
export function progressLine({ verb, done, total, rate, isLast }: Position, columns: number): string {
  const isPart = total !== undefined && total > 0
  const count = isPart ? `${verb} ${done} of ${total}` : `${verb} ${done}`
  const percent = isPart ? ` ${Math.floor(Math.min(1, done / total) * 100)} %` : ''
  const speed = `, ${rate} a second`
  const left = total === undefined || isLast || rate <= 0 ? '' : remaining((total - done) / rate)
  const forms = [
    `${count}${isPart ? bar(done / total) : ''}${percent} documents${speed}${left}`,
    `${count}${percent} documents${speed}${left}`,
    `${count}${percent}${speed}${left}`,
    `${count}${percent}${left}`,
    `${count}${percent}`,
  ]
  return forms.find((form) => form.length <= columns) ?? `${verb}${percent}`.slice(0, Math.max(0, columns))
}

const BAR_CELLS = 20

/** `, 1 h 12 min left`: the two largest units. */
function remaining(seconds: number): string {
  if (seconds < 1) return ''
  if (seconds < 60) return `, ${Math.round(seconds)} s left`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `, ${minutes} min left` : `, ${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

function bar(part: number): string {
  const filled = Math.min(BAR_CELLS, Math.round(part * BAR_CELLS))
  return ` [${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}]`
}
