/** Names of snapshots: validation, and resolution of lists with wildcards. */
import { invalidSnapshotName, snapshotMissing } from '../../base/errors/snapshot-errors.ts'
import { namePattern } from '../../base/name-pattern.ts'

const FORBIDDEN = [' ', '"', '*', ',', '/', '<', '>', '?', '\\', '|']

export function checkSnapshotName(repository: string, name: string): void {
  const invalid = (problem: string) => invalidSnapshotName(repository, name, problem)
  if (name === '') throw invalid('cannot be empty')
  if (/\s/.test(name)) throw invalid('must not contain whitespace')
  if (name.includes(',')) throw invalid("must not contain ','")
  if (name.includes('#')) throw invalid("must not contain '#'")
  if (name.startsWith('_')) throw invalid("must not start with '_'")
  if (name !== name.toLowerCase()) throw invalid('must be lowercase')
  if (FORBIDDEN.some((character) => name.includes(character))) {
    throw invalid(`must not contain the following characters [${FORBIDDEN.map((c) => `'${c}'`).join(',')}]`)
  }
}

/** Returns a function that tells whether a name is selected. A leading minus after a wildcard excludes names. */
export function snapshotSelection(names: readonly string[]): (name: string) => boolean {
  const rules: { readonly matches: (name: string) => boolean; readonly isExcluded: boolean }[] = []
  let hasWildcard = false
  for (const name of names) {
    const isExcluded = hasWildcard && name.startsWith('-')
    const text = isExcluded ? name.slice(1) : name === '_all' ? '*' : name
    if (text.includes('*')) hasWildcard = true
    rules.push({ matches: namePattern(text), isExcluded })
  }
  return (name) => {
    let isMeant = false
    for (const { matches, isExcluded } of rules) if (matches(name)) isMeant = !isExcluded
    return isMeant
  }
}

/** Throws if a name without wildcards does not exist. */
export function checkExisting(repository: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    const isPlain = !name.includes('*') && name !== '_all' && name !== '_current' && !name.startsWith('-')
    if (isPlain && !known.includes(name)) throw snapshotMissing(repository, name)
  }
}
