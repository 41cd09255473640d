/** Opens the users and keys of a stopped node, for commands. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FolderLock } from '../base/files/folder-lock.ts'
import { diskStorage } from '../engine/store/disk-storage.ts'
import { Security } from './security.ts'

export interface StoppedNode {
  readonly security: Security
  close(): Promise<void>
}

/** Throws a `FolderLockedError` if a running node uses the folder. */
export function openStoppedNode(dataFolder: string): StoppedNode {
  const lock = FolderLock.acquire(dataFolder)
  try {
    const directory = diskStorage.directory(join(dataFolder, 'security'), lock.owner)
    const security = new Security({ directory, isEncrypted: false })
    return {
      security,
      async close() {
        await security.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

export const isDataFolder = (folder: string) =>
  existsSync(join(folder, 'metadata')) || existsSync(join(folder, 'security'))
