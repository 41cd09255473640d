/** Java enums: constants with a name and an ordinal. */
import { illegalArgument, nullPointer } from '../errors/java-throwable.ts'
import { stringHash } from './equality.ts'
import { JArray, JObject } from './java-object.ts'
import { registerFields, registerStatics } from './registry.ts'

export class JEnum extends JObject {
  readonly enumClass: string
  readonly name: string
  readonly ordinal: number
  readonly #listed: string

  constructor(enumClass: string, name: string, ordinal: number) {
    super()
    this.enumClass = enumClass
    this.#listed = enumClass.replaceAll('$', '.')
    this.name = name
    this.ordinal = ordinal
  }

  get $class(): string {
    return this.enumClass
  }

  override get $listed(): string {
    return this.#listed
  }

  name_0(): string {
    return this.name
  }

  ordinal_0(): number {
    return this.ordinal
  }

  compareTo_1(other: JEnum): number {
    return this.ordinal - other.ordinal
  }

  /** Java uses the identity. A stable hash keeps hash maps of enums in one order. */
  override hashCode_0(): number {
    return stringHash(this.name)
  }

  override toString_0(): string {
    return this.name
  }

  toJsonValue(): string {
    return this.name
  }
}

/** Registers the constants, `valueOf` and `values` of an enum. */
export function registerEnum<T extends JEnum>(name: string, constants: readonly T[]): void {
  const listed = name.replaceAll('$', '.')
  registerFields(listed, Object.fromEntries(constants.map((constant) => [constant.name, constant])))
  registerStatics(listed, {
    values_0: () => new JArray(`${listed}[]`, [...constants]),
    valueOf_1: (text: string | null) => {
      if (text === null) throw nullPointer('Name is null')
      const found = constants.find((constant) => constant.name === text)
      if (found === undefined) throw illegalArgument(`No enum constant ${listed}.${text}`)
      return found
    },
  })
}

export function simpleEnum(name: string, constants: readonly string[]): JEnum[] {
  const all = constants.map((constant, i) => new JEnum(name, constant, i))
  registerEnum(name, all)
  return all
}
