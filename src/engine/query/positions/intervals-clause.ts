/** `intervals`: words of a field in an order and distance described by rules. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { Fuzziness } from '../../request/fuzziness.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  type MemberParser,
  type RequestReader,
} from '../../request/request-reader.ts'
import { readScript } from '../../request/script.ts'
import { matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { type ClauseOptions, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { METADATA_FIELDS } from '../term-level/searchable-field.ts'
import { planIntervals } from './interval-node.ts'
import {
  allOfRule,
  anyOfRule,
  fuzzyRule,
  type IntervalRule,
  matchRule,
  notIntervals,
  patternRule,
  type RuleFilter,
  rangeRule,
} from './interval-rules.ts'

class IntervalsQuery extends QueryNode {
  override readonly kind = 'intervals'
  readonly field: string
  readonly rule: IntervalRule

  constructor(field: string, rule: IntervalRule, options?: ClauseOptions) {
    super(options)
    this.field = field
    this.rule = rule
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const field = context.mapping.field(this.field)
    if (field === undefined) {
      if (METADATA_FIELDS.has(this.field)) throw notIntervals(this.field, this.field)
      return matchNothing('')
    }
    return planIntervals(this.rule(context, field), this.field, boost)
  }
}

const TYPES = 'match, any_of, all_of, prefix, wildcard, regexp, range'

function expect(reader: RequestReader, token: number, name: string): void {
  if (reader.token !== token) throw reader.parsingError(`Expected [${name}] but got [${reader.tokenName}]`)
}

export const intervalsClause: QueryClause = {
  name: 'intervals',
  parse(reader) {
    const options = newOptions()
    reader.next()
    expect(reader, FIELD_NAME, 'FIELD_NAME')
    const field = reader.name
    reader.next()
    expect(reader, START_OBJECT, 'START_OBJECT')
    let rule: IntervalRule | undefined
    let found = ''
    while (reader.next() !== END_OBJECT) {
      const member = reader.name
      if (member === 'boost' || member === '_name') {
        reader.next()
        readCommonOption(reader, member, options)
        continue
      }
      if (rule !== undefined) {
        throw reader.parsingError(`Only one interval rule can be specified, found [${found}] and [${member}]`)
      }
      found = member
      rule = readRule(reader)
    }
    reader.next()
    if (rule === undefined) throw reader.parsingError('Missing intervals from interval query definition')
    expect(reader, END_OBJECT, 'END_OBJECT')
    return new IntervalsQuery(field, rule, options)
  },
}

/** Called at the rule's name; returns at the end of its object. */
function readRule(reader: RequestReader): IntervalRule {
  const type = reader.name
  const read = RULES[type]
  if (read === undefined) throw reader.parsingError(`Unknown interval type [${type}], expecting one of [${TYPES}]`)
  reader.next()
  return read(reader)
}

type Given = Record<string, unknown>

/** Members with plain values, stored under their names. */
function plain(reader: RequestReader, given: Given, kinds: Record<string, 'text' | 'integer' | 'boolean'>) {
  const members: Record<string, MemberParser> = {}
  for (const [name, kind] of Object.entries(kinds)) {
    members[name] = {
      accepts: kind === 'boolean' ? ACCEPTS_BOOLEAN : kind === 'integer' ? ACCEPTS_NUMBER : ACCEPTS_STRING,
      parse: () => {
        given[name] = kind === 'text' ? reader.text() : kind === 'integer' ? reader.integer() : reader.boolean()
      },
    }
  }
  return members
}

function required(given: Given, name: string): string {
  const value = given[name]
  if (value === undefined) throw requiredMember(name)
  return value as string
}

