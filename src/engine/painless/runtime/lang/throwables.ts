/** Constructors of exceptions, and the exception handling of generated code. */

import { ApiError } from '../../../../base/api-error.ts'
import { apiClass, apiClassNames } from '../../api/api-lines.ts'
import {
  illegalState,
  isError,
  JavaThrowable,
  nullPointer,
  stackOverflow,
  throwable,
  unsupportedOperation,
} from '../../errors/java-throwable.ts'
import { isInstance } from '../class-of.ts'
import { registerConstructors } from '../registry.ts'
import { fromApiError } from './api-errors.ts'

/** The details of exceptions that are not made of a message. */
const DETAILS: Readonly<Record<string, (given: unknown) => string>> = {
  'java.util.DuplicateFormatFlagsException': (flags) => `Flags = '${flags}'`,
  'java.util.IllegalFormatCodePointException': (code) => `Code point = 0x${((code as number) >>> 0).toString(16)}`,
  'java.util.IllegalFormatFlagsException': (flags) => `Flags = '${flags}'`,
  'java.util.MissingFormatArgumentException': (specifier) => `Format specifier '${specifier}'`,
  'java.util.UnknownFormatConversionException': (conversion) => `Conversion = '${conversion}'`,
  'java.util.UnknownFormatFlagsException': (flags) => `Flags = ${flags}`,
}

for (const name of apiClassNames())
  if (/Exception$/.test(name))
    registerConstructors(name, {
      0: () => throwable(name),
      1: (given: string | null) => throwable(name, DETAILS[name]?.(given) ?? given),
    })

/** Converts anything thrown to the error that a script sees. Its position is that of the innermost script code. */
export function locate(e: unknown, offset: number): JavaThrowable {
  const error = asThrowable(e)
  error.offset ??= offset
  return error
}

function asThrowable(e: unknown): JavaThrowable {
  if (e instanceof JavaThrowable) return e
  if (e instanceof RangeError) {
    if (/stack|nested/.test(e.message)) return stackOverflow()
    return throwable('java.lang.OutOfMemoryError', 'Requested array size exceeds VM limit')
  }
  if (e instanceof ApiError) return fromApiError(e)
  if (e instanceof TypeError && /is not a function/.test(e.message))
    return unsupportedOperation('the method is not supported')
  if (e instanceof TypeError && /of null|of undefined/.test(e.message)) return nullPointer(nullMessage(e.message))
  return illegalState(e instanceof Error ? e.message : String(e))
}

/** The error for library code that received null where Java would fail as well. */
const nullMessage = (message: string) => {
  const member = /reading '(\w+?)(?:_\d)?'/.exec(message)?.[1]
  return member === undefined ? null : `Cannot invoke "${member}" because "<local1>" is null`
}

export const catches = (e: JavaThrowable, type: string): boolean => !isError(e) && isThrowable(e, type)

function isThrowable(e: JavaThrowable, type: string): boolean {
  if (isInstance(e, type)) return true
  // Classes that scripts cannot name are represented by the nearest listed super type, or are matched as Exception.
  if (apiClass(e.javaClass) !== undefined) return false
  if (type === 'java.lang.Exception') return true
  const parent = PARENTS[e.javaClass]
  return parent?.includes(type) ?? type === 'java.lang.RuntimeException'
}

const RUNTIME = 'java.lang.RuntimeException'
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  'java.time.zone.ZoneRulesException': ['java.time.DateTimeException', RUNTIME],
  'java.time.format.DateTimeParseException': ['java.time.DateTimeException', RUNTIME],
  'java.time.temporal.UnsupportedTemporalTypeException': ['java.time.DateTimeException', RUNTIME],
  'org.elasticsearch.common.breaker.CircuitBreakingException': [RUNTIME],
}

/** The position of an exception is the place of its construction, wherever it is thrown. */
export function made(e: JavaThrowable, offset: number): JavaThrowable {
  e.offset = offset
  return e
}

export function thrown(e: JavaThrowable | null): JavaThrowable {
  if (e === null) {
    const error = nullPointer('Cannot throw exception because "null" is null')
    error.offset = -1
    return error
  }
  return e
}
