/**
 * What plugins reach beyond their events. Every plugin declares it for itself, and for options that make it reach
 * further. Places that run the filters of a configuration on trial allow some of it (`PipelineSettings.mayTouch`); the
 * builder refuses the rest before it looks at an option's value.
 *
 * `files` are files and folders, `network` is any other address, and `processes` are other programs, the variables of
 * the environment, and code of the configuration's author.
 */
export type Touches = 'nothing' | 'files' | 'network' | 'processes'

export interface Allowance {
  readonly reach: ReadonlySet<Touches>
  /** What the author of a configuration can do about a refusal. */
  readonly advice?: string
}

export const EVERYTHING: Allowance = { reach: new Set(['nothing', 'files', 'network', 'processes']) }

/** For trials on a shell by somebody who may read files and run programs, and wants nothing to be sent. */
export function thisMachine(advice: string): Allowance {
  return { reach: new Set(['nothing', 'files', 'processes']), advice }
}

/** For trials on behalf of others. */
export function nothingOutside(advice: string): Allowance {
  return { reach: new Set(['nothing']), advice }
}
