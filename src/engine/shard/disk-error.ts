/** The error of a request when the disk fails. A full disk has the status on which clients retry. */
import { ApiError } from '../../base/api-error.ts'
import { isDiskFull } from '../../base/disk/disk-full.ts'
import { diskFull, filesUnwritable, type ShardLabel, shardFailed } from '../../base/errors/shard-errors.ts'
import { type Directory, diskFacts } from '../store/directory.ts'
import { LogClosedError } from '../store/write-ahead-log.ts'

export function diskError(label: ShardLabel, thrown: unknown, directory?: Directory): Error {
  const error = thrown as NodeJS.ErrnoException
  if (error instanceof ApiError) return error
  if (error instanceof LogClosedError) return shardClosed(label)
  if (isDiskFull(error)) return diskFull(label, directory && diskFacts(directory))
  return error.syscall === undefined ? error : filesUnwritable(label, error.message)
}

export const shardClosed = (label: ShardLabel) => shardFailed(label, 'it is closed')
