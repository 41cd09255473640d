/** Parses `more_like_this`. */
import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { unknownVersionType } from '../../../base/errors/document-errors.ts'
import { END_ARRAY, END_OBJECT, FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { isObject, type SourceObject } from '../../mapping/source/source-values.ts'
import { analyzersByField } from '../../request/analyzers-by-field.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { type LikeItem, MoreLikeThisQuery } from './more-like-this.ts'

interface Draft {
  texts: string[]
  items: LikeItem[]
}

export const moreLikeThisClause: QueryClause = {
  name: 'more_like_this',
  parse(reader) {
    const options = newOptions()
    const like: Draft = { texts: [], items: [] }
    const unlike: Draft = { texts: [], items: [] }
    let fields: string[] | undefined
    let stopWords: string[] = []
    const numbers: Record<string, number> = {
      max_query_terms: 25,
      min_term_freq: 2,
      min_doc_freq: 5,
      max_doc_freq: 0x7fffffff,
      min_word_length: 0,
      max_word_length: 0,
    }
    let analyzer: string | undefined
    let minimum = '30%'
    let boostTerms = 0
    let include = false
    let failOnUnsupportedField = true
    const unknown = (member: string) => reader.parsingError(`[mlt] query does not support [${member}]`)
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.is(NULL) && member !== 'like' && member !== 'unlike') continue
      if (member === 'like' || member === 'unlike') {
        const into = member === 'like' ? like : unlike
        reader.each(() => readLike(reader, into))
      } else if (reader.token === START_ARRAY) {
        const texts: string[] = []
        if (member !== 'fields' && member !== 'stop_words') throw unknown(member)
        reader.each(() => texts.push(reader.text()))
        if (member === 'fields') fields = texts
        else stopWords = texts
      } else if (!reader.isValue) throw unknown(member)
      else if (Object.hasOwn(numbers, member)) numbers[member] = reader.integer()
      else if (member === 'analyzer') analyzer = reader.text()
      else if (member === 'minimum_should_match') minimum = reader.text()
      else if (member === 'boost_terms') boostTerms = Math.fround(reader.float())
      else if (member === 'include') include = reader.boolean()
      else if (member === 'fail_on_unsupported_field') failOnUnsupportedField = reader.boolean()
      else if (!readCommonOption(reader, member, options)) throw unknown(member)
    }
    if (like.texts.length + like.items.length === 0) {
      throw reader.parsingError("more_like_this requires 'like' to be specified")
    }
    if (fields?.length === 0) throw reader.parsingError("more_like_this requires 'fields' to be non-empty")
    if (numbers['max_query_terms']! <= 0) throw illegalArgument("requires 'maxQueryTerms' to be greater than 0")
    return new MoreLikeThisQuery(
      like,
      unlike,
      {
        fields,
        stopWords: new Set(stopWords),
        analyzer,
        minimumShouldMatch: minimum,
        boostTerms,
        include,
        failOnUnsupportedField,
        maxQueryTerms: numbers['max_query_terms']!,
        minTermFreq: numbers['min_term_freq']!,
        minDocFreq: numbers['min_doc_freq']!,
        maxDocFreq: numbers['max_doc_freq']!,
        minWordLength: numbers['min_word_length']!,
        maxWordLength: numbers['max_word_length']!,
      },
      options,
    )
  },
}

/** Text, or a document. */
function readLike(reader: RequestReader, into: Draft): void {
  if (reader.isValue) into.texts.push(reader.text())
  else if (reader.is(START_OBJECT)) into.items.push(readItem(reader))
  else throw illegalArgument("Content of 'like' parameter should either be a string or an object")
}

const itemError = (what: string) => parseFailure(`failed to parse More Like This item. ${what}`)

function readItem(reader: RequestReader): LikeItem {
  const item: { -readonly [key in keyof LikeItem]: LikeItem[key] } = {
    index: undefined,
    id: undefined,
    routing: undefined,
    version: undefined,
    doc: undefined,
    fields: undefined,
    analyzers: {},
    found: new Map<string, SourceObject>(),
  }
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    reader.next()
    readItemMember(reader, name, item)
  }
  if (item.id !== undefined && item.doc !== undefined) {
    throw itemError('either [id] or [doc] can be specified, but not both!')
  }
  if (item.id === undefined && item.doc === undefined) throw itemError('neither [id] nor [doc] is specified!')
  return item
}

function readItemMember(
  reader: RequestReader,
  name: string,
  item: { -readonly [key in keyof LikeItem]: LikeItem[key] },
): void {
  switch (name) {
    case '_index':
      item.index = reader.text()
      return
    case '_id':
      item.id = reader.text()
      return
    case 'routing':
      item.routing = reader.text()
      return
    case 'doc': {
      const value = reader.value()
      item.doc = isObject(value) ? value : {}
      return
    }
    case 'fields':
      if (!reader.is(START_ARRAY)) throw itemError('field [fields] must be an array')
      item.fields = readTexts(reader)
      return
    case 'per_field_analyzer':
      item.analyzers = analyzersByField(reader.value())
      return
    case 'version':
      item.version = reader.long()
      return
    case 'version_type':
      // All types of versions mean the same where a document is read.
      if (!VERSION_TYPES.includes(reader.text())) throw unknownVersionType(reader.text())
      return
    default:
      throw itemError(`unknown field [${name}]`)
  }
}

const VERSION_TYPES: readonly string[] = ['internal', 'external', 'external_gt', 'external_gte']

function readTexts(reader: RequestReader): string[] {
  const texts: string[] = []
  while (reader.next() !== END_ARRAY) texts.push(reader.text())
  return texts
}
