/** Struct and OpenStruct. */

import { addMethod, newClass } from '../../compile/definitions.ts'
import { setConstant } from '../../compile/variables.ts'
import { ANY, define, defineStatic, Enumerable, makeClass, nameOf } from '../../runtime/classes.ts'
import { optionsOf, toName } from '../../runtime/convert.ts'
import { equals, inspect, truthy, yield1 } from '../../runtime/dispatch.ts'
import { argumentError, raise } from '../../runtime/errors.ts'
import { hashOf, RHash } from '../../runtime/hash.ts'
import { type RClass, RObject, RSymbol, symbol, type Value } from '../../runtime/model.ts'
import { RString, str } from '../../runtime/string.ts'
import { digInto } from './array.ts'

const StructClass = makeClass('Struct')
StructClass.included.push(Enumerable)
/** The members of the classes that `Struct.new` created. */
const members = new WeakMap<RClass, { names: string[]; usesKeywords: boolean }>()

function membersOf(cls: RClass): { names: string[]; usesKeywords: boolean } {
  for (let one: RClass | null = cls; one !== null; one = one.superclass) {
    const found = members.get(one)
    if (found !== undefined) return found
  }
  return { names: [], usesKeywords: false }
}

defineStatic(StructClass, 'new', ANY, (self, args, block) => {
  if (self !== StructClass) return instantiate(self, args)
  const options = optionsOf(args)
  const plain = args.filter((arg) => !(arg instanceof RHash))
  const cls = newClass(null, StructClass)
  if (plain[0] instanceof RString)
    setConstant(StructClass, plain.shift() instanceof RString ? (args[0] as RString).text : '', cls)
  const names = plain.map(toName)
  members.set(cls, { names, usesKeywords: truthy(options?.get(symbol('keyword_init')) ?? null) })
  for (const name of names) {
    const variable = `@${name}`
    addMethod(cls, {
      name,
      owner: cls,
      visibility: 'public',
      min: 0,
      max: 0,
      arity: 0,
      isNative: true,
      call: (object) => (object as RObject).ivars.get(variable) ?? null,
    })
    addMethod(cls, {
      name: `${name}=`, owner: cls, visibility: 'public', min: 1, max: 1, arity: 1, isNative: true,
      call: (object, [value]) => {
        ;(object as RObject).ivars.set(variable, value!)
        return value!
      },
    }) // biome-ignore format: a record
  }
  block?.withSelf?.(cls, cls).call([cls], null)
  return cls
})

function instantiate(cls: RClass, args: Value[]): Value {
  const made = new RObject(cls)
  cls.find('initialize')!.call(made, args, null)
  return made
}
define<RObject>(StructClass, 'initialize', ANY, (self, args) => {
  const { names, usesKeywords } = membersOf(self.cls)
  const given = args[0]
  if (args.length > names.length) throw argumentError('struct size differs')
  const byName =
    (usesKeywords || (args.length === 1 && given instanceof RHash && given.isKeywords)) && given instanceof RHash
      ? given
      : undefined
  if (byName !== undefined) {
    const unknown = byName.list().filter(({ key }) => !(key instanceof RSymbol && names.includes(key.name)))
    if (unknown.length > 0)
      throw argumentError(`unknown keywords: ${unknown.map(({ key }) => (key as RSymbol).name).join(', ')}`)
  }
  for (const [i, name] of names.entries())
    self.ivars.set(`@${name}`, (byName === undefined ? args[i] : byName.get(symbol(name))) ?? null)
  return null
})
defineStatic(StructClass, 'members', 0, (self) => membersOf(self).names.map(symbol))
defineStatic(StructClass, '[]', ANY, (self, args) => instantiate(self, args))

