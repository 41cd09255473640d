/**
 * Resolves the names of a request (`logs-*,-logs-old`, aliases, data streams, `<logs-{now/d}>`) to concrete indices.
 *
 * This takes two steps. First the expressions become names of existing things (a wildcard may match an alias), then the
 * things become indices. The names in between matter for aliases: a filter applies to an index only if it was reached
 * through filtered aliases alone.
 */

import { illegalArgument } from '../../base/api-error.ts'
import {
  aliasNotSupported,
  dataStreamExcluded,
  exclusionWithoutWildcard,
  expressionNotFound,
  indexClosed,
  indexNotFound,
  invalidIndexName,
  noIndicesExist,
  remoteIndicesUnsupported,
  selectorUnsupported,
  severalIndicesForOne,
} from '../../base/errors/index-errors.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { type Abstraction, FAILURES, isFailureIndex, type MetadataState } from '../metadata/metadata-state.ts'
import { booleanSetting } from '../settings/update-settings.ts'
import { resolveDateMath } from './date-math-name.ts'
import type { IndicesOptions } from './indices-options.ts'

/** An index of a search, with the filters and routing of the aliases through which it was reached. */
export interface SearchTarget {
  readonly index: IndexMetadata
  /** Names in the request by which the index was reached: its own, its data stream's, or aliases. */
  readonly reachedBy: readonly string[]
  /** A document must match one of these filters; undefined if the index was reached without a filter. */
  readonly filters: readonly JsonObject[] | undefined
  /** Routing values of aliases; undefined if the index was also reached without routing. */
  readonly searchRouting: ReadonlySet<string> | undefined
}

export class NameResolver {
  readonly #state: MetadataState
  readonly #nowMs: number
  readonly #isVisible: ((name: string) => boolean) | undefined

  /**
   * `isVisible` restricts the names that wildcards match, in addition to the options. By default all names are visible.
   */
  constructor(state: MetadataState, nowMs: number, isVisible?: (name: string) => boolean) {
    this.#state = state
    this.#nowMs = nowMs
    this.#isVisible = isVisible
  }

  /** Concrete indices, each once, in the order in which they were first reached. */
  indices(expressions: readonly string[], options: IndicesOptions): IndexMetadata[] {
    return this.#toIndices(this.#expand(expressions, options, true), expressions, options)
  }

  /** The single index of an operation on one: a document, a rollover source. */
  singleIndex(expression: string, options: IndicesOptions): IndexMetadata {
    const found = this.indices([expression], options)
    if (found.length === 1) return found[0]!
    if (found.length === 0) throw indexNotFound(expression)
    throw severalIndicesForOne(
      expression,
      found.map(({ name }) => name),
    )
  }

