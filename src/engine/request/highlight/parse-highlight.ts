/** Parses `highlight`: options for all fields, and fields with their own options. */

import { illegalArgument } from '../../../base/api-error.ts'
import { noEnumConstant } from '../../../base/errors/value-errors.ts'
import { END_ARRAY, END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import type { QueryParser } from '../query-parser.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  ACCEPTS_STRING_ARRAY,
  type MemberParser,
  type RequestReader,
} from '../request-reader.ts'
import {
  type BoundaryScanner,
  DEFAULT_OPTIONS,
  type HighlightedField,
  type HighlightOptions,
  type HighlightRequest,
} from './highlight-options.ts'

type Draft = { -readonly [K in keyof HighlightOptions]?: HighlightOptions[K] }
const FRAGMENTS_MAX = 10_000

const STYLED_PRE_TAGS = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`)

/** Reads the object at the current token. Inner queries are parsed by `parseQuery`. */
export function parseHighlight(reader: RequestReader, parseQuery: QueryParser): HighlightRequest {
  const shared: Draft = {}
  const fields: { field: string; own: Draft }[] = []
  reader.parseObject('highlight', [
    optionMembers(reader, shared, parseQuery),
    {
      encoder: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          shared.encodeHtml = reader.text() === 'html'
        },
      },
      fields: {
        accepts: ACCEPTS_OBJECT_ARRAY,
        parse: () => readFields(reader, (field) => fields.push({ field, own: readField(reader, field, parseQuery) })),
      },
    },
  ])
  checkTags(reader, shared)
  const defaults = { ...DEFAULT_OPTIONS, ...shared }
  return fields.map(({ field, own }): HighlightedField => ({ field, options: { ...defaults, ...own } }))
}

/** An object of fields, or a list of objects with one field each if the order matters. */
function readFields(reader: RequestReader, readOne: (field: string) => void): void {
  const one = () => {
    const field = reader.name
    reader.next()
    readOne(field)
  }
  if (reader.is(START_OBJECT)) {
    while (reader.next() !== END_OBJECT) one()
    return
  }
  while (reader.next() !== END_ARRAY) {
    if (!reader.is(START_OBJECT) || reader.next() !== FIELD_NAME) throw notAFieldList(reader)
    one()
    if (reader.next() !== END_OBJECT) throw notAFieldList(reader)
  }
}

const notAFieldList = (reader: RequestReader) =>
  reader.contentError(
    '[fields] can be a single object with any number of fields or an array where each entry is an object with a single field',
  )

function readField(reader: RequestReader, field: string, parseQuery: QueryParser): Draft {
  const own: Draft = {}
  reader.inField('fields', field, () => {
    reader.parseMember('highlight_field', [
      optionMembers(reader, own, parseQuery),
      {
        encoder: { accepts: ACCEPTS_STRING, parse: () => reader.text() },
        fragment_offset: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            own.fragmentOffset = reader.integer()
          },
        },
        matched_fields: {
          accepts: ACCEPTS_STRING_ARRAY,
          parse: () => {
            own.matchedFields = readTexts(reader)
          },
        },
      },
    ])
    checkTags(reader, own)
  })
  return own
}

function optionMembers(
  reader: RequestReader,
  draft: Draft,
  parseQuery: QueryParser,
): Readonly<Record<string, MemberParser>> {
  const number = (set: (value: number) => void): MemberParser => ({
    accepts: ACCEPTS_NUMBER,
    parse: () => set(reader.integer()),
  })
  const text = (set: (value: string) => void): MemberParser => ({
    accepts: ACCEPTS_STRING,
    parse: () => set(reader.text()),
  })
  const texts = (set: (value: string[]) => void): MemberParser => ({
    accepts: ACCEPTS_STRING_ARRAY,
    parse: () => set(readTexts(reader)),
  })
  const flag = (set: (value: boolean) => void): MemberParser => ({
    accepts: ACCEPTS_BOOLEAN,
    parse: () => set(reader.boolean()),
  })
  return {
    tags_schema: { accepts: ACCEPTS_STRING, parse: () => readTagsSchema(reader.text(), draft) },
    pre_tags: texts((tags) => {
      draft.preTags = tags
    }),
    post_tags: texts((tags) => {
      draft.postTags = tags
    }),
    order: text((order) => {
      draft.byScore = order.toLowerCase() === 'score'
    }),
    highlight_filter: flag(() => {}),
    force_source: flag(() => {}),
    fragment_size: number((size) => {
      if (size >= 0) draft.fragmentSize = size
    }),
    number_of_fragments: number((count) => {
      // -1 means the default. Other negative numbers fail in the highlighter.
      if (count === -1) return
      if (count > FRAGMENTS_MAX) {
        throw illegalArgument(`[number_of_fragments] must be between [0] and [${FRAGMENTS_MAX}]`)
      }
      draft.fragmentCount = count
    }),
    require_field_match: flag((required) => {
      draft.requireFieldMatch = required
    }),
    boundary_scanner: text((name) => {
      draft.boundaryScanner = parseScanner(name)
    }),
    boundary_max_scan: number((scan) => {
      draft.boundaryMaxScan = scan
    }),
    boundary_chars: text((chars) => {
      draft.boundaryChars = chars
    }),
    // Words and sentences are found by the same rules in every language.
    boundary_scanner_locale: text(() => {}),
    type: text((type) => {
      draft.type = type
    }),
    fragmenter: text((fragmenter) => {
      draft.fragmenter = fragmenter
    }),
    no_match_size: number((size) => {
      draft.noMatchSize = size
    }),
    phrase_limit: number((limit) => {
      draft.phraseLimit = limit
    }),
    max_analyzed_offset: number((offset) => {
      if (offset <= 0) throw illegalArgument('[max_analyzed_offset] must be a positive integer')
      draft.maxAnalyzedOffset = offset
    }),
    options: { accepts: ACCEPTS_OBJECT, parse: () => reader.skipChildren() },
    highlight_query: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        draft.query = parseQuery(reader)
      },
    },
  }
}

function readTexts(reader: RequestReader): string[] {
  const texts: string[] = []
  reader.each(() => texts.push(reader.text()))
  return texts
}

function parseScanner(text: string): BoundaryScanner {
  const name = text.toLowerCase()
  if (name === 'chars' || name === 'word' || name === 'sentence') return name
  const constant = 'org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType'
  throw noEnumConstant(constant, text.toUpperCase())
}

function readTagsSchema(name: string, draft: Draft): void {
  if (name !== 'default' && name !== 'styled') throw illegalArgument(`Unknown tag schema [${name}]`)
  draft.preTags = name === 'styled' ? STYLED_PRE_TAGS : DEFAULT_OPTIONS.preTags
  draft.postTags = DEFAULT_OPTIONS.postTags
}

/** Tags come in pairs. */
function checkTags(reader: RequestReader, { preTags, postTags }: Draft): void {
  if (preTags !== undefined && postTags === undefined) {
    throw reader.parsingError('pre_tags are set but post_tags are not set')
  }
  if (preTags !== undefined && (preTags.length === 0 || postTags?.length === 0)) {
    throw reader.parsingError('pre_tags or post_tags must not be empty')
  }
}
