/**
 * Authorizes the index names of a request. Plain names are checked whether they exist or not. Wildcards are replaced by
 * the existing names that the caller may access. Handlers get the resulting names, so they need no checks of their own.
 * Elasticsearch does the same.
 */
import { illegalArgument } from '../../base/api-error.ts'
import type { Caller } from '../../security/authorization/caller.ts'
import { denied } from '../../security/authorization/denial.ts'
import type { IndexAccess } from '../../security/authorization/permission.ts'
import { FAILURES, isFailureIndex, type MetadataState } from '../../service/metadata/metadata-state.ts'
import { resolveDateMath } from '../../service/names/date-math-name.ts'
import type { IndicesOptions } from '../../service/names/indices-options.ts'
import { NameResolver } from '../../service/names/name-resolver.ts'
import { isSingleTarget, type NameKind } from './route-names.ts'

/** Expressions that match nothing. They are an error only where `allow_no_indices` is false. */
export const NO_NAMES: readonly string[] = ['*', '-*']

export interface NamesRequest {
  readonly caller: Caller
  readonly action: string
  readonly expressions: readonly string[]
  readonly options: IndicesOptions
  /** The kind of things that wildcards match; undefined for all. */
  readonly kind?: NameKind | undefined
}

export class AuthorizedNames {
  readonly #state: MetadataState
  readonly #nowMs: number

  constructor(state: MetadataState, nowMs: number) {
    this.#state = state
    this.#nowMs = nowMs
  }

  /** Whether an action is granted on a name. Rights on a data stream reach its backing indices, but not its failure store. */
  has(access: IndexAccess, name: string): boolean {
    if (name.endsWith(FAILURES)) return access.failures.has(name.slice(0, -FAILURES.length), true)
    const thing = this.#state.abstraction(name)
    if (thing?.kind === 'index' && isFailureIndex(thing.stream, name)) {
      return access.failures.has(name, true) || access.failures.has(thing.stream!.name, true)
    }
    if (access.coversAll && access.has(name)) return true
    if (thing === undefined || thing.kind === 'alias') return access.has(name)
    if (thing.kind === 'dataStream') return access.has(name, true)
    const { stream } = thing
    if (stream === undefined) return access.has(name)
    return access.has(name, true) || access.has(stream.name, true)
  }

  /** Throws a 403 for unauthorized names. Returns the expressions to use instead; undefined if they need no change. */
  authorize(request: NamesRequest): readonly string[] | undefined {
    const { caller, action, expressions, options } = request
    checkSingleTarget(action, expressions)
    const access = caller.permission.index(action)
    const touchesFailures = this.#state.hasFailureIndices || expressions.some((name) => name.endsWith(FAILURES))
    if (access.isEmpty && !(touchesFailures && !access.failures.isEmpty))
      throw denied(caller, action, this.#named(expressions, options))
    const coversAll = access.coversAll && (!touchesFailures || access.failures.coversAll)
    if (coversAll && !expressions.some((name) => name.startsWith('.'))) return undefined
    const refused = this.#named(expressions, options).filter((name) => !this.has(access, name))
    if (refused.length > 0 && !options.ignoreUnavailable) throw denied(caller, action, refused)
    const isWide =
      expressions.length === 0 || expressions.some((name, i) => this.#isWildcard(name, i, expressions, options))
    if (!isWide && refused.length === 0) return undefined
    const kept = expressions.filter(
      (name, i) => !this.#isNamed(name, i, expressions, options) || !refused.includes(this.#plain(name)),
    )
    if (kept.length === 0 && expressions.length > 0) return NO_NAMES
    const names = this.#visible(access, request).names(kept, options)
    return names.size === 0 ? NO_NAMES : [...names]
  }

  #visible(access: IndexAccess, { kind }: NamesRequest): NameResolver {
    return new NameResolver(this.#state, this.#nowMs, (name) => {
      if (kind !== undefined && this.#state.named(name)?.kind !== kind) return false
      return this.has(access, name)
    })
  }

  /** The plain names among the expressions, with date math resolved. */
  #named(expressions: readonly string[], options: IndicesOptions): string[] {
    return expressions
      .filter((name, i) => this.#isNamed(name, i, expressions, options))
      .map((name) => this.#plain(name))
  }

  #isNamed(expression: string, at: number, expressions: readonly string[], options: IndicesOptions): boolean {
    return !this.#isWildcard(expression, at, expressions, options) && !isExclusion(expression, at, expressions, options)
  }

  #isWildcard(expression: string, at: number, expressions: readonly string[], options: IndicesOptions): boolean {
    if (!options.expandOpen && !options.expandClosed) return false
    if (expression === '_all') return expressions.length === 1
    return !isExclusion(expression, at, expressions, options) && this.#plain(expression).includes('*')
  }

  #plain(expression: string): string {
    return resolveDateMath(expression, this.#nowMs)
  }
}

/** A leading dash is an exclusion after a wildcard, and part of the name before one. */
function isExclusion(expression: string, at: number, expressions: readonly string[], options: IndicesOptions): boolean {
  if (!expression.startsWith('-') || !(options.expandOpen || options.expandClosed)) return false
  return expressions.slice(0, at).some((earlier) => earlier.includes('*'))
}

function checkSingleTarget(action: string, expressions: readonly string[]): void {
  if (!isSingleTarget(action)) return
  if (expressions.includes('_all')) {
    throw illegalArgument(
      `the action ${action} does not support accessing all indices; the provided index expression [_all] is not allowed`,
    )
  }
  const wildcards = expressions.filter((name) => name.includes('*') && !name.startsWith('<'))
  if (wildcards.length === 0) return
  throw illegalArgument(
    `the action ${action} does not support wildcards; the provided index expression(s) [${wildcards.join(',')}] are not allowed`,
  )
}
