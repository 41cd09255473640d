/**
 * The owner of a data folder as plain data, so that every thread can check whether the folder is still ours. An owner's
 * record is never modified: a takeover replaces the file.
 */
import { statSync } from 'node:fs'

export interface FolderOwner {
  readonly path: string
  readonly device: number
  readonly inode: number
}

/**
 * Another process has taken over the folder. Nothing may be acknowledged any more, because that process would not know
 * of it.
 */
export class FolderTakenError extends Error {
  constructor(path: string) {
    super(`another process has taken over the data folder: its record ${path} is gone or not ours`)
    this.name = 'FolderTakenError'
  }
}

export function ownerOf(path: string): FolderOwner {
  const { dev, ino } = statSync(path)
  return { path, device: dev, inode: ino }
}

export function isOwned({ path, device, inode }: FolderOwner): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.ino === inode && found.dev === device
}

export function assertOwned(owner: FolderOwner): void {
  if (!isOwned(owner)) throw new FolderTakenError(owner.path)
}
