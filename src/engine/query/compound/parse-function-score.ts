/** Parses `function_score`. */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { unknownSortMode } from '../../../base/errors/query-errors.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FIELD_NAME,
  START_ARRAY,
  START_OBJECT,
} from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import type { Query } from '../../scoring/query.ts'
import { newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { readScriptFunction } from '../script/script-score.ts'
import { MatchAllQuery } from '../term-level/match-all.ts'
import type { BoostMode, ScoreMode, WeightedFunction } from './combine-functions.ts'
import { FunctionScoreQuery } from './function-score.ts'
import { randomScore } from './random-score.ts'
import {
  checkFinite,
  type Decay,
  type DecayShape,
  decayFunction,
  fieldValueFactor,
  isModifier,
  type ScoreFunction,
  weightOnly,
} from './score-functions.ts'

const JAVA = 'org.elasticsearch.common.lucene.search.function'
const SCORE_MODES: readonly ScoreMode[] = ['multiply', 'sum', 'avg', 'first', 'max', 'min']
const BOOST_MODES: readonly BoostMode[] = ['multiply', 'replace', 'sum', 'avg', 'max', 'min']
/** The default of `max_boost`: the largest float. */
const FLOAT_MAX = 3.4028234663852886e38
const FAILED = 'failed to parse [function_score] query.'

export const functionScoreClause: QueryClause = {
  name: 'function_score',
  parse(reader, inner) {
    const options = newOptions()
    let query: Query | undefined
    const functions: WeightedFunction[] = []
    let scoreMode: ScoreMode = 'multiply'
    let boostMode: BoostMode = 'multiply'
    let maxBoost = FLOAT_MAX
    let minScore: number | undefined
    /** The single function outside a list, or the list: only one of them is allowed. */
    let single: string | undefined
    let hasList = false
    const beginSingle = (member: string) => {
      if (single !== undefined) {
        throw reader.parsingError(
          `${FAILED} already found function [${single}], now encountering [${member}]. use [functions] array if you ` +
            'want to define several functions.',
        )
      }
      if (hasList) throw notBoth(reader, '[functions] array', member)
      single = member
    }
    while (reader.next() !== END_OBJECT) {
      const member = reader.name
      if (reader.token === START_OBJECT) {
        if (member === 'query') query = inner(reader)
        else {
          beginSingle(member)
          functions.push({ function: readFunction(reader, member), weight: undefined, filter: undefined })
        }
      } else if (reader.token === START_ARRAY) {
        if (member !== 'functions') throw reader.parsingError(`${FAILED} array [${member}] is not supported`)
        if (single !== undefined) throw notBoth(reader, `[${single}]`, member)
        hasList = true
        readFunctions(reader, inner, functions)
      } else if (!reader.isValue) continue
      else if (member === 'score_mode') scoreMode = oneOf(reader.text(), SCORE_MODES, 'FunctionScoreQuery.ScoreMode')
      else if (member === 'boost_mode') boostMode = oneOf(reader.text(), BOOST_MODES, 'CombineFunction')
      else if (member === 'max_boost') maxBoost = readMaxBoost(reader)
      else if (member === 'min_score') minScore = Math.fround(reader.float())
      else if (!readCommonOption(reader, member, options)) {
        beginSingle(member)
        if (member !== 'weight') throw notSupported(reader, member)
        functions.push({ function: weightOnly, weight: readWeight(reader), filter: undefined })
      }
    }
    return new FunctionScoreQuery(
      query ?? new MatchAllQuery(),
      { functions, scoreMode, boostMode, maxBoost, minScore },
      options,
    )
  },
}

const notSupported = (reader: RequestReader, member: string) =>
  reader.parsingError(`${FAILED} field [${member}] is not supported`)

const notBoth = (reader: RequestReader, found: string, member: string) =>
  reader.parsingError(
    `${FAILED} [you can either define [functions] array or a single function, not both. already found ${found}, now ` +
      `encountering [${member}].]`,
  )

function oneOf<T extends string>(text: string, known: readonly T[], javaClass: string): T {
  const found = known.find((word) => word === text.toLowerCase())
  if (found !== undefined) return found
  throw illegalArgument(`No enum constant ${JAVA}.${javaClass}.${text.toUpperCase()}`)
}

/** An infinite limit can be requested explicitly. */
function readMaxBoost(reader: RequestReader): number {
  const boost = Math.fround(reader.float())
  return boost === Number.POSITIVE_INFINITY ? boost : checkFinite(boost, 'max_boost')
}

function readWeight(reader: RequestReader): number {
  const weight = checkFinite(reader.float(), 'weight')
  if (weight < 0) throw illegalArgument('[weight] cannot be negative for a filtering function')
  return weight
}

function readFunctions(
  reader: RequestReader,
  inner: (reader: RequestReader) => Query,
  functions: WeightedFunction[],
): void {
  while (reader.next() !== END_ARRAY) {
    if (!reader.is(START_OBJECT)) {
      throw reader.parsingError(
        // Elasticsearch's own text has its three values in the wrong places.
        `failed to parse [START_OBJECT]. malformed query, expected a [${reader.tokenName}] while parsing functions but got a [function_score] instead`,
      )
    }
    let filter: Query | undefined
    let weight: number | undefined
    let score: ScoreFunction | undefined
    let found: string | undefined
    let member = ''
    // The members are read token by token: a value or filter in a list counts like one alone.
    while ((reader.next() as number) !== END_OBJECT) {
      if (reader.is(FIELD_NAME)) member = reader.name
      else if (reader.isValue) {
        if (member !== 'weight') throw notSupported(reader, member)
        weight = readWeight(reader)
      } else if (!reader.is(START_OBJECT)) continue
      else if (member === 'filter') filter = inner(reader)
      else {
        if (score !== undefined) {
          throw reader.parsingError(
            `failed to parse function_score functions. already found [${found}], now encountering [${member}].`,
          )
        }
        found = member
        score = readFunction(reader, member)
      }
    }
    if (score === undefined && weight === undefined) {
      throw reader.parsingError(`${FAILED} an entry in functions list is missing a function.`)
    }
    functions.push({ function: score ?? weightOnly, weight, filter })
  }
}

function readFunction(reader: RequestReader, name: string): ScoreFunction {
  switch (name) {
    case 'field_value_factor':
      return readFieldValueFactor(reader)
    case 'random_score':
      return readRandom(reader)
    case 'gauss':
    case 'exp':
    case 'linear':
      return readDecay(reader, name)
    case 'script_score':
      return readScriptFunction(reader)
    default:
      throw unknownFunction(reader, name)
  }
}

/** Elasticsearch's message for an unknown function. */
function unknownFunction(reader: RequestReader, name: string): ApiError {
  const reason = 'unknown query [function_score] did you mean any of [random_score, script_score]?'
  return reader.parsingError(reason, reader.unknownKind(name))
}

function readFieldValueFactor(reader: RequestReader): ScoreFunction {
  let field: string | undefined
  let factor = 1
  let modifier = 'none'
  let missing: number | undefined
  // Read token by token: a value in a list counts like a value alone, and the end of an inner object ends the function.
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    if (!reader.isValue) {
      if (member === 'factor' && reader.isStart) {
        throw reader.parsingError("[field_value_factor] field 'factor' does not support lists or objects")
      }
    } else if (member === 'field') field = reader.text()
    else if (member === 'factor') factor = checkFinite(Math.fround(reader.float()), 'factor')
    else if (member === 'missing') missing = checkFinite(reader.float(), 'missing')
    else if (member === 'modifier') {
      modifier = reader.text().toLowerCase()
      if (!isModifier(modifier)) {
        throw illegalArgument(`No enum constant ${JAVA}.FieldValueFactorFunction.Modifier.${modifier.toUpperCase()}`)
      }
    } else throw reader.parsingError(`field_value_factor query does not support [${member}]`)
  }
  if (field === undefined) throw reader.parsingError("[field_value_factor] required field 'field' missing")
  return fieldValueFactor({ field, factor, modifier, missing })
}

