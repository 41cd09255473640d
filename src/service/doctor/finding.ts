/** The findings of the doctor, in readable words. */

/**
 * `sound`: intact. `note`: nothing is wrong, but worth knowing. `problem`: something is damaged or missing. `repaired`:
 * a problem that was fixed.
 */
export type Severity = 'sound' | 'note' | 'problem' | 'repaired'

export interface Finding {
  readonly severity: Severity
  /** Path below the data folder. */
  readonly path: string
  readonly text: string
  /** What the user should do. */
  readonly advice?: string
  /** Fixes the problem without loss; absent if that is impossible. Returns a description of what was done. */
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
