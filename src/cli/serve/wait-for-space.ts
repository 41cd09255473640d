/**
 * A start on a full disk. The lock of the data folder and the metadata need a few bytes, and whoever started the service expects it to
 * run when there is space.
 */
import { statfsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isDiskFull } from '../../base/disk/disk-full.ts'
import type { Log } from '../../base/log.ts'

const PAUSE_MS = 1_000

export interface Waiting {
  readonly folder: string
  readonly log: Log
  readonly pauseMs?: number
}

/** Calls `open` until it does not fail for lack of space. */
export async function onceThereIsSpace<T>(open: () => Promise<T>, { folder, log, pauseMs }: Waiting): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await open()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      if (attempts === 1)
        log.error('the disk is full: the service starts when there is space', {
          folder,
          free_bytes: freeBytes(folder),
          error: (error as Error).message,
          hint: 'free space or enlarge the disk',
        })
      await pause(pauseMs ?? PAUSE_MS)
    }
  }
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