function readRandom(reader: RequestReader): ScoreFunction {
  let seed: number | undefined
  let field: string | undefined
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    if (!reader.isValue) continue
    if (member === 'seed') seed = readSeed(reader)
    else if (member === 'field') field = reader.text()
    else throw reader.parsingError(`random_score query does not support [${member}]`)
  }
  return randomScore(seed, field)
}

function readSeed(reader: RequestReader): number | undefined {
  const given = reader.value()
  const isTooLong = typeof given === 'bigint' && given !== BigInt.asIntN(64, given)
  if (reader.is(DECIMAL) || isTooLong || typeof given === 'boolean' || (typeof given === 'object' && given !== null)) {
    throw reader.parsingError(`random_score seed must be an int, long or string, not '${reader.tokenName}'`)
  }
  return given === null ? undefined : seedOf(given)
}

/** Integers directly, longer ones and strings by their hash. */
function seedOf(value: unknown): number {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : hashLong(BigInt(Math.trunc(value)))
  if (typeof value === 'bigint') return hashLong(value)
  let hash = 0
  for (const character of String(value)) hash = (Math.imul(31, hash) + character.charCodeAt(0)) | 0
  return hash
}

function hashLong(value: bigint): number {
  const bits = BigInt.asUintN(64, value)
  return Number(BigInt.asIntN(32, bits ^ (bits >> 32n)))
}

function multiValueMode(text: string): Decay['multiValueMode'] {
  const mode = text.toLowerCase()
  if (mode === 'min' || mode === 'max' || mode === 'avg' || mode === 'sum') return mode
  throw unknownSortMode(text)
}

const malformedDecay = (reader: RequestReader) => reader.parsingError('malformed score function score parameters.')

function readDecay(reader: RequestReader, shape: DecayShape): ScoreFunction {
  const decay: Decay = {
    shape,
    field: '',
    origin: undefined,
    scale: undefined,
    offset: undefined,
    decay: 0.5,
    unsupported: undefined,
    multiValueMode: 'min',
  }
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (member === 'multi_value_mode') decay.multiValueMode = multiValueMode(reader.text())
    else if (reader.is(START_OBJECT)) {
      decay.field = member
      const given = reader.value() as Record<string, unknown>
      for (const [key, value] of Object.entries(given)) {
        if (key === 'decay') decay.decay = value
        else if (key === 'origin' || key === 'scale' || key === 'offset') decay[key] = value
        else decay.unsupported ??= key
      }
    } else throw malformedDecay(reader)
  }
  if (decay.field === '') throw malformedDecay(reader)
  return decayFunction(decay)
}
