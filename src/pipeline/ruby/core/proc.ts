/** Proc and Method. */

import { ANY, define, defineStatic, makeClass, nameOf, ProcClass, setClass } from '../runtime/classes.ts'
import { toInt } from '../runtime/convert.ts'
import { send } from '../runtime/dispatch.ts'
import { argumentError, wrongCount } from '../runtime/errors.ts'
import { RBasic, type RMethod, RProc, symbol, type Value } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'

/** A method bound to an object. */
export class RMethodObject extends RBasic {
  readonly receiver: Value
  readonly method: RMethod
  constructor(receiver: Value, method: RMethod) {
    super()
    this.receiver = receiver
    this.method = method
  }
}

export const MethodClass = makeClass('Method')
export const UnboundMethodClass = makeClass('UnboundMethod')
MethodClass.allocate = null
setClass(RMethodObject, MethodClass)

export function methodObject(receiver: Value, method: RMethod): RMethodObject {
  return new RMethodObject(receiver, method)
}

/** An unbound method. */
export function unboundMethod(method: RMethod): RMethodObject {
  const made = new RMethodObject(null, method)
  made.cls = UnboundMethodClass
  return made
}

function callMethod({ receiver, method }: RMethodObject, args: Value[], block: RProc | null): Value {
  if (method.isNative && (args.length < method.min || args.length > method.max))
    throw wrongCount(args.length, method.min, method.max)
  return method.call(receiver, args, block)
}

define<RProc>(ProcClass, 'call () yield === []', ANY, (self, args, block) => self.call(args, block))
define<RProc>(ProcClass, 'to_proc', 0, (self) => self)
define<RProc>(ProcClass, 'lambda?', 0, (self) => self.isLambda)
define<RProc>(ProcClass, 'arity', 0, (self) => self.arity)
define<RProc>(ProcClass, 'parameters', [0, 1], (self) =>
  self.parameters.map(([kind, name]) => (name === '' ? [symbol(kind)] : [symbol(kind), symbol(name)])),
)
define<RProc>(ProcClass, 'inspect to_s', 0, (self) =>
  str(`#<Proc:0x0000000000000001 (ruby filter code)${self.isLambda ? ' (lambda)' : ''}>`),
)
define<RProc>(ProcClass, 'curry', [0, 1], (self, [count]) =>
  curried(self, count === undefined ? (self.arity < 0 ? -self.arity - 1 : self.arity) : toInt(count), []),
)
define<RProc>(ProcClass, '>>', 1, (self, [other]) => composed((args) => send(other!, 'call', [self.call(args, null)])))
define<RProc>(ProcClass, '<<', 1, (self, [other]) => composed((args) => self.call([send(other!, 'call', args)], null)))
define<RProc>(ProcClass, 'ruby2_keywords', 0, (self) => self)
defineStatic(ProcClass, 'new', ANY, (_self, _args, block) => {
  if (block === null) throw argumentError('tried to create Proc object without a block')
  return block
})

function composed(call: (args: Value[]) => Value): RProc {
  const made = new RProc((args) => call(args))
  made.isLambda = true
  return made
}

function curried(proc: RProc, count: number, given: Value[]): Value {
  if (proc.isLambda && proc.arity >= 0 && proc.arity !== count) throw wrongCount(count, proc.arity, proc.arity)
  const made = new RProc((args) => {
    const all = [...given, ...args]
    return all.length >= count ? proc.call(all, null) : curried(proc, count, all)
  })
  made.isLambda = proc.isLambda
  made.arity = count - given.length
  return made
}

define<RMethodObject>(MethodClass, 'call () === []', ANY, (self, args, block) => callMethod(self, args, block))
define<RMethodObject>(MethodClass, 'to_proc', 0, (self) => {
  const made = new RProc((args, block) => callMethod(self, args, block))
  made.isLambda = true
  made.arity = self.method.arity
  return made
})
define<RMethodObject>(MethodClass, 'arity', 0, (self) => self.method.arity)
define<RMethodObject>(MethodClass, 'name', 0, (self) => symbol(self.method.name))
define<RMethodObject>(MethodClass, 'owner', 0, (self) => self.method.owner)
define<RMethodObject>(MethodClass, 'receiver', 0, (self) => self.receiver)
define<RMethodObject>(MethodClass, 'unbind', 0, (self) => unboundMethod(self.method))
define<RMethodObject>(UnboundMethodClass, 'bind', 1, (self, [receiver]) => new RMethodObject(receiver!, self.method))
define<RMethodObject>(UnboundMethodClass, 'name', 0, (self) => symbol(self.method.name))
define<RMethodObject>(UnboundMethodClass, 'arity', 0, (self) => self.method.arity)
define<RMethodObject>(UnboundMethodClass, 'owner', 0, (self) => self.method.owner)
define<RMethodObject>(MethodClass, 'parameters', 0, (self) =>
  (self.method.parameters ?? []).map(([kind, name]) => (name === '' ? [symbol(kind)] : [symbol(kind), symbol(name)])),
)
define<RMethodObject>(MethodClass, 'inspect to_s', 0, (self) =>
  str(`#<Method: ${nameOf(self.method.owner)}#${self.method.name}>`),
)
define<RMethodObject>(MethodClass, '>>', 1, (self, [other]) =>
  composed((args) => send(other!, 'call', [callMethod(self, args, null)])),
)
define<RMethodObject>(MethodClass, '<<', 1, (self, [other]) =>
  composed((args) => callMethod(self, [send(other!, 'call', args)], null)),
)
define<RMethodObject>(MethodClass, 'curry', [0, 1], (self, [count]) => {
  const proc = new RProc((args) => callMethod(self, args, null))
  return curried(proc, count === undefined ? Math.abs(self.method.arity) : toInt(count), [])
})
