/**
 * Folders of files. All disk access of the engine and the service goes through this interface and its directories, so
 * that a simulated disk can replace a real one.
 */
import type { FolderOwner } from '../../base/files/folder-owner.ts'
import type { Directory } from './directory.ts'

export interface Storage {
  /** The directory of a folder, which is created if missing. `owner` is asserted before anything is acknowledged. */
  directory(folder: string, owner?: FolderOwner | undefined): Directory
  /** Names of the folders in a folder; empty if it does not exist. */
  folders(folder: string): string[]
  /** Names of files and folders in a folder; empty if it does not exist. */
  names(folder: string): string[]
  /** Moves a folder. Resolves when the move would survive a power failure. */
  move(from: string, to: string): Promise<void>
  /** Removes a folder and its contents. A missing folder is not an error. */
  remove(folder: string): Promise<void>
}
