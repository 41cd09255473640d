/** What a request is told when the disk refuses: a full one by the status clients retry on, others as they are. */
import { ApiError } from '../../base/api-error.ts'
import { diskFull, filesUnwritable, type ShardLabel } from '../../base/errors/shard-errors.ts'

export function diskError(label: ShardLabel, thrown: unknown): Error {
  const error = thrown as NodeJS.ErrnoException
  if (error instanceof ApiError) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return diskFull(label)
  return error.syscall === undefined ? error : filesUnwritable(label, error.message)
}
