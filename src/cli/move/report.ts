/** The plan and the report of a move, for people and for programs. */
import { writeFileSync } from 'node:fs'
import type { MoveContext } from './move-context.ts'
import type { MovePlan } from './plan.ts'
import type { IndexProof } from './prove.ts'

export function printPlan({ from, to }: Pick<MoveContext, 'from' | 'to'>, plan: MovePlan): string {
  const lines = [`from ${from.url} (${from.distribution})`, `to   ${to.url} (${to.distribution})`, '']
  const width = Math.max(5, ...plan.indices.map(({ name }) => name.length))
  lines.push(`${'index'.padEnd(width)}  ${'documents'.padStart(12)}  ${'bytes'.padStart(15)}`)
  for (const { name, documents, bytes, stream } of plan.indices) {
    const of = stream === undefined ? '' : `  of data stream ${stream}`
    lines.push(`${name.padEnd(width)}  ${String(documents).padStart(12)}  ${String(bytes).padStart(15)}${of}`)
  }
  const list = (title: string, items: readonly string[]) => {
    if (items.length > 0) lines.push('', title, ...items.map((item) => `  ${item}`))
  }
  list(
    'also',
    plan.definitions.map(({ what }) => what),
  )
  list(
    'aliases, set at the end',
    plan.aliases.map(({ index, alias }) => `${alias} of ${index}`),
  )
  list('what will differ', plan.notes)
  list('what prevents the move', plan.problems)
  return `${lines.join('\n')}\n`
}

/** Writes the report and returns the number of differences. */
export function writeReport({ from, to, state, options }: MoveContext, proofs: readonly IndexProof[]): number {
  const differences = proofs.reduce((sum, { differenceCount }) => sum + differenceCount, 0)
  const report = {
    equal: differences === 0,
    from: { url: from.url, cluster_uuid: from.uuid, version: from.version },
    to: { url: to.url, cluster_uuid: to.uuid, version: to.version },
    compared_at: new Date().toISOString(),
    follows_changes: state.follows,
    documents: proofs.reduce((sum, { documents }) => sum + documents, 0),
    differences,
    notes: state.notes,
    indices: proofs.map(({ name, target, documents, bytes, digest, differenceCount, differences: listed }) => ({
      index: name,
      target,
      documents,
      bytes,
      digest,
      difference_count: differenceCount,
      differences: listed,
    })),
  }
  writeFileSync(options.reportFile, `${JSON.stringify(report, undefined, 2)}\n`)
  return differences
}
