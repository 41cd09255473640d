/** The objects of `java.util.function` and Comparator with their default methods. */
import { nullPointer } from '../../errors/java-throwable.ts'
import { compareDoubles, compareTo, equals } from '../equality.ts'
import { JFunction } from '../java-object.ts'
import { type Implementation, registerStatics } from '../registry.ts'

const FUNCTION = 'java.util.function.'

/** The default methods use `call`, which is the abstract method of every interface. */
class FunctionObject extends JFunction {
  readonly apply_1: Implementation = (a) => this.call(a)
  readonly apply_2: Implementation = (a, b) => this.call(a, b)
  readonly accept_1: Implementation = (a) => void this.call(a)
  readonly accept_2: Implementation = (a, b) => void this.call(a, b)
  readonly test_1: Implementation = (a) => this.call(a)
  readonly test_2: Implementation = (a, b) => this.call(a, b)
  readonly get_0: Implementation = () => this.call()
  readonly compare_2: Implementation = (a, b) => this.call(a, b)

  and_1(other: JFunction): JFunction {
    return this.#with((...args) => this.call(...args) && other.call(...args))
  }

  or_1(other: JFunction): JFunction {
    return this.#with((...args) => this.call(...args) || other.call(...args))
  }

  negate_0(): JFunction {
    return this.#with((...args) => !this.call(...args))
  }

  andThen_1(after: JFunction): JFunction {
    if (/Consumer$/.test(this.interface))
      return this.#with((...args) => {
        this.call(...args)
        after.call(...args)
      })
    return this.#with((...args) => after.call(this.call(...args)))
  }

  compose_1(before: JFunction): JFunction {
    return this.#with((a) => this.call(before.call(a)))
  }

  reversed_0(): JFunction {
    return this.#with((a, b) => this.call(b, a))
  }

  thenComparing_1(next: JFunction): JFunction {
    if (next.interface !== 'java.util.Comparator') return this.#then((a, b) => compareTo(next.call(a), next.call(b)))
    return this.#then((a, b) => next.call(a, b))
  }

  thenComparing_2(key: JFunction, comparator: JFunction): JFunction {
    return this.#then((a, b) => comparator.call(key.call(a), key.call(b)))
  }

  thenComparingInt_1(key: JFunction): JFunction {
    return this.#then((a, b) => Math.sign(key.call(a) - key.call(b)))
  }

  thenComparingLong_1(key: JFunction): JFunction {
    return this.#then((a, b) => compareTo(key.call(a), key.call(b)))
  }

  thenComparingDouble_1(key: JFunction): JFunction {
    return this.#then((a, b) => compareDoubles(key.call(a), key.call(b)))
  }

  #with(call: Implementation): JFunction {
    return functionObject(this.interface, call)
  }

  #then(next: Implementation): JFunction {
    return this.#with((a, b) => this.call(a, b) || next(a, b))
  }
}

for (const method of [
  'applyAsInt_1', 'applyAsLong_1', 'applyAsDouble_1', 'applyAsInt_2', 'applyAsLong_2', 'applyAsDouble_2', 'getAsInt_0',
  'getAsLong_0', 'getAsDouble_0', 'getAsBoolean_0', 'adjustInto_1', 'queryFrom_1',
]) // biome-ignore format: a list
  Object.defineProperty(FunctionObject.prototype, method, {
    value(this: FunctionObject, ...args: unknown[]) {
      return this.call(...args)
    },
  })

export const functionObject = (name: string, call: Implementation): JFunction => new FunctionObject(name, call)

export const comparator = (call: (a: unknown, b: unknown) => number): JFunction =>
  functionObject('java.util.Comparator', call)

export const NATURAL_ORDER = comparator(compareTo)
export const REVERSE_ORDER = comparator((a, b) => compareTo(b, a))

const identity = (a: unknown) => a

registerStatics(`${FUNCTION}Function`, { identity_0: () => functionObject(`${FUNCTION}Function`, identity) })
registerStatics(`${FUNCTION}UnaryOperator`, { identity_0: () => functionObject(`${FUNCTION}UnaryOperator`, identity) })
for (const type of ['Int', 'Long', 'Double'])
  registerStatics(`${FUNCTION}${type}UnaryOperator`, {
    identity_0: () => functionObject(`${FUNCTION}${type}UnaryOperator`, identity),
  })
registerStatics(`${FUNCTION}BinaryOperator`, {
  maxBy_1: (c: JFunction) => functionObject(`${FUNCTION}BinaryOperator`, (a, b) => (c.call(a, b) >= 0 ? a : b)),
  minBy_1: (c: JFunction) => functionObject(`${FUNCTION}BinaryOperator`, (a, b) => (c.call(a, b) <= 0 ? a : b)),
})
registerStatics(`${FUNCTION}Predicate`, {
  isEqual_1: (value: unknown) => functionObject(`${FUNCTION}Predicate`, (a) => equals(value, a)),
})

function nullsFirst(other: JFunction | null, sign: number): JFunction {
  return comparator((a, b) => {
    if (a === null) return b === null ? 0 : sign
    if (b === null) return -sign
    return other === null ? 0 : other.call(a, b)
  })
}

const required = (f: JFunction | null): JFunction => {
  if (f === null) throw nullPointer()
  return f
}

registerStatics('java.util.Comparator', {
  naturalOrder_0: () => NATURAL_ORDER,
  reverseOrder_0: () => REVERSE_ORDER,
  comparing_1: (key: JFunction) => comparator((a, b) => compareTo(required(key).call(a), key.call(b))),
  comparing_2: (key: JFunction, order: JFunction) => comparator((a, b) => order.call(key.call(a), key.call(b))),
  comparingInt_1: (key: JFunction) => comparator((a, b) => compareTo(key.call(a), key.call(b))),
  comparingLong_1: (key: JFunction) => comparator((a, b) => compareTo(key.call(a), key.call(b))),
  comparingDouble_1: (key: JFunction) => comparator((a, b) => compareDoubles(key.call(a), key.call(b))),
  nullsFirst_1: (other: JFunction | null) => nullsFirst(other, -1),
  nullsLast_1: (other: JFunction | null) => nullsFirst(other, 1),
})
