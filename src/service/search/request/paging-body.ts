/** Parses the `pit` of a search body. */
import { illegalArgument } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { undecodableId } from '../../../base/errors/context-errors.ts'
import { ACCEPTS_STRING, type RequestReader } from '../../../engine/request/request-reader.ts'

export interface PointInTime {
  readonly id: string
  readonly keepAliveMs: number | undefined
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

/** Text that is not base64 is rejected at its position; its contents are checked later. */
function checkBase64(id: string): string {
  const problem = undecodableId(id, 'pit')
  if (problem.causedBy === undefined && problem.message !== 'Not all bytes were read') throw problem
  return id
}
