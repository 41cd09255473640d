/** What to do about a full disk, and which one it is. */
import type { ErrorHelp } from '../api-error.ts'

export interface DiskFacts {
  readonly folder: string
  readonly freeBytes: number
}

export function fullDiskHelp(disk: DiskFacts | undefined): ErrorHelp {
  const message =
    'The disk of the data folder is full. Free space or enlarge the disk: writes are accepted again by themselves, without a restart.'
  return { message, ...(disk && { folder: disk.folder, free_bytes: disk.freeBytes }) }
}
