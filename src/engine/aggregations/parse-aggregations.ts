/** Parses the `aggs` of a request to a tree, with Elasticsearch's errors. */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../base/json/json-reader.ts'
import { didYouMean } from '../../base/suggest.ts'
import { provideStatics } from '../painless/index.ts'
import type { RequestReader } from '../request/request-reader.ts'
import type { Aggregation } from './aggregation.ts'
import type { AggregationKind, PipelineKind } from './aggregation-kind.ts'
import { aggregationKind, aggregationNames, pipelineKind, pipelineNames } from './aggregation-kinds.ts'
import { type AggregationTree, isEmptyTree, NO_AGGREGATIONS } from './aggregation-tree.ts'
import { movingStatics } from './pipelines/moving-functions.ts'
import type { PipelineAggregation } from './pipelines/pipeline.ts'
import { inOrderOfUse } from './pipelines/pipeline-tree.ts'

// Registered here, because scripts may call these functions before a request with aggregations loads them.
provideStatics('org.elasticsearch.search.aggregations.pipeline.MovingFunctions', movingStatics)

/** Maximum nesting of aggregations. */
const LEVELS_MAX = 100

/** Parses `{"name": {…}, …}` at the current START_OBJECT; returns at its END_OBJECT. */
export function parseAggregations(reader: RequestReader, level = 1): AggregationTree {
  const aggregations: Aggregation[] = []
  const pipelines: PipelineAggregation[] = []
  while (reader.next() !== END_OBJECT) {
    const name = reader.name
    if (name === '' || /[[\]>]/.test(name)) {
      throw reader.parsingError(
        `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
      )
    }
    if (level > LEVELS_MAX) {
      throw reader.parsingError(
        `The nested depth of the aggregations exceeds the maximum nested depth for aggregations of [${LEVELS_MAX}]`,
      )
    }
    const made = parseOne(reader, name, level)
    if ('plan' in made) aggregations.push(made)
    else pipelines.push(made)
  }
  return { aggregations, pipelines: inOrderOfUse(pipelines) }
}

interface Definition {
  meta: Record<string, unknown> | undefined
  children: AggregationTree | undefined
  type: string | undefined
  aggregation: ReturnType<AggregationKind['parse']> | undefined
  pipeline: ReturnType<PipelineKind['parse']> | undefined
}

function parseOne(reader: RequestReader, name: string, level: number): Aggregation | PipelineAggregation {
  if (reader.next() !== START_OBJECT) {
    throw reader.parsingError(
      `Aggregation definition for [${name} starts with a [${reader.tokenName}], expected a [START_OBJECT].`,
    )
  }
  const definition: Definition = {
    meta: undefined,
    children: undefined,
    type: undefined,
    aggregation: undefined,
    pipeline: undefined,
  }
  while (reader.next() !== END_OBJECT) {
    if (!reader.is(FIELD_NAME)) continue
    const member = reader.name
    if (reader.next() !== START_OBJECT) {
      throw reader.parsingError(
        `Expected [START_OBJECT] under [${member}], but got a [${reader.tokenName}] in [${name}]`,
      )
    }
    readMember(reader, name, member, definition, level)
  }
  return build(reader, name, definition)
}

function readMember(reader: RequestReader, name: string, member: string, definition: Definition, level: number): void {
  if (member === 'meta') {
    definition.meta = reader.value() as Record<string, unknown>
  } else if (member === 'aggs' || member === 'aggregations') {
    if (definition.children !== undefined) {
      throw reader.parsingError(`Found two sub aggregation definitions under [${name}]`)
    }
    definition.children = parseAggregations(reader, level + 1)
  } else {
    if (definition.type !== undefined) {
      throw reader.parsingError(
        `Found two aggregation type definitions in [${name}]: [${definition.type}] and [${member}]`,
      )
    }
    definition.type = member
    const kind = aggregationKind(member)
    const pipeline = kind === undefined ? pipelineKind(member) : undefined
    if (kind !== undefined) definition.aggregation = kind.parse(reader, name)
    else if (pipeline !== undefined) definition.pipeline = pipeline.parse(reader, name)
    else throw unknownKind(reader, member)
  }
}

function build(reader: RequestReader, name: string, definition: Definition): Aggregation | PipelineAggregation {
  const { meta, children = NO_AGGREGATIONS, type, aggregation, pipeline } = definition
  if (type === undefined) throw reader.parsingError(`Missing definition for aggregation [${name}]`)
  const takesChildren = aggregationKind(type)?.hasChildren ?? false
  if (!isEmptyTree(children) && !takesChildren) {
    throw illegalArgument(
      aggregation === undefined
        ? `Aggregation [${name}] cannot define sub-aggregations`
        : `Aggregator [${name}] of type [${type}] cannot accept sub-aggregations`,
    )
  }
  return aggregation === undefined ? pipeline!(meta) : aggregation({ name, meta, children })
}

function unknownKind(reader: RequestReader, name: string): ApiError {
  const hint = didYouMean(name, [...aggregationNames(), ...pipelineNames()])
  return reader.parsingError(`Unknown aggregation type [${name}]${hint}`, reader.unknownKind(name))
}
