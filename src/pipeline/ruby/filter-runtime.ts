/** The runtime of one `ruby` filter: inline code or a script. */
import './library/all.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import type { ConfigValue } from '../plugin/options.ts'
import { rubyErrorOf } from './compile/control.ts'
import { singletonClass } from './compile/definitions.ts'
import { messageOf } from './core/exception.ts'
import { output } from './core/kernel.ts'
import { compileProgram, type Program } from './interpreter.ts'
import { REvent } from './logstash/event.ts'
import {
  FilterObject,
  LogStashLogger,
  rubyFilterClass,
  ScriptContext,
  scriptContextClass,
} from './logstash/filter-object.ts'
import { pipelineClock } from './logstash/timestamp.ts'
import { forgetStrings } from './logstash/values.ts'
import { classOf, nameOf } from './runtime/classes.ts'
import { send, toS } from './runtime/dispatch.ts'
import { RubyError, raise } from './runtime/errors.ts'
import { RHash } from './runtime/hash.ts'
import { LimitError, meter, resetLimits } from './runtime/limits.ts'
import { type RClass, RFloat, RProc, type Value } from './runtime/model.ts'
import { str } from './runtime/string.ts'
import { filtered, RubyCodeError } from './script-call.ts'
import { runScriptTests } from './script-tests.ts'
import { RubySyntaxError } from './syntax/ast.ts'

/** The exception that the code raised for an event. */
export interface RaisedError {
  readonly className: string
  readonly message: string
  readonly line: number
}

export interface RubyContext {
  readonly log: Log
  readonly clock: Clock
}

const writeToStdout = (text: string): void => void process.stdout.write(text)

function prepare({ clock }: RubyContext): void {
  pipelineClock.source = clock
  output.write = writeToStdout
  resetLimits()
  forgetStrings()
}

/** Starts a run for an event. Returns the `new_event_block` for the code. */
export function preparing(context: RubyContext, more: Event[]): RProc {
  prepare(context)
  return new RProc(([made]) => {
    if (!(made instanceof REvent)) {
      throw raise('TypeError', `wrong argument type ${nameOf(classOf(made ?? null).real)} (expected LogStash::Event)`)
    }
    more.push(made.event)
    return null
  })
}

/** Runs code that may raise. Returns undefined if it did not. */
function caught(run: () => void, isAnything = true): RaisedError | undefined {
  try {
    run()
    return undefined
  } catch (thrown) {
    const raised = raisedBy(thrown)
    if (raised === undefined) throw thrown
    if (!isAnything && !raised.isStandard) throw new RubyCodeError(raised.message)
    return raised
  }
}

/** Undefined for an internal error, which the code must not handle. */
export function raisedBy(thrown: unknown): (RaisedError & { isStandard: boolean }) | undefined {
  if (thrown instanceof LimitError)
    return { className: 'LimitError', message: thrown.message, line: meter.line, isStandard: true }
  const error = rubyErrorOf(thrown)
  if (error === undefined) {
    const jump = thrown as { constructor?: { name?: string } }
    if (/^(?:Break|Next|Loop|Retry|Return|Throw)Jump$/.test(jump.constructor?.name ?? ''))
      return { className: 'LocalJumpError', message: 'unexpected jump', line: meter.line, isStandard: true }
    if (!(thrown instanceof Error)) return undefined
    return { className: 'InternalError', message: thrown.message, line: meter.line, isStandard: true }
  }
  const { exception } = error
  let message: string
  try {
    message = toS(exception)
  } catch {
    message = messageOf(exception)
  }
  return {
    className: nameOf(exception.cls.real),
    message,
    line: exception.line,
    isStandard: exception.cls.isSubclassOf(standardError()),
  }
}

function standardError() {
  return raise('StandardError', '').exception.cls
}

/** The code of `init` and `code`. Both run in the same object for the lifetime of the pipeline. */
export class InlineRuby {
  readonly #self: FilterObject
  readonly #program: Program
  readonly #context: RubyContext

