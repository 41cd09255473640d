/** The tree of exception classes, and the methods of exceptions. */
import {
  ANY,
  define,
  defineStatic,
  makeClass,
  makeModule,
  nameOf,
  ObjectClass,
  realClassOf,
} from '../runtime/classes.ts'
import { optionsOf } from '../runtime/convert.ts'
import { equals, toS } from '../runtime/dispatch.ts'
import { exceptionClasses, RException, setTextMaker } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { type RClass, symbol, type Value } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'

setTextMaker(str)

const TREE = `
Exception
  NoMemoryError
  ScriptError
    LoadError
    NotImplementedError
    SyntaxError
  SecurityError
  SignalException
    Interrupt
  SystemExit
  SystemStackError
  StandardError
    ArgumentError
      UncaughtThrowError
    EncodingError
    FiberError
    IOError
      EOFError
    IndexError
      KeyError
      StopIteration
        ClosedQueueError
    LocalJumpError
    NameError
      NoMethodError
    NoMatchingPatternError
      NoMatchingPatternKeyError
    RangeError
      FloatDomainError
    RegexpError
    RuntimeError
      FrozenError
    SystemCallError
    ThreadError
    TypeError
    ZeroDivisionError
`

const stack: RClass[] = []
for (const line of TREE.trim().split('\n')) {
  const depth = (line.length - line.trimStart().length) / 2
  stack.length = depth
  const cls = makeClass(line.trim(), depth === 0 ? ObjectClass : stack[depth - 1]!)
  stack.push(cls)
  exceptionClasses.set(cls.name!, cls)
}

/** Defines an exception class inside a module. */
export function errorClass(name: string, above: string | RClass, under: RClass): RClass {
  const cls = makeClass(name, typeof above === 'string' ? exceptionClasses.get(above)! : above, under)
  exceptionClasses.set(cls.name!, cls)
  return cls
}

export const ExceptionClass = exceptionClasses.get('Exception')!
ExceptionClass.allocate = (cls) => new RException(cls, null)
const Errno = makeModule('Errno')
for (const name of ['ENOENT', 'EACCES', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EINVAL'])
  errorClass(name, 'SystemCallError', Errno)

define<RException>(ExceptionClass, 'initialize', ANY, (self, args) => {
  self.message = args[0] ?? null
  return null
})
const NAMED = ['KeyError', 'NameError', 'NoMethodError', 'FrozenError', 'StopIteration']
for (const name of NAMED) {
  define<RException>(exceptionClasses.get(name)!, 'initialize', ANY, (self, args) => {
    const options = optionsOf(args)
    self.message = args[0] instanceof RHash ? null : (args[0] ?? null)
    if (args[1] !== undefined && !(args[1] instanceof RHash)) self.ivars.set('@name', args[1])
    for (const key of ['receiver', 'key']) {
      const value = options?.get(symbol(key))
      if (value !== undefined) self.ivars.set(`@${key}`, value)
    }
    return null
  })
}
for (const key of ['receiver', 'key', 'name', 'result']) {
  for (const name of NAMED)
    define<RException>(exceptionClasses.get(name)!, key, 0, (self) => self.ivars.get(`@${key}`) ?? null)
}
defineStatic(ExceptionClass, 'exception', ANY, (self, args) => construct(self, args))

/** Creates an exception with `Class.new(message)`, whose `initialize` may be written in Ruby. */
export function construct(cls: RClass, args: Value[]): RException {
  const made = new RException(cls, null)
  cls.find('initialize')!.call(made, args, null)
  return made
}

export function messageOf(exception: RException): string {
  return exception.message === null ? nameOf(exception.cls.real) : toS(exception.message)
}

define<RException>(ExceptionClass, 'to_s', 0, (self) => str(messageOf(self)))
define<RException>(ExceptionClass, 'message', 0, (self) => str(toS(self)))
define<RException>(ExceptionClass, 'detailed_message', ANY, (self) => str(`${toS(self)} (${nameOf(self.cls.real)})`))
define<RException>(ExceptionClass, 'full_message', ANY, (self) =>
  str(`(ruby filter code):${self.line}: ${toS(self)} (${nameOf(self.cls.real)})`),
)
define<RException>(ExceptionClass, 'inspect', 0, (self) => {
  const text = toS(self)
  const name = nameOf(self.cls.real)
  return str(text === '' ? name : `#<${name}: ${text}>`)
})
define<RException>(
  ExceptionClass,
  'backtrace',
  0,
  (self) =>
    self.backtrace ?? (self.line > 0 ? [str(`(ruby filter code):${self.line}:in \`block in filter_method'`)] : null),
)
define<RException>(ExceptionClass, 'backtrace_locations', 0, () => null)
define<RException>(ExceptionClass, 'set_backtrace', 1, (self, [list]) => {
  self.backtrace = Array.isArray(list) ? list : list === null ? null : [list!]
  return self.backtrace
})
define<RException>(ExceptionClass, 'cause', 0, (self) => self.cause)
define<RException>(ExceptionClass, 'exception', ANY, (self, args) => {
  if (args.length === 0 || args[0] === self) return self
  const copy = new RException(self.cls, args[0]!)
  for (const [name, value] of self.ivars) copy.ivars.set(name, value)
  return copy
})
define<RException>(
  ExceptionClass,
  '==',
  1,
  (self, [other]) =>
    self === other ||
    (other instanceof RException && realClassOf(other) === realClassOf(self) && equals(self.message, other.message)),
)
define<RException>(exceptionClasses.get('SystemExit')!, 'status', 0, () => 0)
define<RException>(exceptionClasses.get('SystemExit')!, 'success?', 0, () => true)
define<RException>(exceptionClasses.get('UncaughtThrowError')!, 'tag', 0, (self) => self.ivars.get('@tag') ?? null)

export function isException(value: Value): value is RException {
  return value instanceof RException
}
