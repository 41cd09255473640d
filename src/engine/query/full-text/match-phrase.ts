/** `match_phrase`: words in order, with up to `slop` moves. */

import { illegalArgument } from '../../../base/api-error.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { noTerms, type SearchExecutionContext, unmappedFields, type Weight } from '../../scoring/query.ts'
import { parseTextClause, type QueryClause } from '../clause.ts'
import { exactValue } from '../term-level/exact-value.ts'
import { matchAll } from '../term-level/match-all.ts'
import { metadataValue } from '../term-level/metadata-field.ts'
import { checkIndexed, checkTakesText } from '../term-level/searchable-field.ts'
import { checkAnalyzer } from './check-analyzer.ts'
import { FieldTextQuery } from './field-text-query.ts'
import { parseZeroTerms, queryTokens } from './match.ts'
import { phraseQuery } from './phrase-query.ts'

export interface PhraseSettings {
  slop?: number
  analyzer?: string | undefined
  zeroTermsQuery?: 'none' | 'all'
}

export class MatchPhraseQuery extends FieldTextQuery<PhraseSettings> {
  override readonly kind = 'match_phrase'

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkAnalyzer(context, this.kind, this.settings.analyzer)
    const field = context.mapping.field(this.field)
    if (field === undefined) {
      const found = metadataValue(context, this.field, this.value, { scoring, boost }, 'match_phrase')
      return found ?? unmappedFields([this.field])
    }
    checkTakesText(field, 'match_phrase')
    const tokens = queryTokens(context, field, this.value, this.settings.analyzer, this.kind)
    if (tokens === undefined) return exactValue(context, field, this.value, { scoring, boost })
    if (tokens.length === 0) return this.settings.zeroTermsQuery === 'all' ? matchAll(boost) : noTerms()
    if (tokens.length === 1) checkIndexed(field)
    const name = storageName(field)
    return phraseQuery(context, name, tokens, this.settings.slop ?? 0, scoring, boost)
  }
}

export const matchPhraseClause: QueryClause = {
  name: 'match_phrase',
  parse(reader) {
    const settings: PhraseSettings = {}
    const { field, value, options } = parseTextClause(reader, 'match_phrase', (member) => {
      if (member === 'analyzer') settings.analyzer = reader.text()
      else if (member === 'slop') settings.slop = parseSlop(reader.integer())
      else if (member === 'zero_terms_query') settings.zeroTermsQuery = parseZeroTerms(reader)
      else return false
      return true
    })
    return new MatchPhraseQuery(field, value, settings, options)
  },
}

function parseSlop(slop: number): number {
  if (slop < 0) throw illegalArgument('No negative slop allowed.')
  return slop
}
