/**
 * Parses Lucene's classic query syntax to a tree of queries. The meaning of a leaf (fields, analysis) is left to the
 * given `LeafQueries`; a leaf without meaning is omitted.
 */

import type { Query } from '../../scoring/query.ts'
import { newOptions } from '../clause.ts'
import { BoolQuery } from '../compound/bool.ts'
import { MatchAllQuery } from '../term-level/match-all.ts'
import {
  lexQueryString,
  type QueryToken,
  type RangeToken,
  type TokenKind,
  unexpectedToken,
} from './query-string-lexer.ts'

/** `field` is undefined for the default fields. */
export interface LeafQueries {
  words(field: string | undefined, text: string, boost: number): Query | undefined
  phrase(field: string | undefined, text: string, slop: number | undefined, boost: number): Query | undefined
  prefix(field: string | undefined, text: string, boost: number): Query | undefined
  wildcard(field: string | undefined, text: string, boost: number): Query | undefined
  regexp(field: string | undefined, text: string, boost: number): Query | undefined
  fuzzy(field: string | undefined, text: string, edits: string | undefined, boost: number): Query | undefined
  range(field: string | undefined, range: RangeToken, boost: number): Query | undefined
  exists(field: string | undefined, boost: number): Query | undefined
}

type Occur = 'must' | 'should' | 'mustNot'

interface Clause {
  query: Query
  occur: Occur
  /** Whether it has a leading `+` or `-`. */
  readonly isSigned: boolean
}

export interface QueryStringOptions {
  readonly and: boolean
  /** Whether `>=5` without a field is a range: if one field is the default, and not a list of them. */
  readonly comparesAlone?: boolean
}

/** Token types that end a run of plain words, because the last word belongs to what follows. */
const ENDS_WORDS: ReadonlySet<TokenKind> = new Set([':', '*', 'FUZZY_SLOP', '^', 'AND', 'OR'])

export class QueryStringParser {
  readonly #text: string
  readonly #tokens: readonly QueryToken[]
  readonly #leaves: LeafQueries
  readonly #andByDefault: boolean
  readonly #comparesAlone: boolean
  /** Suffixes that the last term already has: a boost, a slop. */
  readonly #taken = new Set<string>()
  #at = 0

  constructor(text: string, leaves: LeafQueries, options: QueryStringOptions) {
    this.#text = text
    this.#leaves = leaves
    this.#andByDefault = options.and
    this.#comparesAlone = options.comparesAlone ?? false
    this.#tokens = lexQueryString(text)
  }

  /** Undefined if nothing is left to search. */
  parse(): Query | undefined {
    const query = this.#query(undefined, 1, true)
    if (this.#peek().kind !== 'EOF') throw this.#unexpected(this.#afterClause(true))
    return query
  }

  #query(field: string | undefined, boost: number, top: boolean): Query | undefined {
    const clauses: Clause[] = []
    this.#member(field, clauses, undefined)
    for (;;) {
      const { kind } = this.#peek()
      if (kind === 'EOF' || kind === ')') break
      if (kind === ':' || kind === '^' || kind === 'FUZZY_SLOP') throw this.#unexpected(this.#afterClause(top))
      let conjunction: 'AND' | 'OR' | undefined
      if (kind === 'AND' || kind === 'OR') {
        conjunction = kind
        this.#at++
      }
      this.#member(field, clauses, conjunction)
    }
    return this.#combine(clauses, boost)
  }

