/** The parsed rules of an `intervals` query, to be bound to a field of the shard. */

import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { IntervalObject } from '../../painless/index.ts'
import type { Fuzziness } from '../../request/fuzziness.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { compile } from '../../scripts/compile-script.ts'
import { scriptText } from '../../scripts/document-script.ts'
import type { Script } from '../../scripts/script.ts'
import { followCase } from '../full-text/field-leaves.ts'
import { wordSections } from '../full-text/words-query.ts'
import { fuzzyWord } from '../multi-term/fuzzy.ts'
import { RegexpQuery } from '../multi-term/regexp.ts'
import { TermExpansionQuery } from '../multi-term/term-expansion.ts'
import { expandedTerms } from './expand-terms.ts'
import {
  anyOfIntervals,
  combineIntervals,
  extendedIntervals,
  fieldIntervals,
  filteredIntervals,
  followingIntervals,
  type IntervalNode,
  keptIntervals,
  multiTermIntervals,
  noIntervals,
  precedingIntervals,
  termIntervals,
} from './interval-node.ts'
import type { IntervalRelation } from './intervals.ts'

/** `field` is that of the query; a rule may use another. */
export type IntervalRule = (context: SearchExecutionContext, field: FieldType) => IntervalNode

/** Intervals are filtered by their relation to others, or by a script. */
export type RuleFilter =
  | { readonly kind: string; readonly rule: IntervalRule }
  | { readonly kind: 'script'; readonly script: Script }

export interface MatchRule {
  readonly query: string
  readonly maxGaps: number
  readonly ordered: boolean
  readonly analyzer: string | undefined
  readonly useField: string | undefined
}

/** Maximum number of terms of a rule. */
const MAX_EXPANSIONS = 128

export function matchRule(rule: MatchRule, filter: RuleFilter | undefined): IntervalRule {
  return (context, field) =>
    filtered(
      context,
      field,
      filter,
      inField(context, field, rule.useField, (used) => matchIntervals(context, used, rule)),
    )
}

function matchIntervals(context: SearchExecutionContext, field: FieldType, rule: MatchRule): IntervalNode {
  const name = storageName(field)
  const own = field.searchAnalyzerName ?? field.analyzerName ?? 'standard'
  const named = rule.analyzer === undefined ? undefined : context.analyzer(rule.analyzer)
  const tokens = (named ?? context.analyzer(own))?.tokens(rule.query) ?? []
  let end = 0
  const sources = wordSections(tokens).map((paths) => {
    const gap = paths[0]![0]!.position - end
    end = Math.max(...paths.flat().map((token) => token.position + token.positionLength))
    const ways = paths.map((path) =>
      combineIntervals(
        path.map(({ term }) => termIntervals(name, Buffer.from(term))),
        0,
        true,
      ),
    )
    const source = anyOfIntervals(ways)
    return gap > 0 ? extendedIntervals(source, gap, 0) : source
  })
  return combineIntervals(sources, rule.maxGaps, rule.ordered)
}

export function anyOfRule(rules: readonly IntervalRule[], filter: RuleFilter | undefined): IntervalRule {
  return (context, field) => {
    const nodes = rules.map((rule) => rule(context, field))
    return filtered(context, field, filter, nodes.length === 0 ? noIntervals : anyOfIntervals(nodes))
  }
}

export function allOfRule(
  rules: readonly IntervalRule[],
  maxGaps: number,
  ordered: boolean,
  filter: RuleFilter | undefined,
): IntervalRule {
  return (context, field) => {
    const nodes = rules.map((rule) => rule(context, field))
    return filtered(context, field, filter, combineIntervals(nodes, maxGaps, ordered))
  }
}

export interface PatternRule {
  readonly kind: 'prefix' | 'wildcard' | 'regexp'
  readonly pattern: string
  readonly analyzer: string | undefined
  readonly useField: string | undefined
}

export function patternRule({ kind, pattern, analyzer, useField }: PatternRule): IntervalRule {
  return (context, field) =>
    inField(context, field, useField, (used) => {
      const text = followCase(context, used.name, pattern, analyzer)
      const query = kind === 'regexp' ? new RegexpQuery(used.name, text) : new TermExpansionQuery(kind, used.name, text)
      return termsOf(context, used, query.plan(context, false, 1), kind === 'prefix' ? `${text}*` : text)
    })
}

