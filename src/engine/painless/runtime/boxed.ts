/**
 * The representation of Java values in JavaScript.
 *
 * A value of static type def, Object or Number carries its Java type: int is a number, long a bigint, boolean and
 * String are themselves, null is null, and the other primitives are boxed in the classes below. A value of a primitive
 * static type is unboxed: byte to double and char are plain numbers (a char is its code unit) and long is a bigint.
 */
export abstract class Boxed {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

export class JDouble extends Boxed {}
export class JFloat extends Boxed {}
export class JShort extends Boxed {}
export class JByte extends Boxed {}
export class JChar extends Boxed {}
