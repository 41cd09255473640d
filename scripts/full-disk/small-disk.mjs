import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The disk of a run, with a file that takes its space. */
export class SmallDisk {
  constructor(folder) {
    this.folder = folder
    this.ballast = join(folder, 'ballast')
    mkdirSync(join(folder, 'data'))
    mkdirSync(join(folder, 'snapshots'))
  }

  get freeBytes() {
    const { bavail, bsize } = statfsSync(this.folder)
    return bavail * bsize
  }

  /** Leaves about so many bytes free. */
  fill(leftBytes) {
    const file = openSync(this.ballast, 'a')
    const block = Buffer.alloc(64 * 1024)
    try {
      for (let left = this.freeBytes - leftBytes; left > 0; )
        left -= writeSync(file, block, 0, Math.min(left, block.length))
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  }

  free() {
    rmSync(this.ballast, { force: true })
  }
}
