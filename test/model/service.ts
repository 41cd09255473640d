/** The service that is asked: in this process, or at an address, which may be a real Elasticsearch. */
import { startSearch } from '../../src/testing/index.ts'
import { type Json, parse, print } from './json.ts'

export interface Reply {
  readonly status: number
  readonly body: Json
}

export interface Service {
  send(method: string, path: string, body?: Json, isLines?: boolean): Promise<Reply>
  stop(): Promise<void>
}

function textOf(body: Json | undefined, isLines: boolean): string | undefined {
  if (body === undefined) return undefined
  return isLines && Array.isArray(body) ? body.map((line) => `${print(line as Json)}\n`).join('') : print(body)
}

export async function serviceInside(): Promise<Service> {
  const search = await startSearch({ listen: false })
  return {
    send: async (method, path, body, isLines = false) => {
      const { status, text } = await search.request(method, path, textOf(body, isLines))
      return { status, body: text === '' ? null : parse(text) }
    },
    stop: () => search.stop(),
  }
}

export function serviceAt(url: string): Service {
  return {
    send: async (method, path, body, isLines = false) => {
      const response = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: textOf(body, isLines)! }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : parse(text) }
    },
    stop: async () => {},
  }
}
