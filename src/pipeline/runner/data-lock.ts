/** One program per data folder: two would overwrite each other's positions and queues. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

class DataFolderInUseError extends Error {
  constructor(folder: string) {
    super(
      `Logstash could not be started because there is already another instance using the configured data directory (${folder}). ` +
        'If you wish to run multiple instances, you must change the "path.data" setting.',
    )
    this.name = 'DataFolderInUseError'
  }
}

/**
 * Writes our process id into `.lock`; gives the function that takes it away again. A lock of a dead process is taken
 * over.
 */
export function lockDataFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, '.lock')
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = Number(readFileSync(path, 'utf8'))
    if (owner !== process.pid && isAlive(owner)) throw new DataFolderInUseError(folder)
    writeFileSync(path, String(process.pid))
  }
  return () => rmSync(path, { force: true })
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