export interface FuzzyRule {
  readonly term: string
  readonly fuzziness: Fuzziness
  readonly prefixLength: number
  readonly transpositions: boolean
  readonly analyzer: string | undefined
  readonly useField: string | undefined
}

export function fuzzyRule(rule: FuzzyRule): IntervalRule {
  return (context, field) =>
    inField(context, field, rule.useField, (used) => {
      const term = followCase(context, used.name, rule.term, rule.analyzer)
      const { fuzziness, prefixLength, transpositions } = rule
      const settings = { fuzziness, prefixLength, transpositions, maxExpansions: MAX_EXPANSIONS }
      return termsOf(context, used, fuzzyWord(context, used, term, settings, false, 1), term)
    })
}

export interface RangeRule {
  readonly lower: string
  readonly lowerInclusive: boolean
  readonly upper: string
  readonly upperInclusive: boolean
  readonly analyzer: string | undefined
  readonly useField: string | undefined
}

export function rangeRule(rule: RangeRule): IntervalRule {
  return (context, field) =>
    inField(context, field, rule.useField, (used) => {
      const lower = followCase(context, used.name, rule.lower, rule.analyzer)
      const upper = followCase(context, used.name, rule.upper, rule.analyzer)
      const [low, high] = [Buffer.from(lower), Buffer.from(upper)]
      const name = storageName(used)
      const inside = (term: Uint8Array) => {
        const [left, right] = [Buffer.compare(term, low), Buffer.compare(term, high)]
        return (rule.lowerInclusive ? left >= 0 : left > 0) && (rule.upperInclusive ? right <= 0 : right < 0)
      }
      const query = {
        words: (visitor: Parameters<NonNullable<Weight['words']>>[0]) => visitor.terms(name, inside, 1),
      }
      return termsOf(context, used, query, `{${lower},${upper}}`)
    })
}

function termsOf(
  context: SearchExecutionContext,
  field: FieldType,
  query: Pick<Weight, 'words'>,
  pattern: string,
): IntervalNode {
  const { terms } = expandedTerms(context, query)
  if (terms.length > MAX_EXPANSIONS) {
    throw new ApiError(
      500,
      'illegal_state_exception',
      `Automaton [${pattern}] expanded to too many terms (limit ${MAX_EXPANSIONS})`,
    )
  }
  return multiTermIntervals(storageName(field), terms, pattern)
}

/** The field of the rule, which must have positions. */
function inField(
  context: SearchExecutionContext,
  field: FieldType,
  useField: string | undefined,
  make: (field: FieldType) => IntervalNode,
): IntervalNode {
  if (useField === undefined) return make(checkText(field))
  const used = context.mapping.field(useField)
  return fieldIntervals(used === undefined ? noIntervals : make(checkText(used)), useField)
}

export const notIntervals = (name: string, type: string): ApiError =>
  illegalArgument(`Can only use interval queries on text fields - not on [${name}] which is of type [${type}]`)

function checkText(field: FieldType): FieldType {
  if (field.shape !== 'text') {
    throw notIntervals(field.name, field.type)
  }
  if (field.schema?.inverted !== 'positions') {
    throw illegalArgument(`Cannot create intervals over field [${field.name}] with no positions indexed`)
  }
  return field
}

const RELATIONS: readonly IntervalRelation[] = ['containing', 'contained_by', 'overlapping']

function filtered(
  context: SearchExecutionContext,
  field: FieldType,
  filter: RuleFilter | undefined,
  node: IntervalNode,
): IntervalNode {
  if (filter === undefined) return node
  if ('script' in filter) return scriptedIntervals(node, filter.script)
  const other = filter.rule(context, field)
  if (filter.kind === 'before') return precedingIntervals(node, other)
  if (filter.kind === 'after') return followingIntervals(node, other)
  const negated = filter.kind.startsWith('not_')
  const relation = RELATIONS.find((name) => name === (negated ? filter.kind.slice(4) : filter.kind))
  if (relation === undefined) throw illegalArgument(`Unknown filter type [${filter.kind}]`)
  return filteredIntervals(node, other, relation, negated)
}

/** The intervals for which the script returns true. */
function scriptedIntervals(node: IntervalNode, script: Script): IntervalNode {
  const compiled = compile(script, 'interval')
  const instance = compiled.newInstance({ params: script.params })
  return keptIntervals(node, `INTERVAL_SCRIPT(${scriptText(script)}, ${node.text})`, ({ start, end, gaps }) => {
    instance.set('interval', new IntervalObject(start, end, gaps))
    return instance.execute() === true
  })
}
