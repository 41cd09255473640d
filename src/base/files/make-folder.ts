/** Creates folders with their parents. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns whether the folder is new. Unlike Node's own recursive creation, which tries for ever on a file system that
 * answers ENOENT below a folder that exists (as /proc does), this tries each folder once.
 */
export function makeFolder(path: string, mode: number): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, mode)
    return true
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
    throw error
  }
}
