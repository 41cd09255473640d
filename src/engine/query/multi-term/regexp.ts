/** `regexp`: documents with a term that an expression matches completely; all have the same score. */

import { illegalArgument } from '../../../base/api-error.ts'
import { fieldNameMissing, valueMissing } from '../../../base/errors/query-errors.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import { hasTextTerms } from '../../mapping/field-traits.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { checkExpensive, matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import {
  type ClauseOptions,
  doesNotSupport,
  newOptions,
  parseFieldClause,
  type QueryClause,
  readCommonOption,
} from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { checkSearchable, isWordlessMetadata, kindOf } from '../term-level/searchable-field.ts'
import { ALL_FLAGS, LuceneRegExp, type RegExpFlags } from './lucene-regexp.ts'
import { checkRegexLength } from './pattern-length.ts'
import { rewriteMethod } from './rewrite-method.ts'
import { expandTerms, refuseKeyed } from './term-expansion.ts'
import { prefixEnd } from './term-patterns.ts'

export class RegexpQuery extends QueryNode {
  override readonly kind = 'regexp'
  readonly field: string
  readonly pattern: string
  readonly flags: RegExpFlags
  readonly caseInsensitive: boolean
  readonly rewrite: string | null

  constructor(
    field: string,
    pattern: string,
    settings: { flags?: RegExpFlags; caseInsensitive?: boolean; rewrite?: string | null } = {},
    options: ClauseOptions = newOptions(),
  ) {
    super(options)
    this.field = field
    this.pattern = pattern
    this.flags = settings.flags ?? ALL_FLAGS
    this.caseInsensitive = settings.caseInsensitive ?? false
    this.rewrite = settings.rewrite ?? null
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkRegexLength(this.pattern, context)
    const method = rewriteMethod(this.rewrite)
    const field = context.mapping.field(this.field)
    const isRefused = field === undefined ? isWordlessMetadata(this.field) : !hasTextTerms(field.traits)
    if (isRefused) {
      const name = field?.name ?? this.field
      const type = field?.type ?? this.field
      const isRuntime = field?.isRuntime
      const reason = `Can only use regexp queries on keyword and text fields - not on [${name}] which is ${kindOf({ type, isRuntime })}`
      throw isRuntime === true ? illegalArgument(reason) : queryShardError(context.index, reason)
    }
    if (field === undefined) {
      parseRegExp(this)
      // Unlike other clauses it reaches Lucene, as an expression on a field without terms.
      const { matches: _, isNoDocs: __, ...nothing } = matchNothing('no field')
      return { ...nothing, text: () => `${this.field}:/${this.pattern}/` }
    }
    refuseKeyed(field, 'regexp')
    checkSearchable(field)
    checkExpensive(context, '[regexp] queries')
    // Elasticsearch's matching by doc values alone does not support case insensitivity.
    if (this.caseInsensitive && field.schema?.inverted === 'none') {
      throw illegalArgument('Match flags not yet implemented [256]')
    }
    const expression = parseRegExp(this)
    const prefix = Buffer.from(expression.literalPrefix)
    // A case-insensitive empty expression matches nothing.
    const isEmpty = this.caseInsensitive && this.pattern === ''
    return expandTerms(
      field,
      {
        from: prefix.length === 0 ? undefined : prefix,
        to: prefix.length === 0 ? undefined : prefixEnd(prefix),
        matches: isEmpty ? () => false : (term) => expression.matches(decodeUtf8(term, 0, term.length)),
        key: JSON.stringify([this.pattern, this.flags, this.caseInsensitive]),
      },
      boost,
      `${storageName(field)}:/${this.pattern}/`,
      { context, method, scoring },
    )
  }
}

const parseRegExp = ({ pattern, flags, caseInsensitive }: RegexpQuery) =>
  new LuceneRegExp(pattern, flags, caseInsensitive)

export const regexpClause: QueryClause = {
  name: 'regexp',
  parse(reader) {
    const options = newOptions()
    let value: string | null = null
    let flags: RegExpFlags = ALL_FLAGS
    let caseInsensitive = false
    let rewrite: string | null = null
    const field = parseFieldClause(
      reader,
      'regexp',
      (member) => {
        if (member === 'value') value = reader.textOrNull()
        else if (member === 'flags') flags = parseFlags(reader.textOrNull() || 'ALL')
        else if (member === 'flags_value' || member === 'max_determinized_states') reader.integer()
        else if (member === 'case_insensitive') caseInsensitive = reader.boolean()
        else if (member === 'rewrite') rewrite = reader.textOrNull()
        else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'regexp', member)
      },
      () => {
        value = reader.textOrNull()
      },
      true,
    )
    if (field === undefined || field === '') throw fieldNameMissing()
    if (value === null) throw valueMissing()
    return new RegexpQuery(field, value, { flags, caseInsensitive, rewrite }, options)
  },
}

const NO_FLAGS: RegExpFlags = {
  complement: false,
  empty: false,
  intersection: false,
  interval: false,
  anyString: false,
}

/** `INTERVAL|COMPLEMENT`, `ALL`, `NONE`. */
function parseFlags(text: string): RegExpFlags {
  let flags = NO_FLAGS
  for (const word of text.split('|')) {
    switch (word.toUpperCase()) {
      case 'ALL':
        return ALL_FLAGS
      case '':
      case 'NONE':
        break
      case 'COMPLEMENT':
        flags = { ...flags, complement: true }
        break
      case 'EMPTY':
        flags = { ...flags, empty: true }
        break
      case 'INTERSECTION':
        flags = { ...flags, intersection: true }
        break
      case 'INTERVAL':
        flags = { ...flags, interval: true }
        break
      case 'ANYSTRING':
        flags = { ...flags, anyString: true }
        break
      default:
        throw illegalArgument(`Unknown regexp flag [${word}]`)
    }
  }
  return flags
}
