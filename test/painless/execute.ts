/**
 * Runs `POST /_scripts/painless/_execute` with the compiler alone, so that recordings can be compared without a
 * service.
 */
import { ApiError, errorBody } from '../../src/base/api-error.ts'
import { type ContextName, compileScript } from '../../src/engine/painless/index.ts'
import { textOf } from '../../src/engine/painless/runtime/java-text.ts'

export interface ExecuteRequest {
  script: { source: string; params?: unknown }
  context?: string
}

export function executeScript(request: ExecuteRequest): { status: number; body: Record<string, unknown> } {
  try {
    const context = (request.context ?? 'painless_test') as ContextName
    const script = compileScript({ source: request.script.source, context })
    const result = script.newInstance({ params: request.script.params ?? {} }).execute()
    return { status: 200, body: { result: textOf(result) } }
  } catch (e) {
    if (e instanceof ApiError) return { status: e.status, body: errorBody(e) }
    throw e
  }
}

/** Whether a response matches a recorded one, in which `<any>` matches any text. */
export function fits(actual: unknown, recorded: unknown): boolean {
  if (recorded === '<any>') return true
  if (typeof recorded === 'string' && recorded.includes('<any>')) {
    const pattern = recorded.split('<any>').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return typeof actual === 'string' && new RegExp(`^${pattern.join('[\\s\\S]*')}$`).test(actual)
  }
  if (Array.isArray(recorded))
    return (
      Array.isArray(actual) && actual.length === recorded.length && recorded.every((item, i) => fits(actual[i], item))
    )
  if (typeof recorded === 'object' && recorded !== null) {
    if (typeof actual !== 'object' || actual === null) return false
    const keys = new Set([...Object.keys(recorded), ...Object.keys(actual)])
    return [...keys].every((key) =>
      fits((actual as Record<string, unknown>)[key], (recorded as Record<string, unknown>)[key]),
    )
  }
  return Object.is(actual, recorded)
}
