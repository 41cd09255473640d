/** java.text.DecimalFormat and NumberFormat. */

import { ApiError } from '../../../../base/api-error.ts'
import { decimalFormat } from '../../../values/decimal-format.ts'
import { illegalArgument } from '../../errors/java-throwable.ts'
import { defTo_double } from '../boxing.ts'
import { JObject } from '../java-object.ts'
import { DEFAULT_LOCALE, type JLocale } from '../lang/locale.ts'
import { registerConstructors, registerStatics } from '../registry.ts'

class DecimalFormat extends JObject {
  readonly #pattern: string
  readonly #format: ReturnType<typeof decimalFormat>

  constructor(pattern: string) {
    super()
    this.#pattern = pattern
    try {
      this.#format = decimalFormat(pattern)
    } catch (e) {
      throw e instanceof ApiError ? illegalArgument(e.message) : e
    }
  }

  get $class(): string {
    return 'java.text.DecimalFormat'
  }

  format_1(value: unknown): string {
    return this.#format.format(defTo_double(value, true))
  }

  toPattern_0(): string {
    return this.#pattern
  }
}

class NumberFormat extends JObject {
  readonly #locale: JLocale
  readonly #options: Intl.NumberFormatOptions

  constructor(locale: JLocale, options: Intl.NumberFormatOptions) {
    super()
    this.#locale = locale
    this.#options = { roundingMode: 'halfEven', ...options } as Intl.NumberFormatOptions
  }

  get $class(): string {
    return 'java.text.DecimalFormat'
  }

  format_1(value: unknown): string {
    return new Intl.NumberFormat(this.#locale.tag === '' ? 'en' : this.#locale.tag, this.#options).format(
      typeof value === 'bigint' ? value : defTo_double(value, true),
    )
  }

  setMaximumFractionDigits_1 = (digits: number): void => {
    this.#options.maximumFractionDigits = digits
    this.#options.minimumFractionDigits = Math.min(this.#options.minimumFractionDigits ?? 0, digits)
  }
  setMinimumFractionDigits_1 = (digits: number): void => {
    this.#options.minimumFractionDigits = digits
    this.#options.maximumFractionDigits = Math.max(this.#options.maximumFractionDigits ?? 3, digits)
  }
  setMinimumIntegerDigits_1 = (digits: number): void => {
    this.#options.minimumIntegerDigits = digits
  }
  setGroupingUsed_1 = (used: boolean): void => {
    this.#options.useGrouping = used
  }
}

registerConstructors('java.text.DecimalFormat', {
  0: () => new DecimalFormat('#,##0.###'),
  1: (pattern: string) => new DecimalFormat(pattern),
})
const KINDS: readonly (readonly [string, () => Intl.NumberFormatOptions])[] = [
  ['getInstance', () => ({ maximumFractionDigits: 3 })],
  ['getNumberInstance', () => ({ maximumFractionDigits: 3 })],
  ['getIntegerInstance', () => ({ maximumFractionDigits: 0 })],
  ['getPercentInstance', () => ({ style: 'percent', maximumFractionDigits: 0 })],
]
for (const [name, options] of KINDS)
  registerStatics('java.text.NumberFormat', {
    [`${name}_0`]: () => new NumberFormat(DEFAULT_LOCALE, options()),
    [`${name}_1`]: (locale: JLocale) => new NumberFormat(locale, options()),
  })
