// A case is a list of steps. Every kind of step says how to run it against one
// server, how to compare the two outcomes, and (optionally) what must hold for
// the subject alone.
//
//   run(server, step, world)              -> outcome
//   compare(oracle, subject, step, world) -> differences
//   check(subject, step, world)           -> differences of class "invariant"

import * as call from './call.mjs'
import * as composite from './composite.mjs'
import * as pages from './pages.mjs'
import * as snapshot from './snapshot.mjs'

const KINDS = { call, composite, pages, snapshot }

export function stepKind(step) {
  const kind = KINDS[step.kind]
  if (!kind) throw new Error(`unknown kind of step: ${step.kind}`)
  return kind
}

/** What a reader needs to repeat the step by hand. */
export function describeStep(step) {
  return stepKind(step).describe(step)
}
