/** Reads the line that a proxy sends before the bytes of a connection: `PROXY TCP4 10.0.0.1 10.0.0.2 5000 6000\r\n`. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Peer } from './network-decoration.ts'

/** Maximum length of the line in the protocol. */
const BYTES_MAX = 107

export interface ProxyHeader {
  readonly source: Peer
}

/** Reads the header and leaves the remaining bytes in the socket; undefined if there is no header. */
export async function readProxyHeader(socket: Socket): Promise<ProxyHeader | undefined> {
  let bytes = Buffer.alloc(0)
  while (!bytes.includes(0x0a)) {
    if (bytes.length > BYTES_MAX) return undefined
    const piece = socket.read() as Buffer | null
    if (piece !== null) bytes = Buffer.concat([bytes, piece])
    else if (socket.readableEnded || socket.destroyed) return undefined
    else await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
  const end = bytes.indexOf(0x0a)
  const [word, , address, , port] = bytes.toString('latin1', 0, end).trimEnd().split(' ')
  if (word !== 'PROXY' || address === undefined) return undefined
  if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1))
  return { source: { address, port: Number(port) } }
}
