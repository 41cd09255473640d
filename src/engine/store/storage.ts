/**
 * Folders of files. Everything the engine and the service do to a disk goes through this interface and the directories it hands
 * out, so that a simulated disk can take the place of a real one.
 */
import type { FolderOwner } from '../../base/files/folder-owner.ts'
import type { Directory } from './directory.ts'

export interface Storage {
  /** The directory of a folder, which is created if missing. `owner` is asserted before anything is acknowledged. */
  directory(folder: string, owner?: FolderOwner | undefined): Directory
  /** Names of the folders in a folder; none when it is not there. */
  folders(folder: string): string[]
  /** Names of files and folders in a folder; none when it is not there. */
  names(folder: string): string[]
  /** Moves a folder. Resolves when the move would survive a power cut. */
  move(from: string, to: string): Promise<void>
  /** Removes a folder and everything in it; one that is not there is fine. */
  remove(folder: string): Promise<void>
}
