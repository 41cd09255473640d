/** Object: methods of every value. */

import { setInstanceVariable } from '../compile/assignments.ts'
import { addMethod, singletonClass } from '../compile/definitions.ts'
import {
  ANY,
  atLeast,
  BasicObject,
  classOf,
  define,
  FalseClass,
  isA,
  Kernel,
  NilClass,
  realClassOf,
  TrueClass,
} from '../runtime/classes.ts'
import { optionsOf, toName } from '../runtime/convert.ts'
import {
  anyToS,
  described,
  eql,
  equals,
  hiddenMethod,
  inspectObject,
  missing,
  noMethod,
  respondsTo,
  send,
  toS,
  truthy,
  yield1,
} from '../runtime/dispatch.ts'
import { RException, raise, typeError, wrongCount } from '../runtime/errors.ts'
import { hashKey, identityOf, RHash } from '../runtime/hash.ts'
import { variablesOf } from '../runtime/instance-variables.ts'
import { RClass, RFloat, type RMethod, RObject, RProc, symbol, type Value } from '../runtime/model.ts'
import { RString, str } from '../runtime/string.ts'
import { enumerator } from './collections/iterate.ts'
import { isFrozen } from './frozen.ts'
import { rational } from './numbers/rational.ts'
import { methodObject, RMethodObject } from './proc.ts'

define(BasicObject, 'initialize', ANY, () => null, 'private')
define(BasicObject, '== equal?', 1, (self, [other]) => same(self, other!))
define(
  BasicObject,
  'method_missing',
  atLeast(1),
  (self, [name]): Value => {
    throw noMethod(self, toName(name!))
  },
  'private',
)
define(BasicObject, '!', 0, (self) => !truthy(self))
define(BasicObject, '!=', 1, (self, [other]) => !equals(self, other!))
define(BasicObject, '__id__', 0, (self) => objectId(self))
define(Kernel, '===', 1, (self, [other]) => same(self, other!) || equals(self, other!))
define(Kernel, '=~', 1, () => null)
define(Kernel, '!~', 1, (self, [other]) => !truthy(send(self, '=~', [other!])))
define(Kernel, 'eql?', 1, (self, [other]) => (self instanceof RObject ? same(self, other!) : eql(self, other!)))
define(Kernel, '<=>', 1, (self, [other]) => (same(self, other!) || equals(self, other!) ? 0 : null))

/** Identity: by value for numbers, by object for everything else. */
function same(a: Value, b: Value): boolean {
  return a === b || (a instanceof RFloat && b instanceof RFloat && Object.is(a.value, b.value))
}

function objectId(value: Value): number {
  if (typeof value === 'number') return value * 2 + 1
  if (value === null) return 8
  if (typeof value === 'boolean') return value ? 20 : 0
  return typeof value === 'bigint' ? Number(value % 1_000_000_007n) : identityOf(value)
}

define(Kernel, 'object_id', 0, (self) => objectId(self))
define(Kernel, 'class', 0, (self) => realClassOf(self))
define(Kernel, 'singleton_class', 0, (self) => singletonClass(self))
define(Kernel, 'nil?', 0, (self) => self === null)
define(Kernel, 'is_a? kind_of?', 1, (self, [cls]) => {
  if (!(cls instanceof RClass)) throw typeError('class or module required')
  return isA(self, cls)
})
define(Kernel, 'instance_of?', 1, (self, [cls]) => realClassOf(self) === cls)
define(
  Kernel,
  'respond_to?',
  [1, 2],
  (self, [name, all]) =>
    respondsTo(self, toName(name!)) || (all === true && classOf(self).find(toName(name!)) !== undefined),
)
define(Kernel, 'respond_to_missing?', 2, () => false, 'private')
define(Kernel, 'to_s', 0, (self) => str(anyToS(self)))
define(Kernel, 'inspect', 0, (self) => {
  if (!(self instanceof RObject)) return str(toS(self))
  // `inspect` does not use a `to_s` that the class defines.
  return str(inspectObject(self))
})
define(Kernel, 'hash', 0, (self) => {
  let hash = 7
  for (const char of String(
    typeof hashKey(self) === 'object' ? objectId(self) : `${typeof hashKey(self)}${String(hashKey(self))}`,
  ))
    hash = (hash * 31 + char.charCodeAt(0)) % 2_147_483_647
  return hash
})
define(Kernel, 'freeze', 0, (self) => {
  if (Array.isArray(self)) Object.freeze(self)
  else if (self instanceof RString || self instanceof RHash || self instanceof RObject || self instanceof RClass)
    self.frozen = true
  return self
})
define(Kernel, 'frozen?', 0, (self) => isFrozen(self))
define(Kernel, 'dup', 0, (self) => copied(self))
define(Kernel, 'clone', [0, 1], (self, args) => {
  const copy = copied(self)
  const wish = optionsOf(args)?.get(symbol('freeze'))
  const freezes = wish === undefined || wish === null ? isFrozen(self) : wish === true
  if (freezes && copy !== self) send(copy, 'freeze')
  if (copy instanceof RObject && self instanceof RObject) copy.cls = self.cls
  return copy
})

