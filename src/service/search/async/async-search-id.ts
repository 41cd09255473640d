/** The ids of asynchronous searches: a random name and the task, in Elasticsearch's encoding. */
import { randomBytes } from 'node:crypto'
import { illegalArgument } from '../../../base/api-error.ts'

export interface AsyncSearchId {
  /** Names the search and its file. */
  readonly name: string
  readonly text: string
}

export function newAsyncSearchId(nodeId: string, task: number): AsyncSearchId {
  const name = randomBytes(16).toString('base64url')
  return { name, text: Buffer.concat([pascal(name), pascal(`${nodeId}:${task}`)]).toString('base64url') }
}

/** The name in an id. Throws for an invalid id. */
export function asyncSearchName(text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const name = bytes.toString('latin1', 1, 1 + (bytes[0] ?? 0))
  const rest = bytes.subarray(1 + name.length)
  const isWhole = rest.length > 0 && rest.length === 1 + rest[0]!
  if (!isWhole || !/^[\w-]{22}$/.test(name)) throw illegalArgument(`invalid id: [${text}]`)
  return name
}

const pascal = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
