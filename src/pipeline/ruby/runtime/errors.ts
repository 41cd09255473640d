/** Ruby exceptions, and the JavaScript errors that carry them. */
import { meter } from './limits.ts'
import { RBasic, type RClass, type Value } from './model.ts'

/** An exception object. */
export class RException extends RBasic {
  message: Value
  cause: Value = null
  /** The line that raised it. */
  line = 0
  backtrace: Value = null
  readonly ivars = new Map<string, Value>()
  constructor(cls: RClass, message: Value) {
    super()
    this.cls = cls
    this.message = message
  }
}

/** The JavaScript error that propagates an exception to its `rescue`. */
export class RubyError extends Error {
  readonly exception: RException
  constructor(exception: RException) {
    // A JavaScript stack trace would cost more than everything else and is never read.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super()
    Error.stackTraceLimit = stackTraceLimit
    this.exception = exception
    if (exception.line === 0) exception.line = meter.line
  }
}

/** Exception classes by name, filled by `core/exception.ts`. */
export const exceptionClasses = new Map<string, RClass>()
const textMaker: { make: (text: string) => Value } = { make: () => null }

export function setTextMaker(make: (text: string) => Value): void {
  textMaker.make = make
}

/** Creates an error to throw: `throw raise('TypeError', '…')`. */
export function raise(className: string, message: string, more: Record<string, Value> = {}): RubyError {
  const exception = new RException(exceptionClasses.get(className)!, textMaker.make(message))
  for (const [name, value] of Object.entries(more)) exception.ivars.set(`@${name}`, value)
  return new RubyError(exception)
}

export function argumentError(message: string): RubyError {
  return raise('ArgumentError', message)
}

export function typeError(message: string): RubyError {
  return raise('TypeError', message)
}

export function wrongCount(given: number, min: number, max: number): RubyError {
  const expected = min === max ? String(min) : max === Number.POSITIVE_INFINITY ? `${min}+` : `${min}..${max}`
  return argumentError(`wrong number of arguments (given ${given}, expected ${expected})`)
}

/** `break`: leaves the call to which the block was passed. */
export class BreakJump {
  readonly tag: object
  readonly value: Value
  constructor(tag: object, value: Value) {
    this.tag = tag
    this.value = value
  }
}

/** `return` inside a block or an expression. `target` is the activation of the method. */
export class ReturnJump {
  readonly target: object
  readonly value: Value
  constructor(target: object, value: Value) {
    this.target = target
    this.value = value
  }
}

/** `next` inside an expression. */
export class NextJump {
  readonly frame: object
  readonly value: Value
  constructor(frame: object, value: Value) {
    this.frame = frame
    this.value = value
  }
}

/** `break`, `next` and `redo` of a `while` loop, inside an expression. */
export class LoopJump {
  readonly kind: 'break' | 'next' | 'redo'
  readonly frame: object
  readonly value: Value
  constructor(kind: 'break' | 'next' | 'redo', frame: object, value: Value) {
    this.kind = kind
    this.frame = frame
    this.value = value
  }
}

/** `retry` and `redo` of a block. */
export class RetryJump {
  readonly kind: 'retry' | 'redo'
  constructor(kind: 'retry' | 'redo') {
    this.kind = kind
  }
}

/** `throw tag, value`. */
export class ThrowJump {
  readonly tag: Value
  readonly value: Value
  constructor(tag: Value, value: Value) {
    this.tag = tag
    this.value = value
  }
}
