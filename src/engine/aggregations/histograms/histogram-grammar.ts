/** Members common to `histogram` and `date_histogram`. */
import { illegalArgument } from '../../../base/api-error.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  type MemberParser,
  type RequestReader,
} from '../../request/request-reader.ts'
import { type BucketOrder, KEY_ASCENDING, orderMember } from '../terms/bucket-order.ts'

export interface HistogramOptions<Bounds> {
  minDocCount: number
  keyed: boolean
  orders: readonly BucketOrder[]
  /** Within these bounds empty buckets are shown. */
  extended: Bounds | undefined
  /** Outside these bounds there are no buckets. */
  hard: Bounds | undefined
}

export function newHistogramOptions() {
  return { minDocCount: 0, keyed: false, orders: KEY_ASCENDING, extended: undefined, hard: undefined }
}

export function histogramMembers<Bounds>(
  reader: RequestReader,
  name: string,
  options: HistogramOptions<Bounds>,
  readBounds: (reader: RequestReader) => Bounds,
): Record<string, MemberParser> {
  return {
    min_doc_count: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        options.minDocCount = reader.long()
        if (options.minDocCount >= 0) return
        throw illegalArgument(
          `[minDocCount] must be greater than or equal to 0. Found [${options.minDocCount}] in [${name}]`,
        )
      },
    },
    keyed: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        options.keyed = reader.boolean()
      },
    },
    order: orderMember(reader, (orders) => {
      options.orders = orders
    }),
    extended_bounds: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        options.extended = readBounds(reader)
      },
    },
    hard_bounds: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        options.hard = readBounds(reader)
      },
    },
  }
}

export const boundsOutsideHard = (hard: string, extended: string) =>
  illegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: [${hard}], extended bounds: [${extended}]`,
  )
