/** Binding: access to local variables. It cannot evaluate code. */

import { RBinding } from '../runtime/binding.ts'
import { define, makeClass, setClass } from '../runtime/classes.ts'
import { toName } from '../runtime/convert.ts'
import { raise } from '../runtime/errors.ts'
import { symbol } from '../runtime/model.ts'

const BindingClass = makeClass('Binding')
BindingClass.allocate = null
setClass(RBinding, BindingClass)
define<RBinding>(BindingClass, 'local_variable_defined?', 1, (self, [name]) => self.get(toName(name!)) !== undefined)
define<RBinding>(BindingClass, 'local_variable_get', 1, (self, [name]) => {
  const value = self.get(toName(name!))
  if (value === undefined) throw raise('NameError', `local variable \`${toName(name!)}' is not defined for #<Binding>`)
  return value
})
define<RBinding>(BindingClass, 'local_variable_set', 2, (self, [name, value]) => {
  if (!self.set(toName(name!), value!))
    throw raise('NotImplementedError', 'a binding cannot get new variables in the ruby filter')
  return value!
})
define<RBinding>(BindingClass, 'local_variables', 0, (self) => self.names.map(symbol))
define<RBinding>(BindingClass, 'receiver', 0, (self) => self.self)
