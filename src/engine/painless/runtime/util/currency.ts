/** java.util.Currency, with the names and symbols of the ICU data of Node. */
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { DEFAULT_LOCALE, intlTag, type JLocale } from '../lang/locale.ts'
import { registerStatics } from '../registry.ts'

const NONE = 'XXX'
const known = new Map<string, Currency>()

export class Currency extends JObject {
  readonly code: string
  /** Decimals of amounts; -1 for what is no currency. */
  readonly digits: number

  private constructor(code: string) {
    super()
    this.code = code
    const { maximumFractionDigits } = this.#format('en').resolvedOptions()
    this.digits = code === NONE ? -1 : (maximumFractionDigits ?? 2)
  }

  static of(code: string | null): Currency {
    if (code === null) throw nullPointer()
    let currency = known.get(code)
    if (currency === undefined) {
      if (code !== NONE && !Intl.supportedValuesOf('currency').includes(code)) throw illegalArgument()
      known.set(code, (currency = new Currency(code)))
    }
    return currency
  }

  get $class(): string {
    return 'java.util.Currency'
  }

  #format(tag: string): Intl.NumberFormat {
    return new Intl.NumberFormat(tag, { style: 'currency', currency: this.code })
  }

  getCurrencyCode_0(): string {
    return this.code
  }

  getDefaultFractionDigits_0(): number {
    return this.digits
  }

  getSymbol_0(): string {
    return this.getSymbol_1(DEFAULT_LOCALE)
  }

  getSymbol_1(locale: JLocale): string {
    const isRoot = locale.tag === ''
    if (isRoot && this.code === 'USD') return 'US$'
    if (isRoot && this.code === 'JPY') return 'JP¥'
    const parts = this.#format(intlTag(locale)).formatToParts(0)
    return parts.find((part) => part.type === 'currency')!.value
  }

  getDisplayName_0(): string {
    return this.getDisplayName_1(DEFAULT_LOCALE)
  }

  getDisplayName_1(locale: JLocale): string {
    return new Intl.DisplayNames(intlTag(locale), { type: 'currency' }).of(this.code)!
  }

  override toString_0(): string {
    return this.code
  }
}

const EURO = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'
const OTHERS =
  'US USD GB GBP CA CAD AU AUD NZ NZD CH CHF LI CHF JP JPY CN CNY IN INR KR KRW BR BRL MX MXN SE SEK NO NOK DK DKK PL PLN CZ CZK HU HUF RO RON TR TRY RU RUB UA UAH IL ILS ZA ZAR SG SGD HK HKD TW TWD'
const byCountry = new Map<string, string>(EURO.split(' ').map((country) => [country, 'EUR']))
for (const [, country, code] of OTHERS.matchAll(/(..) (...)/g)) byCountry.set(country!, code!)

/** The currency of the country of a locale. Countries that are not in the table are refused. */
export function currencyOf(locale: JLocale): Currency {
  const country = locale.getCountry_0()
  const code = country === '' ? NONE : byCountry.get(country)
  if (code === undefined) throw illegalArgument(`the currency of locale [${locale.toString_0()}] is not supported`)
  return Currency.of(code)
}

registerStatics('java.util.Currency', { getInstance_1: Currency.of })