  /** One clause, or a run of plain words, which are analyzed together. */
  #member(field: string | undefined, clauses: Clause[], conjunction: 'AND' | 'OR' | undefined): void {
    if (conjunction === undefined) {
      const words = this.#wordRun()
      if (words !== undefined) {
        const query = this.#leaves.words(field, words, 1)
        if (query !== undefined) clauses.push({ query, occur: this.#andByDefault ? 'must' : 'should', isSigned: false })
        return
      }
    }
    const modifier = this.#modifier()
    const query = this.#clause(field, conjunction === undefined ? START_OF_CLAUSE : AFTER_CONJUNCTION)
    this.#join(clauses, conjunction, modifier, query)
  }

  #wordRun(): string | undefined {
    const words: string[] = []
    let at = this.#at
    while (this.#tokens[at]!.kind === 'TERM' && !ENDS_WORDS.has(this.#tokens[at + 1]!.kind)) {
      words.push(unescapeText(this.#tokens[at]!.text))
      at++
    }
    if (words.length < 2) return undefined
    this.#at = at
    return words.join(' ')
  }

  #modifier(): '+' | '-' | undefined {
    const { kind } = this.#peek()
    if (kind === '+') {
      this.#at++
      return '+'
    }
    if (kind === '-' || kind === 'NOT') {
      this.#at++
      return '-'
    }
    return undefined
  }

  /**
   * The role of a clause follows from its sign, the operator before it, and the default; AND also affects the previous
   * clause.
   */
  #join(
    clauses: Clause[],
    conjunction: 'AND' | 'OR' | undefined,
    modifier: '+' | '-' | undefined,
    query: Query | undefined,
  ): void {
    const last = clauses[clauses.length - 1]
    if (last !== undefined && last.occur !== 'mustNot') {
      if (conjunction === 'AND') last.occur = 'must'
      if (this.#andByDefault && conjunction === 'OR') last.occur = 'should'
    }
    if (query === undefined) return
    const isSigned = modifier !== undefined
    if (modifier === '-') clauses.push({ query, occur: 'mustNot', isSigned })
    else {
      const required = this.#andByDefault ? conjunction !== 'OR' : modifier === '+' || conjunction === 'AND'
      clauses.push({ query, occur: required ? 'must' : 'should', isSigned })
    }
  }

  #combine(clauses: readonly Clause[], boost: number): Query | undefined {
    if (clauses.length === 0) return undefined
    const [first] = clauses
    // A word with a sign is a list of one clause for minimum_should_match.
    if (clauses.length === 1 && !first!.isSigned && boost === 1) return first!.query
    const of = (occur: Occur) => clauses.filter((clause) => clause.occur === occur).map(({ query }) => query)
    return new BoolQuery({ must: of('must'), should: of('should'), mustNot: of('mustNot') }, { ...newOptions(), boost })
  }

  #clause(outer: string | undefined, expected: readonly string[]): Query | undefined {
    let field = outer
    let next = expected
    const [first, second] = [this.#peek(), this.#tokens[this.#at + 1]]
    if (second?.kind === ':' && (first.kind === 'TERM' || first.kind === '*')) {
      field = unescapeText(first.text)
      this.#at += 2
      next = AFTER_FIELD
    }
    if (this.#peek().kind === '(') {
      const open = this.#at++
      const inside = this.#peek().kind
      if (inside === 'EOF') throw this.#unexpected(START_OF_CLAUSE)
      const query = this.#query(field, this.#boostAfterParenthesis(open), false)
      if (this.#peek().kind !== ')') throw this.#unexpected(this.#afterClause(false))
      this.#at++
      this.#boost()
      return query
    }
    return this.#term(field, next)
  }

  /** The boost follows the group, but is needed when the group is built. */
  #boostAfterParenthesis(open: number): number {
    let depth = 0
    for (let at = open; at < this.#tokens.length; at++) {
      const { kind } = this.#tokens[at]!
      if (kind === '(') depth++
      if (kind === ')' && --depth === 0) {
        return this.#tokens[at + 1]?.kind === '^' ? Number(this.#tokens[at + 2]!.text) : 1
      }
    }
    return 1
  }

