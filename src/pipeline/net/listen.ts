/** Binds a server to a port, with a clear message if the port is in use. */
import type { Server } from 'node:net'

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(bindError(error, port, host)))
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

export function bindError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'Address already in use',
    EACCES: 'Permission denied',
    EADDRNOTAVAIL: 'Cannot assign requested address',
  }
  return new Error(`could not bind to ${host}:${port}; ${reasons[error.code ?? ''] ?? error.message}`)
}
