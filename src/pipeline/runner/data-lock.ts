/** Locks the data folder: two processes would overwrite each other's positions and queues. */
import { FolderLock, FolderLockedError } from '../../base/files/folder-lock.ts'

class DataFolderInUseError extends Error {
  constructor(folder: string) {
    super(
      `Logstash could not be started because there is already another instance using the configured data directory (${folder}). ` +
        'If you wish to run multiple instances, you must change the "path.data" setting.',
    )
    this.name = 'DataFolderInUseError'
  }
}

/** Locks the folder with the file `.lock`, as Logstash does. Returns the function that unlocks it. */
export function lockDataFolder(folder: string): () => void {
  try {
    const lock = FolderLock.acquire(folder, '.lock')
    return () => lock.release()
  } catch (error) {
    throw error instanceof FolderLockedError ? new DataFolderInUseError(folder) : error
  }
}
