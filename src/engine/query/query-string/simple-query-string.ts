/** `simple_query_string`: a small syntax without errors: invalid parts are ignored. */

import { illegalArgument } from '../../../base/api-error.ts'
import { nestedByClient } from '../../../base/errors/overflow.ts'
import { Fuzziness } from '../../request/fuzziness.ts'
import { matchNothing, type Query, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import type { QueryClause } from '../clause.ts'
import { BoolQuery } from '../compound/bool.ts'
import { checkAnalyzer } from '../full-text/check-analyzer.ts'
import { atLeast } from '../full-text/enough-clauses.ts'
import { followCase, queryEachField } from '../full-text/field-leaves.ts'
import type { BoostedField } from '../full-text/field-list.ts'
import { isMeaningless } from '../full-text/meaningless-text.ts'
import { MultiMatchQuery } from '../full-text/multi-match.ts'
import { FuzzyQuery } from '../multi-term/fuzzy.ts'
import { TermExpansionQuery } from '../multi-term/term-expansion.ts'
import { MatchAllQuery } from '../term-level/match-all.ts'
import { fuzzySettings, quotedFields, readStringQuery, StringQuery, type StringQuerySettings } from './string-query.ts'

const SIMPLE_FLAGS = [
  'AND',
  'ESCAPE',
  'FUZZY',
  'NEAR',
  'NOT',
  'OR',
  'PHRASE',
  'PRECEDENCE',
  'PREFIX',
  'SLOP',
  'WHITESPACE',
] as const
export type SimpleFlag = (typeof SIMPLE_FLAGS)[number]

export interface SimpleQueryStringSettings extends StringQuerySettings {
  flags?: ReadonlySet<SimpleFlag>
}

class SimpleQueryStringQuery extends StringQuery<SimpleQueryStringSettings> {
  override readonly kind = 'simple_query_string'

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkAnalyzer(context, 'simple_query_string', this.settings.analyzer)
    const plan = () => new SimpleParser(context, this.text, this.settings).parse()?.plan(context, scoring, boost)
    return nestedByClient(plan) ?? matchNothing('empty string passed to query parser')
  }
}

type Operator = 'or' | 'and'

/** A group under construction: clauses joined by one operator so far. */
interface Group {
  top: Query | undefined
  /** The clauses of `top` while more can be added. */
  clauses: Query[]
  previous: Operator | undefined
  current: Operator | undefined
  negated: boolean
}

const newGroup = (): Group => ({ top: undefined, clauses: [], previous: undefined, current: undefined, negated: false })

class SimpleParser {
  readonly #context: SearchExecutionContext
  readonly #text: string
  readonly #settings: Readonly<SimpleQueryStringSettings>
  readonly #fields: readonly BoostedField[]
  readonly #lenient: boolean
  #at = 0
  /** The end of the current group. */
  #end: number

  constructor(context: SearchExecutionContext, text: string, settings: Readonly<SimpleQueryStringSettings>) {
    this.#context = context
    this.#text = text
    this.#end = text.length
    this.#settings = settings
    const { fields } = settings
    const all = fields === undefined || fields.length === 0
    this.#fields = all ? [{ name: '*', boost: 1 }] : fields
    this.#lenient = settings.lenient ?? (all || context.limits.lenientQueryStrings === true)
  }

