/**
 * What the pipelines of one document may spend, so that no definition keeps the thread of all writers busy or uses up its
 * memory. A document has a budget from its creation, and whatever can make a value grow asks for it: `set` and `append` of the
 * document, replacements, copies, templates, scripts. Large documents may spend more, in proportion to their size.
 *
 * Time is not measured, because a busy machine must not change which documents are accepted. A unit is the work of one step of
 * a script, about 20 nanoseconds.
 */
import { ApiError } from '../../../base/api-error.ts'
import { limitScriptSteps, spentScriptSteps } from '../../../engine/painless/index.ts'

/** About a tenth of a second. */
const UNITS_BASE = 5_000_000
const UNITS_PER_BYTE = 64
/** The characters of the resulting document. */
const OUTPUT_BASE = 32_000_000
const OUTPUT_PER_BYTE = 8

/** The longest string of V8 has half a billion characters. */
const OUTPUT_MAX = 400_000_000

const UNITS_PER_RUN = 20
const CHARACTERS_PER_UNIT = 4
const UNITS_PER_ELEMENT = 10

/** Ends the pipelines of the document: neither `ignore_failure` nor `on_failure` continues them. */
export class IngestBudgetError extends ApiError {}

export class IngestBudget {
  /** The type of the processor that runs, for errors. */
  processor = ''
  #units: number
  #output: number

  constructor(sourceBytes: number) {
    this.#units = UNITS_BASE + sourceBytes * UNITS_PER_BYTE
    this.#output = Math.min(OUTPUT_BASE + sourceBytes * OUTPUT_PER_BYTE, OUTPUT_MAX)
  }

  /** A processor runs, on the document or on an element of a list. */
  run(processor: string): void {
    this.processor = processor
    this.spend(UNITS_PER_RUN)
  }

  spend(units: number): void {
    this.#units -= units
    if (this.#units < 0) throw this.#exhausted('does more work')
  }

  /** A text is created. */
  text(characters: number): void {
    this.spend(1 + characters / CHARACTERS_PER_UNIT)
  }

  /** Elements of lists or members of objects are created, compared or visited. */
  elements(count: number): void {
    this.spend(1 + count * UNITS_PER_ELEMENT)
  }

  /** Characters of the document are written. */
  output(characters: number): void {
    this.#output -= characters
    if (this.#output < 0) throw this.#exhausted('makes a larger document')
  }

  /** At most so many units are left. */
  get left(): number {
    return this.#units
  }

  /** Runs a script, which pays for its steps and may not take more than there are. */
  script<T>(work: () => T): T {
    const before = spentScriptSteps()
    const unlimited = limitScriptSteps(this.#units)
    try {
      return work()
    } finally {
      limitScriptSteps(unlimited)
      // In place of the script's own error, which the pipeline might ignore.
      this.spend(spentScriptSteps() - before)
    }
  }

  #exhausted(what: string): IngestBudgetError {
    const processor = this.processor === '' ? 'the request' : `the processor [${this.processor}]`
    return new IngestBudgetError(
      400,
      'illegal_argument_exception',
      `${processor} ${what} than a document of this size may cause`,
    )
  }
}
