/**
 * Filters and outputs as a list of instructions, with conditions as jumps. The state of an event is just a position in
 * the list, so that a batch can be interrupted (by a slow expression or an asynchronous filter) and resumed.
 */
import type { Condition } from '../config/conditions.ts'
import type { Event } from '../event/event.ts'
import type { Filter } from '../plugin/filter-plugin.ts'
import type { Output } from '../plugin/output-plugin.ts'
import type { EventCounts } from './metrics.ts'

export interface FilterStep {
  readonly op: 'filter'
  readonly name: string
  readonly id: string
  readonly filter: Filter
  /** Applies the common options; undefined if none are set. */
  readonly succeed: ((event: Event) => void) | undefined
  readonly periodicFlush: boolean
  readonly counts: EventCounts
  /** Receives each event before and after the filter while a client taps it. */
  tap?: FilterTap | undefined
}

export type FilterTap = (stage: 'before' | 'after', event: Event) => void

export interface OutputStep {
  readonly op: 'output'
  /** The index of the output in the pipeline. */
  readonly index: number
}

export type Instruction =
  | FilterStep
  | OutputStep
  | { readonly op: 'unless'; readonly condition: Condition; target: number }
  | { readonly op: 'jump'; target: number }

export interface OutputSlot {
  readonly name: string
  readonly id: string
  readonly output: Output
  readonly counts: EventCounts
}

/** A plugin or a branch, already built. */
export type Statement<S> =
  | { readonly type: 'step'; readonly step: S }
  | {
      readonly type: 'branch'
      readonly arms: readonly { readonly condition: Condition | undefined; readonly body: readonly Statement<S>[] }[]
    }

export function assemble(body: readonly Statement<FilterStep | OutputStep>[]): Instruction[] {
  const program: Instruction[] = []
  append(body, program)
  return program
}

function append(body: readonly Statement<FilterStep | OutputStep>[], program: Instruction[]): void {
  for (const statement of body) {
    if (statement.type === 'step') {
      program.push(statement.step)
      continue
    }
    const exits: { op: 'jump'; target: number }[] = []
    for (const { condition, body: inner } of statement.arms) {
      const test = condition === undefined ? undefined : { op: 'unless' as const, condition, target: 0 }
      if (test !== undefined) program.push(test)
      append(inner, program)
      const exit = { op: 'jump' as const, target: 0 }
      exits.push(exit)
      program.push(exit)
      if (test !== undefined) test.target = program.length
    }
    for (const exit of exits) exit.target = program.length
  }
}
