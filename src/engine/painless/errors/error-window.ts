/** The part of a source that an error shows, and the caret line below it. */
import { ApiError } from '../../../base/api-error.ts'
import { isError, type JavaThrowable, wireType } from './java-throwable.ts'
import { PainlessCompileError, PainlessRuntimeError } from './script-exception.ts'

/** The number of characters that a compile error shows on each side of the offset. */
const COMPILE_WINDOW = 25

/** The cause chain as it is sent to clients. The reason of a Java exception without a message is null. */
export function causeOf(e: JavaThrowable): ApiError {
  return new ApiError(400, wireType(e.javaClass), e.detail ?? '', {
    details: { ...(e.detail === null ? { reason: null } : {}), ...e.members },
    causedBy: e.causedBy === undefined ? undefined : causeOf(e.causedBy),
  })
}

export function compileError(source: string, e: JavaThrowable): PainlessCompileError {
  const offset = e.offset
  if (offset === undefined)
    return new PainlessCompileError({
      reason: 'compile error',
      scriptStack: [],
      script: source,
      cause: causeOf(e),
      causeIsRoot: isError(e),
    })
  const start = Math.max(0, offset - COMPILE_WINDOW)
  const end = Math.min(source.length, offset + COMPILE_WINDOW)
  const prefix = start > 0 ? '... ' : ''
  const suffix = end < source.length ? ' ...' : ''
  return new PainlessCompileError({
    reason: 'compile error',
    scriptStack: [
      prefix + source.slice(start, end) + suffix,
      `${' '.repeat(prefix.length + offset - start)}^---- HERE`,
    ],
    script: source,
    position: { offset, start, end },
    cause: causeOf(e),
  })
}

/** The error of a running script. `statements` are the offsets at which statements start, ascending. */
export function runtimeError(source: string, statements: readonly number[], e: JavaThrowable): PainlessRuntimeError {
  const lineEnd = source.search(/[\r\n]/)
  const script = lineEnd < 0 ? source : `${source.slice(0, lineEnd)} ...`
  const explained = e.javaClass.endsWith('PainlessExplainError') ? (e.members as Record<string, string>) : undefined
  const failure = {
    reason: 'runtime error' as const,
    script,
    cause: causeOf(explained === undefined ? e : Object.assign(Object.create(e), { members: undefined })),
    causeIsRoot: isError(e) || e.javaClass.startsWith('org.elasticsearch'),
    ...(explained === undefined ? {} : { explained }),
  }
  const offset = e.offset
  // A negative offset means that the script failed before any expression with a position.
  if (offset === undefined || offset < 0)
    return new PainlessRuntimeError({ ...failure, scriptStack: ['<<< unknown portion of script >>>'] })
  let start = 0
  let end = source.length
  for (const statement of statements) {
    if (statement <= offset) start = statement
    else {
      end = statement
      break
    }
  }
  return new PainlessRuntimeError({
    ...failure,
    scriptStack: [source.slice(start, end), `${' '.repeat(offset - start)}^---- HERE`],
    position: { offset, start, end },
  })
}