function valuesOf(self: RObject): Value[] {
  return membersOf(self.cls).names.map((name) => self.ivars.get(`@${name}`) ?? null)
}
function nameAt(self: RObject, key: Value): string {
  const { names } = membersOf(self.cls)
  if (typeof key === 'number') {
    const name = names.at(key)
    if (name === undefined)
      throw raise('IndexError', `offset ${key} too ${key < 0 ? 'small' : 'large'} for struct(size:${names.length})`)
    return name
  }
  const name = toName(key)
  if (!names.includes(name)) throw raise('NameError', `no member '${name}' in struct`)
  return name
}
define<RObject>(StructClass, 'to_a deconstruct values', 0, (self) => valuesOf(self))
define<RObject>(StructClass, 'members', 0, (self) => membersOf(self.cls).names.map(symbol))
define<RObject>(StructClass, 'to_h', 0, (self, _args, block) => {
  const { names } = membersOf(self.cls)
  const values = valuesOf(self)
  if (block === null) return hashOf(names.map((name, i) => [symbol(name), values[i]!] as const))
  return hashOf(names.map((name, i) => block.call([symbol(name), values[i]!], null) as [Value, Value]))
})
define<RObject>(StructClass, 'deconstruct_keys', 1, (self) =>
  hashOf(membersOf(self.cls).names.map((name) => [symbol(name), self.ivars.get(`@${name}`) ?? null] as const)),
)
define<RObject>(StructClass, '[]', 1, (self, [key]) => self.ivars.get(`@${nameAt(self, key!)}`) ?? null)
define<RObject>(StructClass, '[]=', 2, (self, [key, value]) => {
  self.ivars.set(`@${nameAt(self, key!)}`, value!)
  return value!
})
define<RObject>(StructClass, 'dig', [1, Number.POSITIVE_INFINITY], (self, [key, ...rest]) =>
  digInto(self.ivars.get(`@${nameAt(self, key!)}`) ?? null, rest),
)
define<RObject>(StructClass, 'each', 0, (self, _args, block) => {
  for (const value of valuesOf(self)) yield1(block!, value)
  return self
})
define<RObject>(StructClass, 'each_pair', 0, (self, _args, block) => {
  const { names } = membersOf(self.cls)
  for (const [i, value] of valuesOf(self).entries()) block!.call([symbol(names[i]!), value], null)
  return self
})
define<RObject>(StructClass, 'size length', 0, (self) => membersOf(self.cls).names.length)
define<RObject>(
  StructClass,
  '== eql?',
  1,
  (self, [other]) => other instanceof RObject && other.cls === self.cls && equals(valuesOf(self), valuesOf(other)),
)
define<RObject>(StructClass, 'hash', 0, (self) => inspect(valuesOf(self)).length)
define<RObject>(StructClass, 'inspect to_s', 0, (self) => {
  const { names } = membersOf(self.cls)
  const name = self.cls.real.name === null ? '' : `${nameOf(self.cls.real)} `
  const fields = valuesOf(self).map((value, i) => `${names[i]}=${inspect(value)}`)
  return str(`#<struct ${name}${fields.join(', ')}>`)
})

const OpenStructClass = makeClass('OpenStruct')
define<RObject>(OpenStructClass, 'initialize', [0, 1], (self, [hash]) => {
  if (hash instanceof RHash) for (const { key, value } of hash.entries()) self.ivars.set(`@${toName(key)}`, value)
  return null
})
define<RObject>(OpenStructClass, '[]', 1, (self, [key]) => self.ivars.get(`@${toName(key!)}`) ?? null)
define<RObject>(OpenStructClass, '[]=', 2, (self, [key, value]) => {
  self.ivars.set(`@${toName(key!)}`, value!)
  return value!
})
define<RObject>(OpenStructClass, 'to_h', 0, (self) =>
  hashOf([...self.ivars].map(([name, value]) => [symbol(name.slice(1)), value] as const)),
)
define<RObject>(
  OpenStructClass,
  'respond_to?',
  [1, 2],
  (self, [name]) => self.ivars.has(`@${toName(name!)}`) || self.cls.find(toName(name!)) !== undefined,
)
define<RObject>(OpenStructClass, 'dig', [1, Number.POSITIVE_INFINITY], (self, [key, ...rest]) =>
  digInto(self.ivars.get(`@${toName(key!)}`) ?? null, rest),
)
define<RObject>(
  OpenStructClass,
  '==',
  1,
  (self, [other]) =>
    other instanceof RObject &&
    other.cls === self.cls &&
    [...self.ivars].every(([name, value]) => equals(value, other.ivars.get(name) ?? null)),
)
addMethod(OpenStructClass, {
  name: 'method_missing', owner: OpenStructClass, visibility: 'public', min: 0, max: Number.POSITIVE_INFINITY, arity: -1, isNative: false,
  call: (self, [name, value]) => {
    const text = toName(name!)
    if (!text.endsWith('=')) return (self as RObject).ivars.get(`@${text}`) ?? null
    ;(self as RObject).ivars.set(`@${text.slice(0, -1)}`, value!)
    return value!
  },
}) // biome-ignore format: a record
