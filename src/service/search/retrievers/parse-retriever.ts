/** Parses `retriever`. Every kind has its own members beside those of all, and mistakes have Elasticsearch's errors. */
import { ApiError, illegalArgument, xContentParse } from '../../../base/api-error.ts'
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { didYouMean } from '../../../base/suggest.ts'
import { checkPinned, documentMembers, type GivenDocuments } from '../../../engine/query/compound/pinned.ts'
import { parseQuery } from '../../../engine/query/parse-query.ts'
import { readKnnRetriever } from '../../../engine/query/vectors/knn-clause.ts'
import {
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  ACCEPTS_STRING_ARRAY,
  type MemberParser,
  type MemberTable,
  type RequestReader,
} from '../../../engine/request/request-reader.ts'
import { type Rescore, readRescore } from '../../../engine/request/rescore.ts'
import { readSearchAfter } from '../../../engine/request/search-after.ts'
import { parseSort } from '../../../engine/request/sort/sort-spec.ts'
import { readCollapse } from '../request/collapse-body.ts'
import type { Normalizer, Retriever, RetrieverOptions, StandardRetriever } from './retriever.ts'

type Parser = (reader: RequestReader) => Retriever

const WINDOW_DEFAULT = 10
const RANK_CONSTANT_DEFAULT = 60

const PARSERS: Readonly<Record<string, Parser>> = {
  standard: readStandard,
  knn: readKnn,
  rrf: readRrf,
  linear: readLinear,
  rescorer: (reader) => wrapped(reader, readRescorer),
  pinned: (reader) => wrapped(reader, readPinned),
}

/** Reads the retriever of a search, at its START_OBJECT. */
export function readRetriever(reader: RequestReader): Retriever {
  if (reader.next() === END_OBJECT) throw reader.parsingError('retriever malformed, empty clause found')
  const { name } = reader
  if (reader.next() !== START_OBJECT) {
    throw reader.parsingError(`[${name}] retriever malformed, no [START_OBJECT] after retriever name`)
  }
  const parse = parserOf(name)
  if (parse === undefined) {
    const hint = didYouMean(name, Object.keys(PARSERS))
    throw reader.parsingError(`unknown retriever [${name}]${hint}`, reader.unknownKind(name))
  }
  const retriever = parse(reader)
  if (reader.next() !== END_OBJECT) {
    throw reader.parsingError(`[${name}] malformed retriever, expected [END_OBJECT] but found [${reader.tokenName}]`)
  }
  return retriever
}

const parserOf = (name: string) => (Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined)

/** Reads a child, `{kind: {…}}`, at its START_OBJECT. */
function readKind(reader: RequestReader): Retriever {
  reader.next()
  const { name } = reader
  const parse = parserOf(name)
  if (parse === undefined) throw reader.unknownKind(name)
  return parse(reader)
}

/** A child that is the value of a member: errors name the member and the kind. */
function readNamed(reader: RequestReader, member: string): Retriever {
  let child: Retriever | undefined
  reader.next()
  reader.inField(member, reader.name, () => {
    const parse = reader.is(FIELD_NAME) ? parserOf(reader.name) : undefined
    if (parse === undefined) throw reader.unknownKind(reader.name)
    child = parse(reader)
  })
  reader.next()
  return child!
}

/** Some kinds report every mistake as one of the place where their object is. */
function wrapped(reader: RequestReader, parse: Parser): Retriever {
  try {
    return parse(reader)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { type, message, status, details } = reader.parsingError(error.message)
    const own = new ApiError(status, type, message, { details })
    throw new ApiError(status, type, message, { details, causedBy: error, rootCauses: [own] })
  }
}

const newOptions = (): RetrieverOptions => ({ name: undefined, minScore: undefined, filters: [] })

function optionMembers(reader: RequestReader, options: RetrieverOptions): MemberTable {
  return {
    filter: {
      accepts: ACCEPTS_OBJECT_ARRAY,
      parse: () => {
        options.filters = []
        reader.each(() => options.filters.push(parseQuery(reader)))
      },
    },
    min_score: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        options.minScore = Math.fround(reader.float())
      },
    },
    _name: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        options.name = reader.text()
      },
    },
  }
}

function readStandard(reader: RequestReader): Retriever {
  const retriever: StandardRetriever = {
    kind: 'standard',
    options: newOptions(),
    query: undefined,
    searchAfter: undefined,
    terminateAfter: 0,
    sort: undefined,
    collapse: undefined,
  }
  const member = (accepts: MemberParser['accepts'], parse: () => void): MemberParser => ({ accepts, parse })
  reader.parseObject('standard', [
    {
      query: member(ACCEPTS_OBJECT, () => {
        retriever.query = parseQuery(reader)
      }),
      search_after: member(ACCEPTS_OBJECT_ARRAY, () => {
        retriever.searchAfter = readSearchAfter(reader)
      }),
      terminate_after: member(ACCEPTS_NUMBER, () => {
        retriever.terminateAfter = reader.integer()
      }),
      sort: member(ACCEPTS_OBJECT_ARRAY, () => {
        retriever.sort = parseSort(reader, parseQuery)
      }),
      collapse: member(ACCEPTS_OBJECT, () => {
        retriever.collapse = readCollapse(reader)
      }),
    },
    optionMembers(reader, retriever.options),
  ])
  return retriever
}

function readKnn(reader: RequestReader): Retriever {
  const options = newOptions()
  return { kind: 'knn', options, queryOf: readKnnRetriever(reader, parseQuery, optionMembers(reader, options)) }
}

/** The members of compound retrievers that need not have children. */
interface Parsed {
  window: number
  fields: string[] | undefined
  query: string | undefined
}

const newParsed = (): Parsed => ({ window: WINDOW_DEFAULT, fields: undefined, query: undefined })

