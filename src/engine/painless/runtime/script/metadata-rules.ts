/** Which values scripts may give the metadata of a document. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { classOf, isInstance } from '../class-of.ts'
import { textOf } from '../java-text.ts'

export interface MetadataRule {
  /** The Java class of the values. */
  readonly type: string
  readonly required?: boolean | undefined
  /** Throws if a value of the right type is invalid for this name. */
  check?(value: unknown): void
}

export const VERSION: MetadataRule = {
  type: 'java.lang.Number',
  required: true,
  check(value) {
    if (typeof value === 'number' || typeof value === 'bigint') return
    throw illegalArgument(
      `_version may only be set to an int or a long but was [${textOf(value)}] with type [${classOf(value)}]`,
    )
  },
}

export function checkMetadata(name: string, { type, required, check }: MetadataRule, value: unknown): void {
  if (value === null) {
    if (required === true) throw illegalArgument(`${name} cannot be null`)
    return
  }
  if (!isInstance(value, type)) {
    throw illegalArgument(
      `${name} [${textOf(value)}] is wrong type, expected assignable to [${type}], not [${classOf(value)}]`,
    )
  }
  check?.(value)
}
