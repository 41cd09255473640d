/** Module and Class: reflection, definition of methods, and `attr_accessor` with its variants. */

import { setClassVariable, setInstanceVariable } from '../compile/assignments.ts'
import { addMethod, aliasMethod, newClass, undefine } from '../compile/definitions.ts'
import { constantOf, setConstant } from '../compile/variables.ts'
import {
  ANY,
  atLeast,
  BasicObject,
  ClassClass,
  classOf,
  define,
  defineStatic,
  isA,
  ModuleClass,
  metaOf,
  nameOf,
  ObjectClass,
} from '../runtime/classes.ts'
import { toName } from '../runtime/convert.ts'
import { noMethod } from '../runtime/dispatch.ts'
import { argumentError, raise, typeError, wrongCount } from '../runtime/errors.ts'
import { variablesOf } from '../runtime/instance-variables.ts'
import {
  methodTables,
  RClass,
  type RMethod,
  RObject,
  RProc,
  symbol,
  type Value,
  type Visibility,
} from '../runtime/model.ts'
import { current } from '../runtime/regexp.ts'
import { str } from '../runtime/string.ts'
import { lambdaOf } from './object.ts'
import { RMethodObject, unboundMethod } from './proc.ts'

define<RClass>(ModuleClass, 'name', 0, (self) => (self.name === null ? null : str(self.name)))
define<RClass>(ModuleClass, 'to_s inspect', 0, (self) => str(nameOf(self)))
define<RClass>(ModuleClass, '===', 1, (self, [value]) => isA(value!, self))
define<RClass>(ModuleClass, '==', 1, (self, [other]) => self === other)
define<RClass>(ModuleClass, '<', 1, (self, [other]) => self !== other && self.isSubclassOf(other as RClass))
define<RClass>(ModuleClass, '<=', 1, (self, [other]) =>
  self.isSubclassOf(other as RClass) ? true : (other as RClass).isSubclassOf(self) ? false : null,
)
define<RClass>(ModuleClass, '>', 1, (self, [other]) => self !== other && (other as RClass).isSubclassOf(self))
define<RClass>(ModuleClass, '>=', 1, (self, [other]) => (other as RClass).isSubclassOf(self))
define<RClass>(ModuleClass, '<=>', 1, (self, [other]) =>
  other === self
    ? 0
    : other instanceof RClass
      ? self.isSubclassOf(other)
        ? -1
        : other.isSubclassOf(self)
          ? 1
          : null
      : null,
)
define<RClass>(ModuleClass, 'hash', 0, (self) => nameOf(self).length)
define<RClass>(ModuleClass, 'ancestors', 0, (self) => self.ancestors())
define<RClass>(ModuleClass, 'instance_methods public_instance_methods', [0, 1], (self, [inherits]) => {
  const classes = inherits === false ? [self] : self.ancestors()
  return [
    ...new Set(
      classes.flatMap((cls) =>
        [...cls.methods.values()].filter(({ visibility }) => visibility !== 'private').map(({ name }) => name),
      ),
    ),
  ].map(symbol)
})
define<RClass>(ModuleClass, 'instance_method', 1, (self, [name]) => {
  const method = self.find(toName(name!))
  if (method === undefined)
    throw raise('NameError', `undefined method \`${toName(name!)}' for class \`${nameOf(self)}'`)
  return unboundMethod(method)
})
define<RClass>(ModuleClass, 'method_defined? public_method_defined?', [1, 2], (self, [name]) => {
  const method = self.find(toName(name!))
  return method !== undefined && method.visibility !== 'private'
})
define<RClass>(
  ModuleClass,
  'private_method_defined?',
  [1, 2],
  (self, [name]) => self.find(toName(name!))?.visibility === 'private',
)
define<RClass>(ModuleClass, 'instance_variable_get', 1, (self, [name]) => self.ivars.get(toName(name!)) ?? null)
define<RClass>(ModuleClass, 'constants', [0, 1], (self) => [...self.constants.keys()].map(symbol))
define<RClass>(
  ModuleClass,
  'const_defined?',
  [1, 2],
  (self, [name]) => self.constants.has(toName(name!)) || ObjectClass.constants.has(toName(name!)),
)
define<RClass>(ModuleClass, 'const_get', [1, 2], (self, [name]) => {
  let found: Value = self
  for (const part of toName(name!)
    .split('::')
    .filter((item) => item !== '')) {
    if (!/^\p{Lu}/u.test(part)) throw raise('NameError', `wrong constant name ${part}`)
    found =
      (found as RClass).constants.get(part) ??
      (found === self ? ObjectClass.constants.get(part) : undefined) ??
      constantOf(found as RClass, part)
  }
  return found
})
define<RClass>(ModuleClass, 'const_set', 2, (self, [name, value]) => {
  if (!/^\p{Lu}/u.test(toName(name!))) throw raise('NameError', `wrong constant name ${toName(name!)}`)
  setConstant(self, toName(name!), value!)
  return value!
})
define<RClass>(ModuleClass, 'remove_const', 1, (self, [name]) => {
  const old = self.constants.get(toName(name!))
  if (old === undefined) throw raise('NameError', `constant ${nameOf(self)}::${toName(name!)} not defined`)
  self.constants.delete(toName(name!))
  setConstant(self, ' removed', null)
  self.constants.delete(' removed')
  return old
})
define<RClass>(ModuleClass, 'private_constant public_constant module_eval_string', ANY, () => null)
define<RClass>(ModuleClass, 'class_variable_get', 1, (self, [name]) => self.classVariables.get(toName(name!)) ?? null)
define<RClass>(ModuleClass, 'class_variable_set', 2, (self, [name, value]) => {
  setClassVariable(self, toName(name!), value!)
  return value!
})
define<RClass>(ModuleClass, 'class_variable_defined?', 1, (self, [name]) => self.classVariables.has(toName(name!)))
define<RClass>(ModuleClass, 'class_variables', 0, (self) => [...self.classVariables.keys()].map(symbol))
define<RClass>(ModuleClass, 'included_modules', 0, (self) => self.ancestors().filter((cls) => cls.isModule))
define<RClass>(
  ModuleClass,
  'include?',
  1,
  (self, [module]) => self !== module && self.ancestors().includes(module as RClass),
)
define<RClass>(ModuleClass, 'included inherited extended prepended method_added', 1, () => null, 'private')