  searchTargets(expressions: readonly string[], options: IndicesOptions): SearchTarget[] {
    const names = this.names(expressions, options)
    return this.indices(expressions, options).map((index) => this.#searchTarget(index, names))
  }

  /** Names of the indices, aliases and data streams that the expressions match. */
  names(expressions: readonly string[], options: IndicesOptions): Set<string> {
    return this.#expand(expressions, options, false)
  }

  /** With `concrete`, wildcards expand to indices, so that an exclusion removes an index however it was matched. */
  #expand(expressions: readonly string[], options: IndicesOptions, concrete: boolean): Set<string> {
    if (expressions.length === 0 || (expressions.length === 1 && expressions[0] === '_all')) {
      const everything = new Set(canExpand(options) ? this.#matching('*', options) : [])
      if (everything.size === 0 && !options.allowNoIndices) throw noIndicesExist()
      return everything
    }
    const found = new Set<string>()
    let wildcardSeen = false
    for (const expression of expressions) {
      const excludes = wildcardSeen && expression.startsWith('-')
      const written = excludes ? expression.slice(1) : expression
      const { base, selector } = splitSelector(written, options)
      const plain = resolveDateMath(base, this.#nowMs)
      checkExpression(plain)
      const name = selector === 'failures' ? `${plain}${FAILURES}` : plain
      if (name.includes('*') && canExpand(options)) {
        wildcardSeen = true
        const things = this.#matching(name, options)
        const matching = concrete ? things.flatMap((thing) => this.#openedBehind(thing, options)) : things
        if (excludes) for (const match of matching) found.delete(match)
        else if (things.length === 0 && !options.allowNoIndices) throw nothingNamed(name)
        else for (const match of matching) found.add(match)
      } else if (excludes) {
        found.delete(name)
      } else if (this.#accepts(name, options)) {
        found.add(name)
      }
    }
    if (found.size === 0 && !options.allowNoIndices) throw nothingFound(expressions)
    return found
  }

  /** Whether a plain name is a target. Throws if it must exist and does not. */
  #accepts(name: string, options: IndicesOptions): boolean {
    const thing = this.#state.named(name)
    if (thing === undefined) {
      if (options.ignoreUnavailable) return false
      const base = withoutFailures(name)
      // Only data streams have a failure store. A missing name is reported without the selector.
      throw nothingNamed(this.#state.abstraction(base) === undefined ? base : name)
    }
    if (thing.kind === 'alias' && !options.allowAliases) {
      if (options.ignoreUnavailable) return false
      throw aliasNotSupported(name)
    }
    if (thing.kind === 'dataStream' && !options.allowDataStreams) {
      if (options.ignoreUnavailable) return false
      throw dataStreamExcluded(withoutFailures(name))
    }
    return true
  }

  #matching(pattern: string, options: IndicesOptions): string[] {
    const base = withoutFailures(pattern)
    const matches = namePattern(base)
    let found = this.#state.names().filter((name) => matches(name) && this.#isReached(name, base, options))
    if (base !== pattern) {
      found = found.map((name) => `${name}${FAILURES}`).filter((name) => this.#state.named(name) !== undefined)
    }
    return this.#isVisible === undefined ? found : found.filter(this.#isVisible)
  }

  #openedBehind(name: string, options: IndicesOptions): string[] {
    const indices = indicesBehind(this.#state.named(name)!)
    return indices.filter((index) => hasState(index, options)).map((index) => index.name)
  }

  /** Hidden things match if requested, or if the pattern starts with their dot. */
  #isReached(name: string, pattern: string, options: IndicesOptions): boolean {
    const thing = this.#state.named(name)!
    if (thing.kind === 'alias' && !options.allowAliases) return false
    if (thing.kind === 'dataStream' && !options.allowDataStreams) return false
    if (isHidden(thing) && !options.expandHidden && !(pattern.startsWith('.') && name.startsWith('.'))) return false
    return thing.kind !== 'index' || hasState(thing.index, options)
  }

  #toIndices(names: Set<string>, expressions: readonly string[], options: IndicesOptions): IndexMetadata[] {
    const literal = new Set(expressions.map((expression) => expression.replace(/::data$/, '')))
    const found = new Map<string, IndexMetadata>()
    for (const name of names) {
      const thing = this.#state.named(name)!
      for (const index of indicesBehind(thing)) {
        // An index in the wrong state is ignored behind an alias that a wildcard matched, and an error behind a named
        // alias.
        if (!literal.has(name) && !hasState(index, options)) continue
        if (index.state === 'close' && options.forbidClosed) {
          if (options.ignoreUnavailable) continue
          throw indexClosed(index.name, index.uuid)
        }
        found.set(index.name, index)
      }
    }
    if (found.size === 0 && !options.allowNoIndices) throw nothingFound(expressions)
    return [...found.values()]
  }

  #searchTarget(index: IndexMetadata, names: ReadonlySet<string>): SearchTarget {
    const stream = this.#state.streamOf(index.name)
    const part = isFailureIndex(stream, index.name) ? FAILURES : ''
    const aliases = Object.entries({ ...index.aliases, ...stream?.aliases }).filter(([name]) => names.has(name + part))
    // Whoever names a backing index also has the rights on its data stream.
    const direct = names.has(index.name) ? [index.name] : []
    if (stream !== undefined && (direct.length > 0 || names.has(stream.name + part))) direct.push(stream.name)
    const reachedBy = [...direct, ...aliases.map(([name]) => name)]
    // The filters of aliases are about the documents of the stream and not about failures.
    if (direct.length > 0 || part !== '') return { index, reachedBy, filters: undefined, searchRouting: undefined }
    const filters = aliases.map(([, alias]) => alias.filter)
    const routing = aliases.map(([, alias]) => alias.searchRouting)
    return {
      index,
      reachedBy,
      filters: filters.length > 0 && filters.every((filter) => filter !== undefined) ? filters : undefined,
      searchRouting:
        routing.length > 0 && routing.every((value) => value !== undefined)
          ? new Set(routing.flatMap((value) => value.split(',')))
          : undefined,
    }
  }
}

const canExpand = (options: IndicesOptions) => options.expandOpen || options.expandClosed

const hasState = (index: IndexMetadata, options: IndicesOptions) =>
  index.state === 'open' ? options.expandOpen : options.expandClosed

export const isHiddenIndex = (index: IndexMetadata) => booleanSetting(index.settings, 'index.hidden')

function isHidden(thing: Abstraction): boolean {
  if (thing.kind === 'index') return isHiddenIndex(thing.index)
  return thing.kind === 'alias' ? thing.alias.hidden : thing.stream.hidden
}

function indicesBehind(thing: Abstraction): readonly IndexMetadata[] {
  if (thing.kind === 'index') return [thing.index]
  return thing.kind === 'alias' ? thing.alias.indices : thing.indices
}

/** Splits `logs::failures`. The selector is undefined if the expression has none. */
function splitSelector(
  expression: string,
  options: IndicesOptions,
): { base: string; selector: 'data' | 'failures' | undefined } {
  const at = expression.indexOf('::')
  if (at < 0) return { base: expression, selector: undefined }
  const base = expression.slice(0, at)
  const selector = expression.slice(at + 2)
  if (selector.includes('::')) {
    throw invalidIndexName(expression, 'Invalid usage of :: separator, only one :: separator is allowed per expression')
  }
  if (selector !== 'data' && selector !== 'failures') {
    throw invalidIndexName(expression, `invalid usage of :: separator, [${selector}] is not a recognized selector`)
  }
  if (base === '') {
    throw illegalArgument(`index name [${expression}] is invalid because the remote part is empty`)
  }
  if (!options.allowSelectors) throw selectorUnsupported(expression)
  return { base: base === '_all' ? '*' : base, selector }
}

const withoutFailures = (name: string) => (name.endsWith(FAILURES) ? name.slice(0, -FAILURES.length) : name)

function checkExpression(name: string): void {
  if (name === '') throw indexNotFound('')
  if (name.startsWith('_')) throw invalidIndexName(name, "must not start with '_'.")
  if (name.includes(':')) throw remoteIndicesUnsupported([name])
}

function nothingFound(expressions: readonly string[]) {
  if (expressions.length === 0 || (expressions.length === 1 && expressions[0] === '_all')) return noIndicesExist()
  return expressions.length === 1 ? indexNotFound(expressions[0]!) : expressionNotFound(expressions)
}

const nothingNamed = (name: string) => (name.startsWith('-') ? exclusionWithoutWildcard(name) : indexNotFound(name))
