/** Folders on disk, readable only by the user that runs the service. */
import { type Dirent, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DiskDirectory, FOLDER_MODE } from './disk-directory.ts'
import type { Storage } from './storage.ts'

export const diskStorage: Storage = {
  directory: (folder, owner) => new DiskDirectory(folder, owner),

  folders: (folder) =>
    entries(folder)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),

  names: (folder) => entries(folder).map(({ name }) => name),

  async move(from, to) {
    mkdirSync(dirname(to), { recursive: true, mode: FOLDER_MODE })
    renameSync(from, to)
    for (const folder of new Set([dirname(from), dirname(to), dirname(dirname(to))])) {
      await new DiskDirectory(folder).syncFolder()
    }
  },

  async remove(folder) {
    await rm(folder, { recursive: true, force: true })
  },
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