define<RClass>(ModuleClass, 'include', atLeast(1), (self, modules) => mixIn(self, modules, self.included, 'included'))
define<RClass>(ModuleClass, 'prepend', atLeast(1), (self, modules) => mixIn(self, modules, self.prepended, 'prepended'))

function mixIn(self: RClass, modules: Value[], list: RClass[], hook: string): Value {
  for (const module of modules) {
    if (!(module instanceof RClass) || !module.isModule)
      throw typeError(`wrong argument type ${nameOf(classOf(module).real)} (expected module)`)
    if (!list.includes(module)) list.unshift(module)
    methodTables.version++
    const method = classOf(module).find(hook)
    if (method !== undefined && !method.isNative) method.call(module, [self], null)
  }
  return self
}

function accessor(names: string, makes: (cls: RClass, name: string) => void): void {
  define<RClass>(ModuleClass, names, ANY, (self, args) => {
    for (const arg of args) makes(self, toName(arg))
    return args.map((arg) => symbol(toName(arg)))
  })
}

function visibilityNow(): Visibility {
  const { visibility } = current.activation
  return visibility === 'private' || visibility === 'protected' ? visibility : 'public'
}

function reader(cls: RClass, name: string): void {
  const variable = `@${name}`
  addMethod(
    cls,
    native(cls, name, 0, (self) => variablesOf(self)?.get(variable) ?? null),
  )
}

function writer(cls: RClass, name: string): void {
  const variable = `@${name}`
  addMethod(
    cls,
    native(cls, `${name}=`, 1, (self, [value]) => {
      setInstanceVariable(self, variable, value!)
      return value!
    }),
  )
}

function native(owner: RClass, name: string, count: number, call: RMethod['call']): RMethod {
  return { name, owner, visibility: visibilityNow(), min: count, max: count, arity: count, isNative: true, call }
}
accessor('attr_reader attr', reader)
accessor('attr_writer', writer)
accessor('attr_accessor', (cls, name) => {
  reader(cls, name)
  writer(cls, name)
})

for (const visibility of ['public', 'private', 'protected'] as const) {
  define<RClass>(ModuleClass, visibility, ANY, (self, args) => {
    if (args.length === 0) current.activation.visibility = visibility
    for (const name of args.flat(1)) changeVisibility(self, toName(name), visibility)
    return args.length === 0 ? null : args[0]!
  })
}
define<RClass>(ModuleClass, 'module_function', ANY, (self, args) => {
  if (args.length === 0) current.activation.visibility = 'module'
  for (const arg of args) {
    const method = self.find(toName(arg))
    if (method !== undefined) addMethod(metaOf(self), { ...method, visibility: 'public' })
  }
  return null
})
define<RClass>(ModuleClass, 'private_class_method', ANY, (self, args) => {
  for (const arg of args) changeVisibility(metaOf(self), toName(arg), 'private')
  return null
})
define<RClass>(ModuleClass, 'public_class_method', ANY, (self, args) => {
  for (const arg of args) changeVisibility(metaOf(self), toName(arg), 'public')
  return null
})