export function copied(self: Value): Value {
  if (Array.isArray(self)) return [...self]
  if (self instanceof RString) {
    const copy = str(self.text)
    copy.encoding = self.encoding
    return copy
  }
  if (self instanceof RHash) {
    const copy = self.copy()
    copy.defaultValue = self.defaultValue
    copy.defaultProc = self.defaultProc
    return copy
  }
  if (self instanceof RObject) {
    const copy = (self.cls.real.allocate?.(self.cls.real) as RObject | undefined) ?? new RObject(self.cls.real)
    for (const [name, value] of self.ivars) copy.ivars.set(name, value)
    const hook = copy.cls.find('initialize_copy')
    if (hook !== undefined && !hook.isNative) hook.call(copy, [self], null)
    return copy
  }
  if (self instanceof RException) {
    const copy = new RException(self.cls, self.message)
    for (const [name, value] of self.ivars) copy.ivars.set(name, value)
    return copy
  }
  if (self instanceof RClass) {
    const copy = new RClass(null, self.superclass, self.isModule ? 'module' : 'class')
    copy.cls = self.cls
    for (const [name, method] of self.methods) copy.methods.set(name, method)
    return copy
  }
  return self
}

define(Kernel, 'tap', 0, (self, _args, block) => {
  yield1(block!, self)
  return self
})
define(Kernel, 'then yield_self', 0, (self, _args, block) =>
  block === null ? enumerator(self, 'then') : yield1(block, self),
)
define(Kernel, 'itself', 0, (self) => self)
define(Kernel, 'display', 0, () => null)
define(Kernel, 'send __send__', atLeast(1), (self, args, block) => sending(self, args, block, true))
define(Kernel, 'public_send', atLeast(1), (self, args, block) => sending(self, args, block, false))

function sending(self: Value, [name, ...args]: Value[], block: RProc | null, mayBePrivate: boolean): Value {
  const method = classOf(self).find(toName(name!))
  if (method === undefined) return missing(self, toName(name!), args, block)
  if (!mayBePrivate && method.visibility !== 'public') throw hiddenMethod(self, method)
  if (method.isNative && (args.length < method.min || args.length > method.max))
    throw wrongCount(args.length, method.min, method.max)
  return method.call(self, args, block)
}

define(Kernel, 'method public_method', 1, (self, [name]) => {
  const method = classOf(self).find(toName(name!))
  if (method === undefined)
    throw raise('NameError', `undefined method \`${toName(name!)}' for class \`#<Class:${described(self)}>'`, {
      name: symbol(toName(name!)),
    })
  return methodObject(self, method)
})
define(Kernel, 'methods public_methods', [0, 1], (self) =>
  methodNames(self, (method) => method.visibility !== 'private'),
)
define(Kernel, 'singleton_methods', [0, 1], (self) => {
  const cls = classOf(self)
  return cls.isSingleton ? [...cls.methods.keys()].map(symbol) : []
})
define(Kernel, 'private_methods', [0, 1], (self) => methodNames(self, (method) => method.visibility === 'private'))

function methodNames(self: Value, test: (method: RMethod) => boolean): Value[] {
  const names = new Set<string>()
  for (const cls of classOf(self).ancestors())
    for (const method of cls.methods.values()) if (test(method)) names.add(method.name)
  return [...names].map(symbol)
}

