/** Short forms for the lists of hostile requests. */
import type { SentRequest } from './watched-service.ts'

export interface HostileRequest extends SentRequest {
  readonly name: string
  readonly isShort?: boolean | undefined
  /** How often it is sent, many at the same time; once by default. */
  readonly times?: number
}

export const json = (value: unknown) => JSON.stringify(value)
export const post = (name: string, path: string, body: unknown): HostileRequest => ({
  name,
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : json(body),
})
export const put = (name: string, path: string, body: unknown): HostileRequest => ({
  ...post(name, path, body),
  method: 'PUT',
})
export const search = (name: string, body: unknown) => post(name, '/hostile/_search', body)
export const query = (name: string, clause: unknown) => search(name, { query: clause })
export const repeat = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
export const wrap = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth)
