/**
 * Who owns a data folder, as plain data, so that every thread can look whether it still does. The record of an owner is never changed:
 * who takes a folder over puts a new file in its place.
 */
import { statSync } from 'node:fs'

export interface FolderOwner {
  readonly path: string
  readonly device: number
  readonly inode: number
}

/** Another process works in the folder. What it does not know of must not be acknowledged any more. */
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
