/** Shared options of `query_string` and `simple_query_string`, and their parsing. */
import type { ApiError } from '../../../base/api-error.ts'
import { END_OBJECT, FIELD_NAME, START_ARRAY } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import { type ClauseOptions, doesNotSupport, newOptions, readCommonOption } from '../clause.ts'
import { type BoostedField, parseFieldAndBoost } from '../full-text/field-list.ts'
import { parseOperator } from '../full-text/match.ts'
import type { FuzzyOptions } from '../multi-term/fuzzy.ts'
import { QueryNode } from '../query-node.ts'

export interface StringQuerySettings {
  fields?: readonly BoostedField[]
  defaultOperator?: 'or' | 'and'
  analyzer?: string | undefined
  lenient?: boolean
  minimumShouldMatch?: string | undefined
  /** Whether a multi-word synonym must occur as a phrase. */
  synonymPhrases?: boolean
  fuzzyPrefixLength?: number
  fuzzyMaxExpansions?: number
  fuzzyTranspositions?: boolean
  /** Phrases are searched in the field with this suffix, if it exists. */
  quoteFieldSuffix?: string | undefined
}

export abstract class StringQuery<Settings extends StringQuerySettings> extends QueryNode {
  readonly text: string
  readonly settings: Readonly<Settings>

  constructor(text: string, settings: Settings, options: ClauseOptions = newOptions()) {
    super(options)
    this.text = text
    this.settings = settings
  }
}

/**
 * Called at the clause's START_OBJECT. `own` reads options of one clause only, and returns whether it knew the member.
 */
export function readStringQuery(
  clause: string,
  reader: RequestReader,
  settings: StringQuerySettings,
  own: (member: string) => boolean,
  unknown: (member: string) => ApiError,
): { text: string | undefined; options: ClauseOptions } {
  const options = newOptions()
  let text: string | undefined
  while (reader.next() !== END_OBJECT) {
    if (reader.token === FIELD_NAME) continue
    const member = reader.name
    if (reader.token === START_ARRAY) {
      if (member !== 'fields') throw doesNotSupport(reader, clause, member)
      const fields: BoostedField[] = []
      reader.each(() => fields.push(parseFieldAndBoost(reader.text())))
      settings.fields = fields
    } else if (!reader.isValue) {
      throw reader.unknownTokenAfter(clause, member)
    } else if (member === 'query') text = reader.text()
    else if (!readShared(reader, member, settings) && !own(member) && !readCommonOption(reader, member, options)) {
      throw unknown(member)
    }
  }
  return { text, options }
}

function readShared(reader: RequestReader, member: string, settings: StringQuerySettings): boolean {
  switch (member) {
    case 'default_operator':
      settings.defaultOperator = parseOperator(reader.text())
      return true
    case 'analyzer':
      settings.analyzer = reader.text()
      return true
    case 'lenient':
      settings.lenient = reader.boolean()
      return true
    case 'minimum_should_match':
      settings.minimumShouldMatch = reader.text()
      return true
    case 'auto_generate_synonyms_phrase_query':
      settings.synonymPhrases = reader.boolean()
      return true
    case 'fuzzy_prefix_length':
      settings.fuzzyPrefixLength = reader.integer()
      return true
    case 'fuzzy_max_expansions':
      settings.fuzzyMaxExpansions = reader.integer()
      return true
    case 'fuzzy_transpositions':
      settings.fuzzyTranspositions = reader.boolean()
      return true
    case 'quote_field_suffix':
      settings.quoteFieldSuffix = reader.text()
      return true
    case 'analyze_wildcard':
      // Patterns follow the case of the field's words either way.
      reader.boolean()
      return true
    default:
      return false
  }
}

/** The settings of fuzzy words, except the edit distance. */
export function fuzzySettings(settings: Readonly<StringQuerySettings>): Omit<FuzzyOptions, 'fuzziness'> {
  return {
    prefixLength: settings.fuzzyPrefixLength ?? 0,
    maxExpansions: settings.fuzzyMaxExpansions ?? 50,
    transpositions: settings.fuzzyTranspositions ?? true,
  }
}

/** The fields in which phrases are searched. */
export function quotedFields(
  { mapping }: SearchExecutionContext,
  fields: readonly BoostedField[],
  suffix: string | undefined,
): readonly BoostedField[] {
  if (suffix === undefined) return fields
  return fields.map((field) => {
    const name = `${field.name}${suffix}`
    return mapping.field(name) === undefined ? field : { ...field, name }
  })
}