define(Kernel, 'instance_variable_get', 1, (self, [name]) => variablesOf(self)?.get(variableName(name!)) ?? null)
define(Kernel, 'instance_variable_set', 2, (self, [name, value]) => {
  setInstanceVariable(self, variableName(name!), value!)
  return value!
})
define(Kernel, 'instance_variable_defined?', 1, (self, [name]) => variablesOf(self)?.has(variableName(name!)) ?? false)
define(Kernel, 'instance_variables', 0, (self) => [...(variablesOf(self)?.keys() ?? [])].map(symbol))
define(Kernel, 'remove_instance_variable', 1, (self, [name]) => {
  const variables = variablesOf(self)
  const old = variables?.get(variableName(name!))
  if (old === undefined)
    throw raise('NameError', `instance variable ${variableName(name!)} not defined for ${described(self)}`)
  variables!.delete(variableName(name!))
  return old
})

function variableName(value: Value): string {
  const name = toName(value)
  if (!/^@[\p{L}_]/u.test(name)) throw raise('NameError', `'${name}' is not allowed as an instance variable name`)
  return name
}

define(Kernel, 'instance_exec', ANY, (self, args, block) => {
  if (block?.withSelf === undefined) throw raise('LocalJumpError', 'no block given (yield)')
  return block.withSelf(self, undefined).call(args, null)
})
define(Kernel, 'instance_eval', ANY, (self, args, block) => {
  if (args.length > 0 || block?.withSelf === undefined)
    throw raise('NotImplementedError', 'instance_eval: code of the ruby filter cannot evaluate text as code')
  return block
    .withSelf(self, self instanceof RObject || self instanceof RClass ? singletonClass(self) : undefined)
    .call([self], null)
})
define(Kernel, 'define_singleton_method', [1, 2], (self, [name, body], block) => {
  const proc = body instanceof RProc ? body : block
  const method = body instanceof RMethodObject ? body.method : undefined
  const cls = singletonClass(self)
  addMethod(cls, {
    name: toName(name!), owner: cls, visibility: 'public', min: 0, max: Number.POSITIVE_INFINITY, arity: proc?.arity ?? -1, isNative: false,
    call: method !== undefined ? method.call : (receiver, args, given) => lambdaOf(proc!.withSelf!(receiver, undefined)).call(args, given),
  })
  return symbol(toName(name!))
}) // biome-ignore format: the object is a record

/** `return` in a method that was defined from a block ends the method. */
export function lambdaOf(proc: RProc): RProc {
  proc.isLambda = true
  return proc
}

define(Kernel, 'extend', atLeast(1), (self, modules) => {
  const cls = singletonClass(self)
  for (const module of modules)
    if (module instanceof RClass && !cls.included.includes(module)) cls.included.unshift(module)
  addMethod(cls, {
    name: ' extended',
    owner: cls,
    visibility: 'private',
    call: () => null,
    min: 0,
    max: 0,
    arity: 0,
    isNative: true,
  })
  return self
})
define(Kernel, 'instance_variable_names', 0, (self) => [...(variablesOf(self)?.keys() ?? [])].map(str))
define(Kernel, 'enum_for to_enum', ANY, (self, [name, ...args]) =>
  enumerator(self, name === undefined ? 'each' : toName(name), args),
)

// nil, true and false
define(NilClass, 'to_s', 0, () => str(''))
define(NilClass, 'to_a', 0, () => [])
define(NilClass, 'to_h', 0, () => new RHash())
define(NilClass, 'to_i', 0, () => 0)
define(NilClass, 'to_f', 0, () => new RFloat(0))
define(NilClass, 'to_r rationalize', [0, 1], () => rational(0, 1))
define(NilClass, 'inspect', 0, () => str('nil'))
define(NilClass, '&', 1, () => false)
define(NilClass, '|', 1, (_self, [other]) => truthy(other!))
define(NilClass, '=~', 1, () => null)
for (const cls of [TrueClass, FalseClass]) {
  define(cls, 'to_s inspect', 0, (self) => str(String(self)))
  define(cls, '&', 1, (self, [other]) => self === true && truthy(other!))
  define(cls, '|', 1, (self, [other]) => self === true || truthy(other!))
  define(cls, '^', 1, (self, [other]) => (self === true) !== truthy(other!))
}
