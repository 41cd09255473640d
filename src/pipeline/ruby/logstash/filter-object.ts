/** The objects that are `self` in the code of filters, and their logger. */
import type { Log } from '../../../base/log.ts'
import { ANY, define, makeClass, makeModule } from '../runtime/classes.ts'
import { toS } from '../runtime/dispatch.ts'
import { RHash } from '../runtime/hash.ts'
import { type RClass, RObject, type RProc, type Value } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'
import { LogStashModule } from './timestamp.ts'

const Filters = makeModule('Filters', LogStashModule)
const FilterBase = makeClass('Base', undefined, Filters)
/** The class of `self` in `init` and `code`. */
export const rubyFilterClass = makeClass('Ruby', FilterBase, Filters)
export const aggregateFilterClass = makeClass('Aggregate', FilterBase, Filters)
const Script = makeModule('Script', rubyFilterClass)
export const scriptContextClass = makeClass('ExecutionContext', undefined, Script)
const LoggerClass = makeClass('Logger', undefined, makeModule('Logging', LogStashModule))
LoggerClass.allocate = null

export class LogStashLogger extends RObject {
  readonly log: Log
  constructor(log: Log) {
    super(LoggerClass)
    this.log = log
  }
}

for (const level of ['debug', 'info', 'warn', 'error', 'fatal', 'trace'] as const) {
  define<LogStashLogger>(LoggerClass, level, ANY, (self, [message, data]) => {
    const to = level === 'fatal' ? 'error' : level === 'trace' ? 'debug' : level
    const fields: Record<string, string> = {}
    if (data instanceof RHash) for (const { key, value } of data.entries()) fields[toS(key)] = toS(value)
    self.log[to](toS(message ?? null), fields)
    return null
  })
  define<LogStashLogger>(LoggerClass, `${level}?`, 0, () => level !== 'debug' && level !== 'trace')
}

/** `self` of inline code. */
export class FilterObject extends RObject {
  constructor(cls: RClass, logger: LogStashLogger) {
    super(cls)
    this.ivars.set('@logger', logger)
  }
}
define<RObject>(FilterBase, 'logger', 0, (self) => self.ivars.get('@logger') ?? null)
define<RObject>(FilterBase, 'inspect', 0, (self) => str(`#<${self.cls.real.name}>`))

export interface ScriptTest {
  readonly name: string
  parameters: Value
  input: Value
  readonly expectations: { readonly name: string; readonly block: RProc }[]
}

/** `self` of a script file. */
export class ScriptContext extends RObject {
  readonly tests: ScriptTest[] = []
  constructor(cls: RClass, logger: LogStashLogger) {
    super(cls)
    this.ivars.set('@__logger__', logger)
  }
}
define<ScriptContext>(scriptContextClass, 'register', 1, () => null)
define<ScriptContext>(scriptContextClass, 'logger', 0, (self) => self.ivars.get('@__logger__') ?? null)
define<ScriptContext>(scriptContextClass, 'inspect', 0, () =>
  str('#<LogStash::Filters::Ruby::Script::ExecutionContext>'),
)

const TestClass = makeClass('TestContext', undefined, Script)
class TestContext extends RObject {
  readonly test: ScriptTest
  constructor(test: ScriptTest) {
    super(TestClass)
    this.test = test
  }
}
define<ScriptContext>(scriptContextClass, 'test', 1, (self, [name], block) => {
  const test: ScriptTest = { name: toS(name!), parameters: null, input: null, expectations: [] }
  self.tests.push(test)
  return block!.withSelf!(new TestContext(test), undefined).call([], null)
})
define<TestContext>(TestClass, 'parameters', 0, (self, _args, block) => {
  self.test.parameters = block!.call([], null)
  return null
})
define<TestContext>(TestClass, 'in_event', 0, (self, _args, block) => {
  self.test.input = block!.call([], null)
  return null
})
define<TestContext>(TestClass, 'expect', 1, (self, [name], block) => {
  self.test.expectations.push({ name: toS(name!), block: block! })
  return null
})
