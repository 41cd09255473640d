/** What the doctor found, in words for people. */

/**
 * `sound`: as it should be. `note`: nothing is wrong, but worth knowing. `problem`: something is damaged or missing.
 * `repaired`: it was, and is not any more.
 */
export type Severity = 'sound' | 'note' | 'problem' | 'repaired'

export interface Finding {
  readonly severity: Severity
  /** Path below the data folder. */
  readonly path: string
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
  /** Makes it good without losing anything; absent where nothing can. Answers with what was done. */
  readonly repair?: () => Promise<string>
}

export const sound = (path: string, text: string): Finding => ({ severity: 'sound', path, text })
export const note = (path: string, text: string, advice?: string): Finding => ({
  severity: 'note',
  path,
  text,
  ...(advice === undefined ? {} : { advice }),
})
export const problem = (path: string, text: string, advice: string, repair?: () => Promise<string>): Finding => ({
  severity: 'problem',
  path,
  text,
  advice,
  ...(repair === undefined ? {} : { repair }),
})
