/** Converts errors of the engine to Java exceptions, so that scripts can catch them and script errors can show them. */
import type { ApiError } from '../../../../base/api-error.ts'
import { JavaThrowable } from '../../errors/java-throwable.ts'

const PACKAGES: Readonly<Record<string, string>> = {
  IllegalArgumentException: 'java.lang',
  IllegalStateException: 'java.lang',
  NumberFormatException: 'java.lang',
  UnsupportedOperationException: 'java.lang',
  ArithmeticException: 'java.lang',
  ClassCastException: 'java.lang',
  NullPointerException: 'java.lang',
  DateTimeException: 'java.time',
  DateTimeParseException: 'java.time.format',
  ZoneRulesException: 'java.time.zone',
}

/** The Java class name of an error type: `illegal_argument_exception` is `IllegalArgumentException`. */
function className(type: string): string {
  const simple = type.replace(/(?:^|_)([a-z])/g, (_, c: string) => c.toUpperCase())
  return `${PACKAGES[simple] ?? 'org.elasticsearch'}.${simple}`
}

export function fromApiError(e: ApiError): JavaThrowable {
  const cause = e.causedBy === undefined ? undefined : fromApiError(e.causedBy)
  const error = new JavaThrowable(className(e.type), e.message, cause)
  error.members = { ...e.details }
  return error
}
