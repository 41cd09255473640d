/** The lines of a downloaded object. */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

const NEWLINE = 0x0a

/** Lines keep their ends, except those of compressed objects: the s3 input of Logstash hands them to its codec like this. */
export async function* objectLines(path: string, isGzip: boolean): AsyncIterable<Buffer> {
  const source = createReadStream(path)
  const stream = isGzip ? source.pipe(createGunzip()) : source
  // An error of the file would not reach the reader of the decompressed stream.
  if (isGzip) source.on('error', (error) => stream.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    let from = 0
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      const line = bytes.subarray(from, at + 1)
      yield isGzip ? withoutEnd(line) : line
      from = at + 1
    }
    rest = bytes.subarray(from)
  }
  if (rest.length > 0) yield rest
}

function withoutEnd(line: Buffer): Buffer {
  const end = line.length - 1
  return line.subarray(0, end > 0 && line[end - 1] === 0x0d ? end - 1 : end)
}
