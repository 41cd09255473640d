/**
 * `bucket_script` and `bucket_selector`: a script over numbers of each bucket, whose result is shown or decides about
 * keeping the bucket.
 */

import { illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { END_ARRAY, END_OBJECT, NULL, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { Double, Float } from '../../../base/json/json-writer.ts'
import { copyMembers } from '../../../base/json/members.ts'
import { fromJava } from '../../painless/index.ts'
import { ACCEPTS_STRING, type RequestReader } from '../../request/request-reader.ts'
import { ACCEPTS_SCRIPT, readScript } from '../../request/script.ts'
import { compile } from '../../scripts/compile-script.ts'
import type { Script } from '../../scripts/script.ts'
import type { Aggregation, Bucket } from '../aggregation.ts'
import type { PipelineKind } from '../aggregation-kind.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import { decimalValueFormat, RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import { type BucketPath, bucketValue, type GapPolicy, parseBucketPath, startsKnown } from './bucket-path.ts'
import type { PipelineAggregation } from './pipeline.ts'
import { readPolicy, unknownMember } from './pipeline-grammar.ts'
import { printSimpleValue, simpleValue } from './simple-value.ts'

interface Settings {
  readonly paths: ReadonlyMap<string, BucketPath>
  readonly script: Script
  readonly policy: GapPolicy
  readonly format: ValueFormat
}

abstract class ScriptedBuckets<R> {
  abstract readonly kind: string
  readonly name: string
  readonly meta: PipelineAggregation['meta']
  protected readonly settings: Settings

  constructor(name: string, meta: PipelineAggregation['meta'], settings: Settings) {
    this.name = name
    this.meta = meta
    this.settings = settings
  }

  get paths(): readonly BucketPath[] {
    return [...this.settings.paths.values()]
  }

  problem(parent: Aggregation | undefined, siblings: AggregationTree): string | undefined {
    for (const path of this.settings.paths.values()) {
      if (!startsKnown(path, siblings)) return `No aggregation found for path [${path.text}]`
    }
    if (parent !== undefined) return undefined
    return `${this.kind} aggregation [${this.name}] must be declared inside of another aggregation`
  }

  /** The numbers of a bucket by name; undefined if one is missing and the bucket is skipped. */
  protected numbersOf(tree: AggregationTree, bucket: Bucket): Record<string, unknown> | undefined {
    const { paths, policy, script } = this.settings
    const numbers = copyMembers<unknown>(script.params)
    for (const [name, path] of paths) {
      const value = bucketValue(tree, bucket, path, policy)
      if (policy !== 'insert_zeros' && (value === undefined || Number.isNaN(value))) return undefined
      numbers[name] = value === undefined ? null : new Double(value)
    }
    return { ...numbers }
  }

  abstract within(tree: AggregationTree, buckets: readonly Bucket[], at: number): readonly Bucket[]
  abstract value(result: R, property: string | undefined): number | undefined
}

class BucketScript extends ScriptedBuckets<number> implements PipelineAggregation<number> {
  override readonly kind = 'bucket_script'

  override within(tree: AggregationTree, buckets: readonly Bucket[], at: number): readonly Bucket[] {
    const script = compile(this.settings.script, 'bucket_aggregation')
    for (const bucket of buckets) {
      const numbers = this.numbersOf(tree, bucket)
      if (numbers === undefined) continue
      const result = fromJava(script.newInstance({ params: numbers }).execute())
      if (result === null || result === undefined) continue
      bucket.results[at] = result instanceof Double || result instanceof Float ? result.value : Number(result)
    }
    return buckets
  }

  print(value: number): Record<string, unknown> {
    return printSimpleValue(value, this.settings.format)
  }

  typedName(): string {
    return 'simple_value'
  }

  override value(value: number, property: string | undefined): number | undefined {
    return simpleValue(value, property)
  }
}

class BucketSelector extends ScriptedBuckets<never> implements PipelineAggregation<never> {
  override readonly kind = 'bucket_selector'

  override within(tree: AggregationTree, buckets: readonly Bucket[]): readonly Bucket[] {
    const script = compile(this.settings.script, 'aggregation_selector')
    return buckets.filter((bucket) => {
      // Unlike in `bucket_script`, the script also runs if a number is missing.
      return script.newInstance({ params: this.#numbers(tree, bucket) }).execute() === true
    })
  }

  #numbers(tree: AggregationTree, bucket: Bucket): Record<string, unknown> {
    const { paths, policy, script } = this.settings
    const numbers = copyMembers<unknown>(script.params)
    for (const [name, path] of paths) {
      const value = bucketValue(tree, bucket, path, policy)
      numbers[name] = value === undefined ? null : new Double(value)
    }
    return { ...numbers }
  }

  print(): Record<string, unknown> {
    return {}
  }

  typedName(): string {
    return this.kind
  }

  override value(): undefined {
    return undefined
  }
}

interface Draft {
  paths?: Map<string, BucketPath>
  script?: Script
  policy: GapPolicy
  format: ValueFormat
}

const newDraft = (): Draft => ({ policy: 'skip', format: RAW_FORMAT })

function readScriptSettings(reader: RequestReader): Settings {
  const draft = newDraft()
  reader.parseObject('bucket_script', {
    buckets_path: {
      accepts: [STRING, START_ARRAY, START_OBJECT],
      parse: () => {
        draft.paths = readPaths(reader)
      },
    },
    script: {
      accepts: ACCEPTS_SCRIPT,
      parse: () => {
        draft.script = readScript(reader)
      },
    },
    gap_policy: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        draft.policy = readPolicy(reader)
      },
    },
    format: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        draft.format = decimalValueFormat(reader.text())
      },
    },
  })
  const { paths, script, policy, format } = draft
  if (paths === undefined && script === undefined) throw illegalArgument('Required [buckets_path, script]')
  if (paths === undefined) throw illegalArgument('Required [buckets_path]')
  if (script === undefined) throw requiredMember('script')
  return { paths, script, policy, format }
}

