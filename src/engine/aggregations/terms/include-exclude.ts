/** `include` and `exclude` of terms: a regular expression, a list of values, or a partition. */
import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import {
  END_ARRAY,
  END_OBJECT,
  type JsonToken,
  START_ARRAY,
  START_OBJECT,
  STRING,
} from '../../../base/json/json-reader.ts'
import { partOfLong } from '../../../base/mix64.ts'
import { floorMod, murmur3 } from '../../../base/murmur3.ts'
import { ALL_FLAGS, LuceneRegExp } from '../../query/multi-term/lucene-regexp.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { javaText } from '../../values/java-text.ts'

export type TermChoice =
  | { readonly kind: 'pattern'; readonly pattern: LuceneRegExp }
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'partition'; readonly partition: number; readonly partitions: number }

export const ACCEPTS_CHOICE: readonly JsonToken[] = [STRING, START_ARRAY, START_OBJECT]

export function readChoice(reader: RequestReader): TermChoice {
  if (reader.token === START_ARRAY) {
    const values: string[] = []
    while (reader.next() !== END_ARRAY) {
      if (!reader.isValue) throw notAValue()
      values.push(javaText(reader.value()))
    }
    return { kind: 'values', values }
  }
  if (reader.token !== START_OBJECT) {
    const text = reader.text()
    checkNesting(text)
    return { kind: 'pattern', pattern: new LuceneRegExp(text, ALL_FLAGS, false) }
  }
  let partition: number | undefined
  let partitions: number | undefined
  while (reader.next() !== END_OBJECT) {
    const name = reader.name
    reader.next()
    if (name === 'num_partitions') partitions = reader.integer()
    else if (name === 'partition') partition = reader.integer()
    else throw parseFailure(`Unknown parameter in Include/Exclude clause: ${name}`)
  }
  if (partition === undefined) throw missingParameter('partition')
  if (partitions === undefined) throw missingParameter('num_partitions')
  if (partition < 0 || partition >= partitions) {
    throw illegalArgument(`Partition must be >=0 and < numPartition which is ${partitions}`)
  }
  return { kind: 'partition', partition, partitions }
}

/** Patterns may have any length; nested groups are parsed by recursion and therefore limited. */
const GROUPS_MAX = 500

function checkNesting(pattern: string): void {
  let open = 0
  for (const letter of pattern) {
    if (letter === '(') open++
    else if (letter === ')') open--
    if (open > GROUPS_MAX)
      throw illegalArgument(`groups of a regular expression are nested deeper than [${GROUPS_MAX}]`)
  }
}

const notAValue = () => parseFailure('Array elements in include/exclude clauses should be string values')

const missingParameter = (name: string) => illegalArgument(`Missing [${name}] parameter for partition-based include`)

/** Rules between `include` and `exclude`. */
export function checkChoices(include: TermChoice | undefined, exclude: TermChoice | undefined): void {
  if (exclude?.kind === 'partition')
    throw illegalArgument('Cannot specify any excludes when using a partition-based include')
  if (include?.kind === 'partition' && exclude !== undefined) {
    throw illegalArgument('Cannot specify any excludes when using a partition-based include')
  }
}

const PARTITION_SEED = 31

/** Whether a term is counted. `parse` converts a listed value to a term. */
export function termFilter(
  include: TermChoice | undefined,
  exclude: TermChoice | undefined,
  parse: (text: string) => Uint8Array,
): ((term: Uint8Array) => boolean) | undefined {
  if (include === undefined && exclude === undefined) return undefined
  const included = include === undefined ? () => true : termTest(include, parse)
  const excluded = exclude === undefined ? () => false : termTest(exclude, parse)
  return (term) => included(term) && !excluded(term)
}

function termTest(choice: TermChoice, parse: (text: string) => Uint8Array): (term: Uint8Array) => boolean {
  switch (choice.kind) {
    case 'pattern':
      return (term) => choice.pattern.matches(Buffer.from(term).toString())
    case 'values': {
      const values = new Set(choice.values.map((text) => Buffer.from(parse(text)).toString('latin1')))
      return (term) => values.has(Buffer.from(term).toString('latin1'))
    }
    case 'partition':
      return (term) => floorMod(murmur3(term, 0, term.length, PARTITION_SEED), choice.partitions) === choice.partition
  }
}

/** Whether a value is counted; integers that a double cannot represent are bigints. */
export type NumberFilter = (value: number | bigint) => boolean

/** The same for numbers; `bits` is the 64-bit integer that represents a value. */
export function numberFilter(
  name: string,
  include: TermChoice | undefined,
  exclude: TermChoice | undefined,
  parse: (text: string) => number | bigint,
  bits: (value: number | bigint) => bigint,
): NumberFilter | undefined {
  if (include === undefined && exclude === undefined) return undefined
  const test = (choice: TermChoice): NumberFilter => {
    if (choice.kind === 'pattern') {
      throw illegalArgument(
        `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied ` +
          'to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields',
      )
    }
    if (choice.kind === 'values') {
      const values = new Set(choice.values.map(parse))
      return (value) => values.has(value)
    }
    const partitions = BigInt(choice.partitions)
    return (value) => partOfLong(bits(value), partitions) === choice.partition
  }
  const included = include === undefined ? () => true : test(include)
  const excluded = exclude === undefined ? () => false : test(exclude)
  return (value) => included(value) && !excluded(value)
}