const RULES: Readonly<Record<string, (reader: RequestReader) => IntervalRule>> = {
  match(reader) {
    const given: Given = {}
    reader.parseMember('match', {
      ...plain(reader, given, {
        query: 'text',
        max_gaps: 'integer',
        ordered: 'boolean',
        analyzer: 'text',
        use_field: 'text',
      }),
      filter: filterMember(reader, given),
    })
    return matchRule(
      {
        query: required(given, 'query'),
        maxGaps: (given['max_gaps'] as number | undefined) ?? -1,
        ordered: (given['ordered'] as boolean | undefined) ?? false,
        analyzer: given['analyzer'] as string | undefined,
        useField: given['use_field'] as string | undefined,
      },
      given['filter'] as RuleFilter | undefined,
    )
  },
  any_of(reader) {
    const given: Given = {}
    reader.parseMember('any_of', { intervals: rulesMember(reader, given), filter: filterMember(reader, given) })
    required(given, 'intervals')
    return anyOfRule(given['intervals'] as IntervalRule[], given['filter'] as RuleFilter | undefined)
  },
  all_of(reader) {
    const given: Given = {}
    reader.parseMember('all_of', {
      ...plain(reader, given, { max_gaps: 'integer', ordered: 'boolean' }),
      intervals: rulesMember(reader, given),
      filter: filterMember(reader, given),
    })
    required(given, 'intervals')
    return allOfRule(
      given['intervals'] as IntervalRule[],
      (given['max_gaps'] as number | undefined) ?? -1,
      (given['ordered'] as boolean | undefined) ?? false,
      given['filter'] as RuleFilter | undefined,
    )
  },
  prefix: (reader) => readPattern(reader, 'prefix', 'prefix'),
  wildcard: (reader) => readPattern(reader, 'wildcard', 'pattern'),
  regexp: (reader) => readPattern(reader, 'regexp', 'pattern'),
  fuzzy(reader) {
    const given: Given = {}
    reader.parseMember('fuzzy', {
      ...plain(reader, given, {
        term: 'text',
        prefix_length: 'integer',
        transpositions: 'boolean',
        analyzer: 'text',
        use_field: 'text',
      }),
      fuzziness: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          given['fuzziness'] = Fuzziness.parse(reader.text())
        },
      },
    })
    return fuzzyRule({
      term: required(given, 'term'),
      fuzziness: (given['fuzziness'] as Fuzziness | undefined) ?? Fuzziness.auto,
      prefixLength: (given['prefix_length'] as number | undefined) ?? 0,
      transpositions: (given['transpositions'] as boolean | undefined) ?? true,
      analyzer: given['analyzer'] as string | undefined,
      useField: given['use_field'] as string | undefined,
    })
  },
  range(reader) {
    const given: Given = {}
    const texts = { gte: 'text', gt: 'text', lte: 'text', lt: 'text', analyzer: 'text', use_field: 'text' } as const
    reader.parseMember('range', plain(reader, given, texts))
    return rangeRule({
      lower: oneOf(given, 'gte', 'gt'),
      lowerInclusive: given['gte'] !== undefined,
      upper: oneOf(given, 'lte', 'lt'),
      upperInclusive: given['lte'] !== undefined,
      analyzer: given['analyzer'] as string | undefined,
      useField: given['use_field'] as string | undefined,
    })
  },
}

function oneOf(given: Given, first: string, second: string): string {
  const [a, b] = [given[first], given[second]]
  if ((a === undefined) !== (b === undefined)) return (a ?? b) as string
  const cause = illegalArgument(`Either [${first}] or [${second}], one of them must be provided`)
  const reason = 'Failed to build [range] after last required field arrived'
  throw new ApiError(400, 'x_content_parse_exception', reason, { causedBy: cause })
}

function readPattern(reader: RequestReader, kind: 'prefix' | 'wildcard' | 'regexp', name: string): IntervalRule {
  const given: Given = {}
  reader.parseMember(kind, plain(reader, given, { [name]: 'text', analyzer: 'text', use_field: 'text' }))
  return patternRule({
    kind,
    pattern: required(given, name),
    analyzer: given['analyzer'] as string | undefined,
    useField: given['use_field'] as string | undefined,
  })
}

function rulesMember(reader: RequestReader, given: Given): MemberParser {
  return {
    accepts: ACCEPTS_OBJECT_ARRAY,
    parse: () => {
      const rules: IntervalRule[] = []
      reader.items(() => {
        // Any value is taken for the start of a rule: the token after it is the one that is reported.
        reader.next()
        expect(reader, FIELD_NAME, 'FIELD_NAME')
        rules.push(readRule(reader))
        reader.next()
        expect(reader, END_OBJECT, 'END_OBJECT')
      })
      given['intervals'] = rules
    },
  }
}

function filterMember(reader: RequestReader, given: Given): MemberParser {
  return {
    accepts: ACCEPTS_OBJECT,
    parse: () => {
      reader.next()
      expect(reader, FIELD_NAME, 'FIELD_NAME')
      const kind = reader.name
      reader.next()
      expect(reader, START_OBJECT, 'START_OBJECT')
      if (kind === 'script') {
        given['filter'] = { kind, script: readScript(reader) } satisfies RuleFilter
      } else {
        reader.next()
        expect(reader, FIELD_NAME, 'FIELD_NAME')
        given['filter'] = { kind, rule: readRule(reader) } satisfies RuleFilter
        reader.next()
        expect(reader, END_OBJECT, 'END_OBJECT')
      }
      reader.next()
      expect(reader, END_OBJECT, 'END_OBJECT')
    },
  }
}
