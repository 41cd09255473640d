/** Replaces the content of a small file atomically: after a crash the file holds either the old or the new content. */
import { dirname } from 'node:path'
import type { Disk, DiskFile } from './disk.ts'

export async function replaceFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.new`
  const file = disk.open(temporary, 'replace')
  try {
    writeWhole(file, bytes, 0)
    await file.syncLater()
  } finally {
    file.close()
  }
  disk.rename(temporary, path)
  await disk.syncFolderLater(dirname(path))
}

/** Writes all of the bytes, in as many calls as the disk needs. */
export function writeWhole(file: DiskFile, bytes: Uint8Array, position: number): void {
  let written = 0
  while (written < bytes.length) written += file.write(bytes.subarray(written), position + written)
}

/** The whole content of a file. */
export function readWhole(disk: Disk, path: string): Buffer {
  const file = disk.open(path, 'read')
  try {
    const content = Buffer.alloc(file.bytes())
    let length = 0
    while (length < content.length) {
      const count = file.read(content.subarray(length), length)
      if (count === 0) break
      length += count
    }
    return content.subarray(0, length)
  } finally {
    file.close()
  }
}