function readSelectorSettings(reader: RequestReader, name: string): Settings {
  const draft = newDraft()
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (member === 'buckets_path') draft.paths = readSelectorPaths(reader, name)
    else if (member === 'script' && (reader.is(STRING) || reader.is(START_OBJECT))) draft.script = readScript(reader)
    else if (member === 'gap_policy' && reader.is(STRING)) draft.policy = readPolicy(reader)
    else if (!reader.is(NULL)) throw unknownSelectorMember(reader, member, name)
  }
  const { paths, script, policy, format } = draft
  if (paths !== undefined && script !== undefined) return { paths, script, policy, format }
  const missing = paths === undefined ? 'buckets_path' : 'script'
  throw reader.parsingError(`Missing required field [${missing}] for bucket_selector aggregation [${name}]`)
}

function readSelectorPaths(reader: RequestReader, name: string): Map<string, BucketPath> {
  if (reader.is(STRING) || reader.isStart) return readPaths(reader)
  throw reader.unexpectedToken(name)
}

const unknownSelectorMember = (reader: RequestReader, member: string, name: string) =>
  reader.is(START_OBJECT) ? reader.unknownKeyOf(name, member) : unknownMember(reader, member, name)

/** One path, a list of paths, or paths by name. */
function readPaths(reader: RequestReader): Map<string, BucketPath> {
  const paths = new Map<string, BucketPath>()
  if (reader.is(STRING)) paths.set('_value', parseBucketPath(reader.text()))
  else if (reader.is(START_ARRAY)) {
    for (let i = 0; reader.next() !== END_ARRAY; i++) paths.set(`_value${i}`, parseBucketPath(reader.text()))
  } else {
    while (reader.next() !== END_OBJECT) {
      const path = reader.name
      reader.next()
      paths.set(path, parseBucketPath(reader.text()))
    }
  }
  return paths
}

export const bucketScriptKind: PipelineKind = {
  name: 'bucket_script',
  parse(reader, name) {
    const settings = readScriptSettings(reader)
    return (meta) => new BucketScript(name, meta, settings)
  },
}

export const bucketSelectorKind: PipelineKind = {
  name: 'bucket_selector',
  parse(reader, name) {
    const settings = readSelectorSettings(reader, name)
    return (meta) => new BucketSelector(name, meta, settings)
  },
}
