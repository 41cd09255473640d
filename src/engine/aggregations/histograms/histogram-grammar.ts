/** Members that `histogram` and `date_histogram` have in common. */
import { illegalArgument } from '../../../base/api-error.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, type MemberParser, type RequestReader } from '../../query/request-reader.ts'
import { type BucketOrder, KEY_ASCENDING, orderMember } from '../terms/bucket-order.ts'

export interface HistogramOptions {
  minDocCount: number
  keyed: boolean
  orders: readonly BucketOrder[]
}

export function newHistogramOptions(): HistogramOptions {
  return { minDocCount: 0, keyed: false, orders: KEY_ASCENDING }
}

export function histogramMembers(
  reader: RequestReader,
  name: string,
  options: HistogramOptions,
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
  }
}

export const boundsOutsideHard = (hard: string, extended: string) =>
  illegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: [${hard}], extended bounds: [${extended}]`,
  )
