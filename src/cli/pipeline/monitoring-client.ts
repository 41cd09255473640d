/** Finds the monitoring API of a running pipeline process and sends requests to it. */
import { SettingsError } from '../arguments/settings-error.ts'

const FIRST_PORT = 9600
const PORTS = 10
const PATIENCE_MS = 2000

/** Returns `given`, or the address of the first port from 9600 on that answers like the monitoring API. */
export async function monitoringAddress(given: string | undefined): Promise<string> {
  if (given !== undefined) return given.startsWith('http') ? given : `http://${given}`
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS; port++) {
    const address = `http://127.0.0.1:${port}`
    try {
      await readMonitoring(address, '/')
      return address
    } catch {
      // No server listens on this port, or another kind of server does.
    }
  }
  throw new SettingsError(
    `no pipeline tool answers on the ports ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} of this machine; --api HOST:PORT says where it is`,
  )
}

export async function readMonitoring<T>(address: string, path: string): Promise<T> {
  const { username, password, origin } = new URL(address)
  const headers: Record<string, string> =
    username === '' ? {} : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  const answer = await requestMonitoring(`${origin}${path}`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })
  if (!answer.ok) throw new SettingsError(`${origin}${path} answered ${answer.status}`)
  return (await answer.json()) as T
}

/** Sends a request to the monitoring API. Throws a `SettingsError` if nothing answers. */
export async function requestMonitoring(url: string, options?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch (error) {
    const { name, cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    const reason = name === 'TimeoutError' ? `nothing within ${PATIENCE_MS / 1000} s` : (cause?.code ?? message)
    throw new SettingsError(
      `no monitoring API answers at ${new URL(url).origin}: ${reason}; is the pipeline tool running?`,
    )
  }
}