  /** Throws `RubyCodeError`. */
  constructor(code: string, init: string | undefined, context: RubyContext) {
    this.#context = context
    this.#self = new FilterObject(rubyFilterClass, new LogStashLogger(context.log))
    prepare(context)
    if (init !== undefined) {
      const program = compiled('init', init, [])
      const error = caught(() => program.run(this.#self, [], null))
      if (error !== undefined)
        throw new RubyCodeError(`the code of \`init\` raised ${error.className}: ${error.message} (line ${error.line})`)
    }
    this.#program = compiled('code', code, ['event', 'new_event_block'])
  }

  run(event: Event, more: Event[]): RaisedError | undefined {
    const block = preparing(this.#context, more)
    try {
      this.#program.run(this.#self, [new REvent(event), block], block)
      return undefined
    } catch (thrown) {
      const raised = raisedBy(thrown)
      if (raised === undefined) throw thrown
      return raised
    }
  }
}

function compiled(what: string, source: string, names: readonly string[]): Program {
  return compiledIn(rubyFilterClass, what, source, names)
}

/** Throws `RubyCodeError` for code that cannot be parsed. */
export function compiledIn(cls: RClass, what: string, source: string, names: readonly string[]): Program {
  try {
    return compileProgram(source, names, cls)
  } catch (error) {
    if (error instanceof RubySyntaxError) throw new RubyCodeError(`${what}, line ${error.line}: ${error.message}`)
    if (error instanceof RubyError) throw new RubyCodeError(`${what}: ${messageOf(error.exception)}`)
    throw error
  }
}

/** A script file with `filter(event)` and an optional `register(params)`. */
export class ScriptRuby {
  readonly #self: ScriptContext
  readonly #context: RubyContext

  constructor(source: string, path: string, params: ReadonlyMap<string, ConfigValue>, context: RubyContext) {
    this.#context = context
    this.#self = new ScriptContext(scriptContextClass, new LogStashLogger(context.log))
    prepare(context)
    const definitions = singletonClass(this.#self)
    let program: Program
    try {
      program = compileProgram(source, [], definitions)
    } catch (error) {
      if (error instanceof RubySyntaxError)
        throw new RubyCodeError(`Error during load of '${path}', line ${error.line}: ${error.message}`)
      throw error
    }
    const loaded = caught(() => program.run(this.#self, [], null))
    if (loaded !== undefined)
      throw new RubyCodeError(
        `Error during load of '${path}': #<${loaded.className}: ${loaded.message}> (line ${loaded.line})`,
      )
    if (definitions.methods.get('filter') === undefined)
      throw new RubyCodeError(
        `Error during load of '${path}': Script does not define a filter! Please ensure that you have defined a filter method!`,
      )
    const parameters = new RHash()
    for (const [name, value] of params) parameters.set(str(name), configValue(value))
    this.#register(parameters, path)
    runScriptTests(this.#self, path, raisedBy, (hash) => this.#register(hash, path))
    if (this.#self.tests.length > 0) this.#register(parameters, path)
  }

  #register(parameters: RHash, path: string): void {
    const error = caught(() => void send(this.#self, 'register', [parameters]))
    if (error !== undefined)
      throw new RubyCodeError(
        `Error during register of '${path}': #<${error.className}: ${error.message}> (line ${error.line})`,
      )
  }

  run(event: Event, more: Event[]): RaisedError | undefined {
    prepare(this.#context)
    return caught(() => {
      const original = new REvent(event)
      const results = filtered(this.#self, original)
      let isKept = false
      for (const result of results) {
        if (result === original) isKept = true
        else more.push(result.event)
      }
      if (!isKept) event.cancel()
    })
  }
}

/** Converts a value of the configuration to a Ruby value. */
export function configValue(value: ConfigValue): Value {
  if (typeof value === 'string') return str(value)
  if (typeof value === 'number') return Number.isInteger(value) ? value : new RFloat(value)
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(configValue)
  const hash = new RHash()
  for (const [name, item] of Object.entries(value)) hash.set(str(name), configValue(item))
  return hash
}
