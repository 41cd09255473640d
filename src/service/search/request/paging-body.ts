/** The parts of a search body that are about paging: `search_after`, `pit` and `slice`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { undecodableId } from '../../../base/errors/context-errors.ts'
import { DECIMAL, END_ARRAY, INTEGER, NULL, STRING } from '../../../base/json/json-reader.ts'
import { ACCEPTS_STRING, type RequestReader } from '../../../engine/request/request-reader.ts'
import type { AfterValue } from '../../../engine/sort/search-after.ts'

export interface PointInTime {
  readonly id: string
  readonly keepAliveMs: number | undefined
}

export interface SliceBody {
  readonly id: number
  readonly max: number
  readonly field: string | undefined
}

/** Reads the array at the current token. */
export function readSearchAfter(reader: RequestReader): AfterValue[] {
  const values: AfterValue[] = []
  while (reader.next() !== END_ARRAY) {
    if (!reader.isValue && !reader.is(NULL)) {
      throw reader.parsingError(
        'Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found ' +
          `[${reader.tokenName}] inside search_after.`,
      )
    }
    values.push(reader.value() as AfterValue)
  }
  if (values.length === 0) throw illegalArgument('Values must contains at least one value.')
  return values
}

export function readPointInTime(reader: RequestReader): PointInTime {
  let id: string | undefined
  let keepAliveMs: number | undefined
  reader.parseObject('pit', {
    id: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        id = checkBase64(reader.text())
      },
    },
    keep_alive: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        keepAliveMs = parseDuration(reader.text(), 'keep_alive')
      },
    },
  })
  if (id === undefined) throw illegalArgument('point in time id is not provided')
  return { id, keepAliveMs }
}

/** Text that is no base64 at all is refused where it stands; what it says is looked at later. */
function checkBase64(id: string): string {
  const problem = undecodableId(id, 'pit')
  if (problem.causedBy === undefined && problem.message !== 'Not all bytes were read') throw problem
  return id
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
        if (id < 0) throw illegalArgument('id must be greater than or equal to 0')
        if (max !== undefined && id >= max) throw illegalArgument('max must be greater than id')
      },
    },
    max: {
      accepts: ACCEPTS_INTEGER,
      parse: () => {
        max = reader.integer()
        if (max <= 1) throw illegalArgument('max must be greater than 1')
        if (id !== undefined && id >= max) throw illegalArgument('max must be greater than id')
      },
    },
  })
  if (id === undefined) throw illegalArgument('Required [id] of [slice]')
  if (max === undefined) throw illegalArgument('Required [max] of [slice]')
  return { id, max, field }
}
