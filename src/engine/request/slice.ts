/** `slice`: the part of the matches for one of several readers. */

import { illegalArgument } from '../../base/api-error.ts'
import { sliceIdNegative, sliceMaxTooSmall } from '../../base/errors/query-errors.ts'
import { DECIMAL, INTEGER, STRING } from '../../base/json/json-reader.ts'
import { ACCEPTS_STRING, type RequestReader } from './request-reader.ts'

export interface SliceBody {
  readonly id: number
  readonly max: number
  readonly field: string | undefined
}

const ACCEPTS_INTEGER = [INTEGER, DECIMAL, STRING] as const

export function readSlice(reader: RequestReader): SliceBody {
  let id: number | undefined
  let max: number | undefined
  let field: string | undefined
  reader.parseObject('slice', {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        field = reader.text()
      },
    },
    id: {
      accepts: ACCEPTS_INTEGER,
      parse: () => {
        id = reader.integer()
        if (id < 0) throw sliceIdNegative()
        if (max !== undefined && id >= max) throw sliceMaxTooSmall()
      },
    },
    max: {
      accepts: ACCEPTS_INTEGER,
      parse: () => {
        max = reader.integer()
        if (max <= 1) throw illegalArgument('max must be greater than 1')
        if (id !== undefined && id >= max) throw sliceMaxTooSmall()
      },
    },
  })
  if (id === undefined) throw illegalArgument('Required [id] of [slice]')
  if (max === undefined) throw illegalArgument('Required [max] of [slice]')
  return { id, max, field }
}
