/** java.text.DecimalFormatSymbols. */
import { nullPointer } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { DEFAULT_LOCALE, intlTag, type JLocale } from '../lang/locale.ts'
import { type Implementation, registerConstructors, registerStatics } from '../registry.ts'

/** The symbols that are characters, with their accessors. */
const CHARACTERS = {
  zeroDigit: 'ZeroDigit',
  groupingSeparator: 'GroupingSeparator',
  decimalSeparator: 'DecimalSeparator',
  monetarySeparator: 'MonetaryDecimalSeparator',
  percent: 'Percent',
  perMill: 'PerMill',
  digit: 'Digit',
  patternSeparator: 'PatternSeparator',
  minusSign: 'MinusSign',
} as const
const TEXTS = { infinity: 'Infinity', nan: 'NaN', exponent: 'ExponentSeparator' } as const

type Values = Record<keyof typeof CHARACTERS | keyof typeof TEXTS, string>

/** The symbols by locale, cached. */
const KNOWN = new Map<string, DecimalSymbols>()

export class DecimalSymbols extends JObject {
  readonly values: Values

  constructor(values: Values) {
    super()
    this.values = values
  }

  static of(locale: JLocale): DecimalSymbols {
    const known = KNOWN.get(locale.tag)
    if (known !== undefined) return known.clone_0()
    if (KNOWN.size > 100) KNOWN.clear()
    const symbols = DecimalSymbols.#read(intlTag(locale))
    KNOWN.set(locale.tag, symbols.clone_0())
    return symbols
  }

  static #read(tag: string): DecimalSymbols {
    const parts = new Intl.NumberFormat(tag, { useGrouping: true }).formatToParts(-1234567.5)
    const find = (type: string, fallback: string) => parts.find((part) => part.type === type)?.value ?? fallback
    const texts = (value: number) => new Intl.NumberFormat(tag).format(value)
    const decimalSeparator = find('decimal', '.')
    return new DecimalSymbols({
      zeroDigit: texts(0),
      groupingSeparator: find('group', ','),
      decimalSeparator,
      monetarySeparator: decimalSeparator,
      percent: '%',
      perMill: '‰',
      digit: '#',
      patternSeparator: ';',
      minusSign: find('minusSign', '-').at(-1)!,
      infinity: '∞',
      nan: texts(Number.NaN),
      exponent: 'E',
    })
  }

  get $class(): string {
    return 'java.text.DecimalFormatSymbols'
  }

  clone_0(): DecimalSymbols {
    return new DecimalSymbols({ ...this.values })
  }

  override equals_1(other: unknown): boolean {
    return other instanceof DecimalSymbols && other.#text() === this.#text()
  }

  override hashCode_0(): number {
    return this.values.zeroDigit.charCodeAt(0)
  }

  #text(): string {
    return JSON.stringify(this.values)
  }
}

const define = (name: string, value: Implementation) => Object.defineProperty(DecimalSymbols.prototype, name, { value })

for (const [key, name] of Object.entries(CHARACTERS) as [keyof Values, string][]) {
  define(`get${name}_0`, function (this: DecimalSymbols) {
    return this.values[key].charCodeAt(0)
  })
  define(`set${name}_1`, function (this: DecimalSymbols, code: number) {
    this.values[key] = String.fromCharCode(code)
  })
}
for (const [key, name] of Object.entries(TEXTS) as [keyof Values, string][]) {
  define(`get${name}_0`, function (this: DecimalSymbols) {
    return this.values[key]
  })
  define(`set${name}_1`, function (this: DecimalSymbols, text: string | null) {
    if (text === null && key === 'exponent') throw nullPointer()
    this.values[key] = text!
  })
}

const make = (locale: JLocale = DEFAULT_LOCALE) => DecimalSymbols.of(locale)
registerConstructors('java.text.DecimalFormatSymbols', { 0: () => make(), 1: make })
registerStatics('java.text.DecimalFormatSymbols', { getInstance_0: () => make(), getInstance_1: make })
