/** Reads compressed files in read mode. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

export function isArchive(path: string): boolean {
  return path.endsWith('.gz') || path.endsWith('.gzip')
}

/**
 * Passes the content to `take` chunk by chunk; `take` returns whether to continue. Returns true when the end was
 * reached. Throws if the file is damaged, before passing anything if it is to be verified first.
 */
export async function readArchive(
  path: string,
  checkFirst: boolean,
  take: (bytes: Buffer) => Promise<boolean>,
): Promise<boolean> {
  if (checkFirst) {
    await pipeline(createReadStream(path), createGunzip(), async (pieces) => {
      for await (const _ of pieces);
    })
  }
  let wentOn = true
  await pipeline(createReadStream(path), createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      wentOn = await take(piece)
      if (!wentOn) return
    }
  })
  return wentOn
}