  #term(field: string | undefined, expected: readonly string[]): Query | undefined {
    const token = this.#peek()
    this.#taken.clear()
    this.#at++
    switch (token.kind) {
      case 'TERM':
      case 'BAREOPER':
        return this.#plain(field, unescapeText(token.text.trim()))
      case '*': {
        const boost = this.#boost()
        return field === '*' ? new MatchAllQuery({ ...newOptions(), boost }) : this.#leaves.exists(field, boost)
      }
      case 'PREFIXTERM':
        return this.#leaves.prefix(field, unescapeText(token.text.slice(0, -1)), this.#suffixes().boost)
      case 'WILDTERM':
        return this.#leaves.wildcard(field, token.text, this.#suffixes().boost)
      case 'REGEXPTERM':
        return this.#leaves.regexp(field, token.text, this.#suffixes().boost)
      case 'QUOTED': {
        const { slop, boost } = this.#suffixes()
        // A slop that is not a number is ignored.
        const moves =
          slop === undefined || slop === '' || Number.isNaN(Number(slop)) ? undefined : Math.trunc(Number(slop))
        return this.#leaves.phrase(field, unescapeText(token.text), moves, boost)
      }
      case 'RANGE':
        return this.#leaves.range(field, token.range!, this.#boost())
      default:
        this.#at--
        throw this.#unexpected(expected)
    }
  }

  #plain(field: string | undefined, text: string): Query | undefined {
    const { slop, boost } = this.#suffixes()
    if (slop !== undefined) return this.#leaves.fuzzy(field, text, slop === '' ? undefined : slop, boost)
    if (field === '_exists_') return this.#leaves.exists(text, boost)
    const comparison = field === undefined && !this.#comparesAlone ? null : /^([<>])(=?)(.+)$/s.exec(text)
    if (comparison === null) return this.#leaves.words(field, text, boost)
    const [, sign, equal, bound] = comparison
    const inclusive = equal === '='
    const range =
      sign === '>'
        ? { lower: bound!, upper: '*', lowerInclusive: inclusive, upperInclusive: true }
        : { lower: '*', upper: bound!, lowerInclusive: true, upperInclusive: inclusive }
    return this.#leaves.range(field, range, boost)
  }

  /** `~2` and `^3`, in either order. */
  #suffixes(): { slop: string | undefined; boost: number } {
    let slop: string | undefined
    const takeSlop = () => {
      if (this.#peek().kind !== 'FUZZY_SLOP') return
      if (slop !== undefined) return
      slop = this.#peek().text.slice(1)
      this.#taken.add('<FUZZY_SLOP>')
      this.#at++
    }
    takeSlop()
    const boost = this.#boost()
    takeSlop()
    return { slop, boost }
  }

  #boost(): number {
    if (this.#peek().kind !== '^') return 1
    const number = Number(this.#tokens[this.#at + 1]!.text)
    this.#taken.add('"^"')
    this.#at += 2
    return number
  }

  #peek(): QueryToken {
    return this.#tokens[this.#at]!
  }

  #unexpected(expected: readonly string[]) {
    return unexpectedToken(this.#text, this.#peek(), expected)
  }

  /** Tokens that may follow a complete clause, at the end of the text or of a group. */
  #afterClause(top: boolean): string[] {
    const list = AFTER_CLAUSE.filter((word) => !this.#taken.has(word) && !(top && word === '")"'))
    return top ? ['<EOF>', ...list] : list
  }
}

/** A backslash escapes the next character. */
function unescapeText(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const LEAF = ['"*"', '<QUOTED>', '<TERM>', '<PREFIXTERM>', '<WILDTERM>', '<REGEXPTERM>', '"["', '"{"', '<NUMBER>']
const AFTER_FIELD = ['<BAREOPER>', '"("', ...LEAF]
const START_OF_CLAUSE = ['<NOT>', '"+"', '"-"', ...AFTER_FIELD, '<TERM>']
const AFTER_CONJUNCTION = [...START_OF_CLAUSE, '"*"']
const AFTER_CLAUSE = [
  '<AND>',
  '<OR>',
  '<NOT>',
  '"+"',
  '"-"',
  '<BAREOPER>',
  '"("',
  '")"',
  '"*"',
  '"^"',
  '<QUOTED>',
  '<TERM>',
  '<FUZZY_SLOP>',
  '<PREFIXTERM>',
  '<WILDTERM>',
  '<REGEXPTERM>',
  '"["',
  '"{"',
  '<NUMBER>',
]
