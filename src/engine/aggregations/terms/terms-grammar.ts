/** Members common to `terms` and similar kinds. */

import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { negativeMember } from '../../../base/errors/aggregation-errors.ts'
import { STRING } from '../../../base/json/json-reader.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, type MemberParser, type RequestReader } from '../../request/request-reader.ts'
import type { TermChoices } from './bind-terms.ts'
import { type BucketOrder, COUNT_DESCENDING, orderMember } from './bucket-order.ts'
import { ACCEPTS_CHOICE, checkChoices, readChoice } from './include-exclude.ts'
import type { CollectMode } from './terms-aggregator.ts'

export interface CountOptions {
  size: number
  shardSize: number | undefined
  minDocCount: number
  shardMinDocCount: number
}

export function newCountOptions(minDocCount: number): CountOptions {
  return { size: 10, shardSize: undefined, minDocCount, shardMinDocCount: 0 }
}

/** How many buckets are listed, and the minimum document count of a bucket. */
export function countMembers(reader: RequestReader, name: string, options: CountOptions): Record<string, MemberParser> {
  const number = (set: (value: number) => void): MemberParser => ({
    accepts: ACCEPTS_NUMBER,
    parse: () => set(reader.integer()),
  })
  const count = (set: (value: number) => void): MemberParser => ({
    accepts: ACCEPTS_NUMBER,
    parse: () => set(reader.long()),
  })
  return {
    size: number((value) => {
      options.size = positive(value, 'size', name)
    }),
    shard_size: number((value) => {
      options.shardSize = positive(value, 'shardSize', name)
    }),
    min_doc_count: count((value) => {
      options.minDocCount = notNegative(value, 'minDocCount', name)
    }),
    shard_min_doc_count: count((value) => {
      options.shardMinDocCount = notNegative(value, 'shardMinDocCount', name)
    }),
  }
}

export interface ListOptions {
  orders: readonly BucketOrder[]
  showErrors: boolean
  mode: CollectMode | undefined
}

export function newListOptions(): ListOptions {
  return { orders: COUNT_DESCENDING, showErrors: false, mode: undefined }
}

/** The order of buckets, and what is shown about them. */
export function listMembers(reader: RequestReader, options: ListOptions): Record<string, MemberParser> {
  return {
    order: orderMember(reader, (orders) => {
      options.orders = orders
    }),
    show_term_doc_count_error: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        options.showErrors = reader.boolean()
      },
    },
    collect_mode: {
      accepts: [STRING],
      parse: () => {
        options.mode = readMode(reader.text())
      },
    },
  }
}

/** `include` and `exclude`. */
export function choiceMembers(reader: RequestReader, choices: TermChoices): Record<string, MemberParser> {
  const choice = (member: 'include' | 'exclude'): MemberParser => ({
    accepts: ACCEPTS_CHOICE,
    parse: () => {
      choices[member] = readChoice(reader)
      checkChoices(choices.include, choices.exclude)
    },
  })
  return { include: choice('include'), exclude: choice('exclude') }
}

export function positive(value: number, parameter: string, name: string): number {
  if (value > 0) return value
  throw illegalArgument(`[${parameter}] must be greater than 0. Found [${value}] in [${name}]`)
}

function notNegative(value: number, parameter: string, name: string): number {
  if (value >= 0) return value
  throw negativeMember(parameter, value, name)
}

function readMode(text: string): CollectMode {
  if (text === 'breadth_first' || text === 'depth_first') return text
  throw parseFailure(`no [collect_mode] found for value [${text}]`)
}