function parsedMembers(reader: RequestReader, parsed: Parsed) {
  return {
    rank_window_size: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        parsed.window = reader.integer()
      },
    },
    fields: {
      accepts: ACCEPTS_STRING_ARRAY,
      parse: () => {
        const fields: string[] = []
        reader.each(() => fields.push(reader.text()))
        parsed.fields = fields
      },
    },
    query: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        parsed.query = reader.text()
      },
    },
  }
}

function readRrf(reader: RequestReader): Retriever {
  const options = newOptions()
  const parsed = newParsed()
  const children: Retriever[] = []
  let rankConstant = RANK_CONSTANT_DEFAULT
  reader.parseObject('rrf', [
    {
      retrievers: {
        accepts: ACCEPTS_OBJECT_ARRAY,
        parse: () =>
          reader.each(() => {
            children.push(readKind(reader))
            reader.next()
          }),
      },
      rank_constant: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          rankConstant = reader.integer()
        },
      },
      ...parsedMembers(reader, parsed),
    },
    optionMembers(reader, options),
  ])
  return { kind: 'rrf', options, children, rankConstant, ...parsed }
}

interface Component {
  retriever: Retriever | undefined
  weight: number
  normalizer: Normalizer | undefined
}

function readLinear(reader: RequestReader): Retriever {
  const options = newOptions()
  const parsed = newParsed()
  const components: Component[] = []
  let normalizer: Normalizer | undefined
  reader.parseObject('linear', [
    {
      retrievers: {
        accepts: ACCEPTS_OBJECT_ARRAY,
        parse: () => reader.each(() => components.push(readComponent(reader))),
      },
      normalizer: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          normalizer = normalizerOf(reader.text())
        },
      },
      ...parsedMembers(reader, parsed),
    },
    optionMembers(reader, options),
  ])
  const { minScore } = options
  if (minScore !== undefined && minScore < 0) {
    throw illegalArgument(`[min_score] must be greater than or equal to 0, was: [${formatFloat(minScore)}]`)
  }
  return {
    kind: 'linear',
    options,
    children: components.map(({ retriever }) => retriever!),
    weights: components.map(({ weight }) => weight),
    normalizers: components.map((component) => component.normalizer ?? normalizer ?? 'none'),
    normalizer,
    ...parsed,
  }
}

function readComponent(reader: RequestReader): Component {
  const component: Component = { retriever: undefined, weight: 1, normalizer: undefined }
  reader.parseObject('retriever-component', {
    retriever: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        component.retriever = readNamed(reader, 'retriever')
      },
    },
    weight: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        component.weight = Math.fround(reader.float())
      },
    },
    normalizer: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        component.normalizer = normalizerOf(reader.text())
      },
    },
  })
  if (component.retriever === undefined) throw illegalArgument('Required [retriever]')
  if (component.weight < 0) {
    const causedBy = illegalArgument('[weight] must be non-negative')
    throw xContentParse('Failed to build [retriever-component] after last required field arrived', { causedBy })
  }
  return component
}

function normalizerOf(name: string): Normalizer {
  const found = (['none', 'minmax', 'l2_norm'] as const).find((known) => known === name.toLowerCase())
  if (found === undefined) throw illegalArgument(`Unknown normalizer [${name}]`)
  return found
}

function readRescorer(reader: RequestReader): Retriever {
  const options = newOptions()
  let child: Retriever | undefined
  let rescores: Rescore[] | undefined
  const build = () => {
    if (child === undefined || rescores === undefined || rescores.length > 0) return
    const causedBy = illegalArgument('Missing rescore definition')
    throw xContentParse('Failed to build [rescorer] after last required field arrived', { causedBy })
  }
  reader.parseObject('rescorer', [
    {
      retriever: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          child = readNamed(reader, 'retriever')
          build()
        },
      },
      rescore: {
        accepts: ACCEPTS_OBJECT_ARRAY,
        parse: () => {
          const read: Rescore[] = []
          reader.each(() => read.push(readRescore(reader, parseQuery)))
          rescores = read
          build()
        },
      },
    },
    optionMembers(reader, options),
  ])
  if (child === undefined || rescores === undefined) throw required({ retriever: child, rescore: rescores })
  const window = Math.min(...rescores.map(({ windowSize }) => windowSize))
  return { kind: 'rescorer', options, children: [child], rescores, window }
}

function readPinned(reader: RequestReader): Retriever {
  const options = newOptions()
  const parsed = newParsed()
  const given: GivenDocuments = { ids: undefined, docs: undefined }
  let child: Retriever | undefined
  reader.parseObject('pinned', [
    {
      ...documentMembers(reader, given),
      retriever: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          child = readNamed(reader, 'retriever')
        },
      },
      rank_window_size: parsedMembers(reader, parsed).rank_window_size,
    },
    optionMembers(reader, options),
  ])
  if (child === undefined) throw required({ retriever: child })
  const { ids, docs } = given
  const failed = (causedBy: ApiError) =>
    xContentParse('Failed to build [pinned] after last required field arrived', { causedBy })
  if (ids !== undefined && docs !== undefined)
    throw failed(illegalArgument("Both 'ids' and 'docs' cannot be specified at the same time"))
  const documents = ids ?? docs ?? []
  if (documents.length === 0)
    throw failed(illegalArgument("Either 'ids' or 'docs' must be provided and non-empty for pinned retriever"))
  return { kind: 'pinned', options, children: [child], documents: checkPinned(documents), window: parsed.window }
}

function required(members: Readonly<Record<string, unknown>>): ApiError {
  const missing = Object.keys(members).filter((name) => members[name] === undefined)
  return illegalArgument(`Required [${missing.join(', ')}]`)
}
