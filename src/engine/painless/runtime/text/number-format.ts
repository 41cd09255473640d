/** java.text.NumberFormat: the formats of a locale, and the settings of number formats. */
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import type { JEnum } from '../java-enum.ts'
import { DEFAULT_LOCALE, intlTag, type JLocale } from '../lang/locale.ts'
import { registerConstructors, registerFields, registerStatics } from '../registry.ts'
import { DecimalFormat } from './decimal-format.ts'
import { DecimalSymbols } from './decimal-symbols.ts'

const define = (name: string, value: (this: DecimalFormat, ...args: never[]) => unknown) =>
  Object.defineProperty(DecimalFormat.prototype, name, { value })

/** Settings with a plain getter and setter: the methods' names without `get`, `is` and `set`. */
const PLAIN = {
  isGrouping: 'isGroupingUsed',
  integerOnly: 'isParseIntegerOnly',
  bigDecimal: 'isParseBigDecimal',
  alwaysShowsPoint: 'isDecimalSeparatorAlwaysShown',
  multiplier: 'getMultiplier',
} as const

for (const [key, getter] of Object.entries(PLAIN) as [keyof typeof PLAIN, string][]) {
  define(`${getter}_0`, function () {
    return this.settings[key]
  })
  define(`${getter.replace(/^(is|get)/, 'set')}_1`, function (value: never) {
    this.settings[key] = value
  })
}

for (const part of ['Integer', 'Fraction'] as const) {
  const min = `min${part}` as const
  const max = `max${part}` as const
  define(`getMinimum${part}Digits_0`, function () {
    return this.settings[min]
  })
  define(`getMaximum${part}Digits_0`, function () {
    return this.settings[max]
  })
  define(`setMinimum${part}Digits_1`, function (digits: number) {
    this.settings[min] = Math.max(0, digits)
    this.settings[max] = Math.max(this.settings[min], this.settings[max])
  })
  define(`setMaximum${part}Digits_1`, function (digits: number) {
    this.settings[max] = Math.max(0, digits)
    this.settings[min] = Math.min(this.settings[min], this.settings[max])
  })
}

for (const name of ['positivePrefix', 'positiveSuffix', 'negativePrefix', 'negativeSuffix'] as const) {
  const Name = name[0]!.toUpperCase() + name.slice(1)
  define(`get${Name}_0`, function () {
    return this.affix(name)
  })
  define(`set${Name}_1`, function (text: string | null) {
    this.setAffix(name, text)
  })
}

define('getRoundingMode_0', function () {
  return this.settings.mode
})
define('setRoundingMode_1', function (mode: JEnum | null) {
  if (mode === null) throw nullPointer()
  this.settings.mode = mode
})
define('getGroupingSize_0', function () {
  return this.settings.groupSize
})
define('setGroupingSize_1', function (size: number) {
  if (size < 0 || size > 127) throw illegalArgument(`newValue is out of valid range. value: ${size}`)
  this.settings.groupSize = size
})

/** The percent pattern of a locale: the sign is before or behind the number. */
function percentPattern(locale: JLocale): string {
  const parts = new Intl.NumberFormat(intlTag(locale), { style: 'percent' }).formatToParts(1)
  const text = (type: string, value: string) => (type === 'integer' ? '#,##0' : type === 'percentSign' ? '%' : value)
  return parts.map(({ type, value }) => text(type, value)).join('')
}

const numbers = (locale: JLocale) => new DecimalFormat('#,##0.###', DecimalSymbols.of(locale))
const KINDS: Readonly<Record<string, (locale: JLocale) => DecimalFormat>> = {
  getInstance: numbers,
  getNumberInstance: numbers,
  getIntegerInstance: (locale) => {
    const format = numbers(locale)
    Object.assign(format.settings, { maxFraction: 0, integerOnly: true })
    return format
  },
  getPercentInstance: (locale) => new DecimalFormat(percentPattern(locale), DecimalSymbols.of(locale)),
}
for (const [name, make] of Object.entries(KINDS))
  registerStatics('java.text.NumberFormat', { [`${name}_0`]: () => make(DEFAULT_LOCALE), [`${name}_1`]: make })

registerFields('java.text.NumberFormat', { INTEGER_FIELD: 0, FRACTION_FIELD: 1 })
registerConstructors('java.text.DecimalFormat', {
  0: () => numbers(DEFAULT_LOCALE),
  1: (pattern: string) => new DecimalFormat(pattern, DecimalSymbols.of(DEFAULT_LOCALE)),
  2: (pattern: string, symbols: DecimalSymbols) => new DecimalFormat(pattern, symbols.clone_0()),
})
