/**
 * Naming rules of indices, aliases, data streams and templates. The order of the checks determines which error is
 * reported.
 */
import type { ApiError } from '../../base/api-error.ts'
import { indexAlreadyExists, invalidAliasName, invalidIndexName } from '../../base/errors/index-errors.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'

const NAME_BYTES_MAX = 255
const FORBIDDEN = [' ', '"', '*', ',', '/', '<', '>', '?', '\\', '|']
export const FORBIDDEN_SHOWN = `[${FORBIDDEN.map((character) => `'${character}'`).join(',')}]`

/** The first rule a name violates, as the words after the name in the error; undefined if it is valid. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if (hasForbiddenCharacter(name)) return `must not contain the following characters ${FORBIDDEN_SHOWN}`
  if (name.includes('#')) return "must not contain '#'"
  if (name.includes(':')) return "must not contain ':'"
  if (/^[_\-+]/.test(name)) return "must not start with '_', '-', or '+'"
  const bytes = Buffer.byteLength(name)
  if (bytes > NAME_BYTES_MAX) return `index name is too long, (${bytes} > ${NAME_BYTES_MAX})`
  if (name === '.' || name === '..') return "must not be '.' or '..'"
  return undefined
}

export function hasForbiddenCharacter(name: string): boolean {
  return FORBIDDEN.some((character) => name.includes(character))
}

const isLowerCase = (name: string) => name.toLowerCase() === name

/** Checks the name of a new index: valid and not in use. */
export function checkNewIndexName(name: string, state: MetadataState): void {
  const problem = nameProblem(name) ?? (isLowerCase(name) ? undefined : 'must be lowercase')
  if (problem !== undefined) throw invalidIndexName(name, problem)
  const taken = nameTaken(name, state)
  if (taken !== undefined) throw taken
}

function nameTaken(name: string, state: MetadataState): ApiError | undefined {
  const found = state.abstraction(name)
  if (found === undefined) return undefined
  if (found.kind === 'index') return indexAlreadyExists(name, found.index.uuid)
  return invalidIndexName(name, found.kind === 'alias' ? 'already exists as alias' : 'already exists as data stream')
}

export function checkAliasName(name: string, state: MetadataState): void {
  const problem = nameProblem(name)
  if (problem !== undefined) throw invalidAliasName(name, problem)
  const found = state.abstraction(name)
  if (found !== undefined && found.kind !== 'alias') {
    throw invalidAliasName(name, 'an index or data stream exists with the same name as the alias')
  }
}