function changeVisibility(cls: RClass, name: string, visibility: Visibility): void {
  const method = cls.find(name)
  if (method === undefined) throw raise('NameError', `undefined method \`${name}' for class \`${nameOf(cls)}'`)
  addMethod(cls, { ...method, owner: method.owner === cls ? cls : method.owner, visibility })
}

define<RClass>(ModuleClass, 'define_method', [1, 2], (self, [name, body], block) => {
  const proc = body instanceof RProc ? body : block
  if (proc === null && !(body instanceof RMethodObject))
    throw argumentError('tried to create Proc object without a block')
  const method: RMethod = {
    name: toName(name!),
    owner: self,
    visibility: 'public',
    min: 0,
    max: Number.POSITIVE_INFINITY,
    arity: proc?.arity ?? -1,
    isNative: false,
    call:
      body instanceof RMethodObject
        ? body.method.call
        : (receiver, args, given) => callAsMethod(proc!, receiver, args, given),
  }
  addMethod(self, method)
  return symbol(method.name)
})

function callAsMethod(proc: RProc, receiver: Value, args: Value[], block: RProc | null): Value {
  if (proc.withSelf === undefined) return proc.call(args, block)
  if (proc.arity >= 0 && args.length !== proc.arity) throw wrongCount(args.length, proc.arity, proc.arity)
  return lambdaOf(proc.withSelf(receiver, undefined)).call(args, block)
}

define<RClass>(ModuleClass, 'alias_method', 2, (self, [to, from]) => {
  aliasMethod(self, toName(to!), toName(from!))
  return symbol(toName(to!))
})
define<RClass>(ModuleClass, 'undef_method', ANY, (self, names) => {
  for (const name of names) undefine(self, toName(name))
  return self
})
define<RClass>(ModuleClass, 'remove_method', ANY, (self, names) => {
  for (const name of names) self.methods.delete(toName(name))
  methodTables.version++
  return self
})
define<RClass>(ModuleClass, 'class_eval module_eval class_exec module_exec', ANY, (self, args, block) => {
  if (block?.withSelf === undefined)
    throw raise('NotImplementedError', 'class_eval: code of the ruby filter cannot evaluate text as code')
  return block.withSelf(self, self).call(args.length > 0 ? args : [self], null)
})
define<RClass>(ModuleClass, 'freeze', 0, (self) => self)
define<RClass>(ModuleClass, 'module_function?', 0, () => false)
defineStatic(ModuleClass, 'new', 0, (_self, _args, block) => {
  const module = new RClass(null, null, 'module')
  module.cls = ModuleClass
  block?.withSelf?.(module, module).call([module], null)
  return module
})

define<RClass>(ClassClass, 'new', ANY, (self, args, block) => {
  const made = allocate(self)
  const initialize = self.find('initialize')!
  if (initialize.owner === BasicObject && args.length > 0) throw wrongCount(args.length, 0, 0)
  if (initialize.isNative && (args.length < initialize.min || args.length > initialize.max))
    throw wrongCount(args.length, initialize.min, initialize.max)
  initialize.call(made, args, block)
  return made
})
define<RClass>(ClassClass, 'allocate', 0, (self) => allocate(self))
define<RClass>(ClassClass, 'superclass', 0, (self) => self.superclass?.real ?? null)
define<RClass>(ClassClass, 'class', 0, (self) => self.cls.real)
define<RClass>(ClassClass, 'instance_methods_list', 0, () => [])
define<RClass>(ClassClass, 'subclasses', 0, () => [])
defineStatic(ClassClass, 'new', [0, 1], (_self, [superclass], block) => {
  const above = superclass ?? ObjectClass
  if (!(above instanceof RClass) || above.isModule) throw typeError('superclass must be a Class')
  const cls = newClass(null, above)
  block?.withSelf?.(cls, cls).call([cls], null)
  return cls
})

function allocate(cls: RClass): Value {
  for (let one: RClass | null = cls; one !== null; one = one.superclass) {
    if (one.allocate === null) throw noMethod(cls, 'new')
    if (one.allocate !== undefined) return one.allocate(cls)
  }
  return new RObject(cls)
}
