/** A Java exception as scripts throw and catch it. */
export class JavaThrowable extends Error {
  /** Binary class name: `java.lang.IllegalArgumentException`. */
  readonly javaClass: string
  /** null where Java's message is null. */
  readonly detail: string | null
  readonly causedBy: JavaThrowable | undefined
  /** The source offset of the innermost script expression that was running. Set once. */
  offset: number | undefined
  /** Further members of the cause, e.g. those of a circuit breaker exception. */
  members: Record<string, unknown> | undefined

  constructor(javaClass: string, detail: string | null = null, causedBy?: JavaThrowable) {
    super(detail ?? '')
    this.javaClass = javaClass
    this.detail = detail
    this.causedBy = causedBy
  }
}

// The JavaScript stack is of no use for a script error, and collecting it costs more than the rest of a throw.
const named =
  (javaClass: string) =>
  (detail: string | null = null, causedBy?: JavaThrowable) => {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    const error = new JavaThrowable(javaClass, detail, causedBy)
    Error.stackTraceLimit = limit
    return error
  }

export const throwable = (javaClass: string, detail: string | null = null) => named(javaClass)(detail)
export const illegalArgument = named('java.lang.IllegalArgumentException')
export const illegalState = named('java.lang.IllegalStateException')
export const classCast = named('java.lang.ClassCastException')
export const nullPointer = named('java.lang.NullPointerException')
export const arithmetic = named('java.lang.ArithmeticException')
export const indexOutOfBounds = named('java.lang.IndexOutOfBoundsException')
export const arrayIndexOutOfBounds = named('java.lang.ArrayIndexOutOfBoundsException')
export const stringIndexOutOfBounds = named('java.lang.StringIndexOutOfBoundsException')
export const numberFormat = named('java.lang.NumberFormatException')
export const noSuchElement = named('java.util.NoSuchElementException')
export const unsupportedOperation = named('java.lang.UnsupportedOperationException')
export const concurrentModification = named('java.util.ConcurrentModificationException')
export const wrongMethodType = named('java.lang.invoke.WrongMethodTypeException')
export const negativeArraySize = named('java.lang.NegativeArraySizeException')
export const dateTime = named('java.time.DateTimeException')
export const dateTimeParse = named('java.time.format.DateTimeParseException')
export const zoneRules = named('java.time.zone.ZoneRulesException')
export const unsupportedTemporalType = named('java.time.temporal.UnsupportedTemporalTypeException')
export const painlessError = named('org.elasticsearch.painless.PainlessError')
export const outOfMemory = named('java.lang.OutOfMemoryError')
export const stackOverflow = named('java.lang.StackOverflowError')
export const circuitBreaking = named('org.elasticsearch.common.breaker.CircuitBreakingException')

/** Whether the throwable is a java.lang.Error, which a script cannot catch. */
export const isError = (e: JavaThrowable): boolean => /Error$/.test(e.javaClass)

/** The type of an exception in responses: `ArrayIndexOutOfBoundsException` is `array_index_out_of_bounds_exception`. */
export function wireType(javaClass: string): string {
  const simple = javaClass.slice(javaClass.lastIndexOf('.') + 1)
  const own = simple.slice(simple.lastIndexOf('$') + 1).replace(/^Elasticsearch/, '')
  let out = ''
  for (let i = 0; i < own.length; i++) {
    const c = own[i]!
    const upper = c >= 'A' && c <= 'Z'
    out += upper && i > 0 ? `_${c.toLowerCase()}` : c.toLowerCase()
  }
  return out
}
