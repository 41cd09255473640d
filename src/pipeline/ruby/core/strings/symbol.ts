/** Symbol */

import { toBlock } from '../../compile/calls.ts'
import { ANY, Comparable, define, SymbolClass } from '../../runtime/classes.ts'
import { compareText, inspectSymbol, send, setSymbolMaker } from '../../runtime/dispatch.ts'
import { RSymbol, symbol, type Value } from '../../runtime/model.ts'
import { type RString, str } from '../../runtime/string.ts'

setSymbolMaker(symbol)
SymbolClass.included.push(Comparable)

define<RSymbol>(SymbolClass, 'to_s name id2name', 0, (self) => str(self.name))
define<RSymbol>(SymbolClass, 'to_sym', 0, (self) => self)
define<RSymbol>(SymbolClass, 'to_proc', 0, (self) => toBlock(self))
define<RSymbol>(SymbolClass, 'inspect', 0, (self) => str(inspectSymbol(self.name)))
define<RSymbol>(SymbolClass, '==', 1, (self, [other]) => self === other)
define<RSymbol>(SymbolClass, '<=>', 1, (self, [other]) =>
  other instanceof RSymbol ? compareText(self.name, other.name) : null,
)

/** String methods that Symbol has too. */
function borrowed(names: string, wrap: (result: Value) => Value): void {
  for (const name of names.split(' ')) {
    define<RSymbol>(SymbolClass, name, ANY, (self, args, block) => {
      const given = args.map((arg) =>
        arg instanceof RSymbol && (name === 'casecmp' || name === 'casecmp?') ? str(arg.name) : arg,
      )
      return wrap(send(str(self.name), name, given, block))
    })
  }
}
borrowed(
  'length size empty? [] start_with? end_with? casecmp casecmp? =~ match match? encoding slice',
  (result) => result,
)
borrowed('upcase downcase capitalize swapcase succ next', (result) => symbol((result as RString).text))