  parse(): Query | undefined {
    if (this.#text.trim() === '*') return new MatchAllQuery()
    const query = this.#group()
    const { minimumShouldMatch } = this.#settings
    if (minimumShouldMatch === undefined || query === undefined) return query
    return atLeast(this.#context, query, minimumShouldMatch)
  }

  #has(flag: SimpleFlag): boolean {
    return this.#settings.flags?.has(flag) ?? true
  }

  #group(): Query | undefined {
    const group = newGroup()
    while (this.#at < this.#end) {
      const character = this.#text[this.#at]!
      // An unmatched closing bracket.
      if (character === ')' && this.#has('PRECEDENCE')) this.#at++
      else if (character === '(' && this.#has('PRECEDENCE')) this.#inner(group)
      else if (character === '"' && this.#has('PHRASE')) this.#join(group, this.#phrase(group))
      else if (character === '+' && this.#has('AND')) this.#operator(group, 'and')
      else if (character === '|' && this.#has('OR')) this.#operator(group, 'or')
      else if (character === '-' && this.#has('NOT')) {
        group.negated = !group.negated
        this.#at++
      } else if (/\s/.test(character) && this.#has('WHITESPACE')) {
        group.negated = false
        this.#at++
      } else this.#join(group, this.#word())
    }
    return group.top
  }

  /** A nested group. An unmatched bracket is ignored, and an empty group drops the operator. */
  #inner(group: Group): void {
    const start = ++this.#at
    const close = this.#closing(start)
    if (close < 0) return
    if (close === start) group.current = undefined
    else {
      const end = this.#end
      this.#end = close
      this.#join(group, this.#group())
      this.#end = end
    }
    this.#at = close + 1
  }

  #closing(start: number): number {
    let depth = 1
    for (let at = start; at < this.#end; at++) {
      const character = this.#text[at]
      if (character === '\\' && this.#has('ESCAPE')) at++
      else if (character === '(') depth++
      else if (character === ')' && --depth === 0) return at
    }
    return -1
  }

  /** An operator at the start, or after another one, is ignored. */
  #operator(group: Group, operator: Operator): void {
    if (group.current === undefined && group.top !== undefined) group.current = operator
    this.#at++
  }

  #join(group: Group, found: Query | undefined): void {
    if (found === undefined) return
    const query = group.negated ? new BoolQuery({ mustNot: [found], should: [new MatchAllQuery()] }) : found
    group.negated = false
    if (group.top === undefined) {
      group.top = query
      group.clauses = [query]
      return
    }
    const operator = group.current ?? this.#settings.defaultOperator ?? 'or'
    // A change of operator closes the previous clauses: they become one clause of the new group.
    if (group.previous !== operator) group.clauses = [group.top]
    group.clauses.push(query)
    group.top = new BoolQuery(operator === 'and' ? { must: group.clauses } : { should: group.clauses })
    group.previous = operator
    group.current = undefined
  }

  #phrase(group: Group): Query | undefined {
    const start = this.#at + 1
    let end = start
    while (end < this.#end && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1
    if (end >= this.#end) {
      // An unmatched quote is ignored.
      this.#at = start
      return undefined
    }
    this.#at = end + 1
    const slop = this.#has('NEAR') ? this.#tilde() : undefined
    const text = unescapeText(this.#text.slice(start, end))
    if (text === '') {
      group.current = undefined
      return undefined
    }
    const fields = quotedFields(this.#context, this.#fields, this.#settings.quoteFieldSuffix)
    if (isMeaningless(this.#context, fields, text, this.#settings.analyzer)) return undefined
    return new MultiMatchQuery(fields, text, {
      type: 'phrase',
      slop: slop ?? 0,
      analyzer: this.#settings.analyzer,
      lenient: this.#lenient,
    })
  }

  #tilde(): number | undefined {
    const found = /^~(\d*)/.exec(this.#text.slice(this.#at))
    if (found === null) return undefined
    this.#at += found[0].length
    return found[1] === '' ? undefined : Number(found[1])
  }

  #word(): Query | undefined {
    let word = ''
    let fuzzy: number | undefined
    let isPrefix = false
    while (this.#at < this.#end && !this.#endsWord()) {
      const character = this.#text[this.#at]!
      if (character === '\\' && this.#has('ESCAPE') && this.#at + 1 < this.#end) {
        word += this.#text[this.#at + 1]
        this.#at += 2
        isPrefix = false
      } else if (character === '~' && this.#has('FUZZY') && word !== '') {
        fuzzy = this.#tilde() ?? 2
        break
      } else {
        isPrefix = character === '*' && this.#has('PREFIX')
        word += character
        this.#at++
      }
    }
    if (word === '') return undefined
    if (fuzzy !== undefined) return this.#fuzzy(word, Math.min(fuzzy, 2))
    if (isPrefix && word.length > 1) return this.#prefix(word.slice(0, -1))
    if (isMeaningless(this.#context, this.#fields, word, this.#settings.analyzer)) return undefined
    const { synonymPhrases } = this.#settings
    return new MultiMatchQuery(this.#fields, word, {
      type: 'most_fields',
      analyzer: this.#settings.analyzer,
      lenient: this.#lenient,
      operator: this.#settings.defaultOperator ?? 'or',
      ...(synonymPhrases === undefined ? {} : { synonymPhrases }),
    })
  }

  #endsWord(): boolean {
    const character = this.#text[this.#at]!
    if (/\s/.test(character)) return this.#has('WHITESPACE')
    if (character === '"') return this.#has('PHRASE')
    if (character === '|') return this.#has('OR')
    if (character === '+') return this.#has('AND')
    return (character === '(' || character === ')') && this.#has('PRECEDENCE')
  }

  #prefix(word: string): Query | undefined {
    return this.#each((name) => new TermExpansionQuery('prefix', name, this.#normalize(name, word)))
  }

  #fuzzy(word: string, edits: number): Query | undefined {
    const options = { ...fuzzySettings(this.#settings), fuzziness: Fuzziness.parse(String(edits)) }
    return this.#each((name) => new FuzzyQuery(name, this.#normalize(name, word), options))
  }

  #each(make: (name: string) => Query): Query | undefined {
    const options = { lenient: this.#lenient, tieBreaker: 1, boost: 1 }
    return queryEachField(this.#context, this.#fields, options, make)
  }

  #normalize(name: string, text: string): string {
    return followCase(this.#context, name, text, this.#settings.analyzer)
  }
}

const unescapeText = (text: string) => text.replace(/\\(.)/gs, '$1')

export const simpleQueryStringClause: QueryClause = {
  name: 'simple_query_string',
  parse(reader) {
    const settings: SimpleQueryStringSettings = {}
    const { text, options } = readStringQuery(
      'simple_query_string',
      reader,
      settings,
      (member) => {
        if (member === 'flags') settings.flags = parseFlags(reader.text())
        return member === 'flags'
      },
      (member) => reader.parsingError(`[simple_query_string] unsupported field [${member}]`),
    )
    if (text === undefined) throw reader.parsingError('[simple_query_string] query text missing')
    return new SimpleQueryStringQuery(text, settings, options)
  },
}

/** `AND|PREFIX`, `ALL`, `NONE`, or a number, which means all. */
function parseFlags(text: string): ReadonlySet<SimpleFlag> {
  const flags = new Set<SimpleFlag>()
  for (const word of text.toUpperCase().split('|')) {
    if (word === 'ALL' || /^-?\d+$/.test(word)) return new Set(SIMPLE_FLAGS)
    if (word === 'NONE' || word === '') continue
    const flag = SIMPLE_FLAGS.find((known) => known === word)
    if (flag === undefined) throw illegalArgument(`Unknown simple_query_string flag [${word}]`)
    flags.add(flag)
  }
  return flags
}
