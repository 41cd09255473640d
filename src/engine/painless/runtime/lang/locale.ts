/** java.util.Locale. */
import { JObject } from '../java-object.ts'
import { registerConstructors, registerFields, registerStatics } from '../registry.ts'

export class JLocale extends JObject {
  /** BCP 47 tag; empty for the root locale. */
  readonly tag: string
  readonly #language: string
  readonly #country: string
  readonly #variant: string

  constructor(language: string, country = '', variant = '') {
    super()
    // Java changes the case of ASCII letters only.
    this.#language = language.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    this.#country = country.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
    this.#variant = variant
    this.tag = [this.#language, this.#country].filter((part) => part !== '').join('-')
  }

  get $class(): string {
    return 'java.util.Locale'
  }

  getLanguage_0(): string {
    return this.#language
  }

  getCountry_0(): string {
    return this.#country
  }

  getVariant_0(): string {
    return this.#variant
  }

  getScript_0(): string {
    return ''
  }

  toLanguageTag_0(): string {
    return this.tag === '' ? 'und' : this.tag
  }

  getDisplayLanguage_0(): string {
    return this.getDisplayLanguage_1(DEFAULT_LOCALE)
  }

  getDisplayLanguage_1(locale: JLocale): string {
    return this.#display('language', this.#language, locale)
  }

  getDisplayCountry_0(): string {
    return this.getDisplayCountry_1(DEFAULT_LOCALE)
  }

  getDisplayCountry_1(locale: JLocale): string {
    return this.#display('region', this.#country, locale)
  }

  #display(type: 'language' | 'region', code: string, locale: JLocale): string {
    return code === '' ? '' : (new Intl.DisplayNames(intlTag(locale), { type }).of(code) ?? code)
  }

  getDisplayName_0(): string {
    const country = this.getDisplayCountry_0()
    return this.getDisplayLanguage_0() + (country === '' ? '' : ` (${country})`)
  }

  clone_0(): JLocale {
    return this
  }

  override toString_0(): string {
    // A variant alone is no locale.
    if (this.#language === '' && this.#country === '') return ''
    const parts = [this.#language, this.#country, this.#variant]
    while (parts.length > 0 && parts.at(-1) === '') parts.pop()
    return parts.join('_')
  }

  override equals_1(other: unknown): boolean {
    return other instanceof JLocale && other.toString_0() === this.toString_0()
  }
}

export const ROOT = new JLocale('')
const ENGLISH = new JLocale('en')

/** The locale of the server's process. */
export const DEFAULT_LOCALE = ENGLISH

/** The tag of the locale for Intl: English for the root locale and for locales without data, whose symbols are the same. */
export function intlTag(locale: JLocale): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale.tag)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

function forLanguageTag(tag: string): JLocale {
  if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag)) return ROOT
  const [language, ...rest] = tag.split('-')
  const country = rest.find((part) => /^([A-Za-z]{2}|\d{3})$/.test(part)) ?? ''
  return language === 'und' ? new JLocale('', country) : new JLocale(language!, country)
}

registerConstructors('java.util.Locale', {
  1: (language: string) => new JLocale(language),
  2: (language: string, country: string) => new JLocale(language, country),
  3: (language: string, country: string, variant: string) => new JLocale(language, country, variant),
})
registerStatics('java.util.Locale', { forLanguageTag_1: forLanguageTag, getDefault_0: () => ENGLISH })
registerFields('java.util.Locale', {
  ROOT,
  ENGLISH,
  US: new JLocale('en', 'US'),
  UK: new JLocale('en', 'GB'),
  CANADA: new JLocale('en', 'CA'),
  CANADA_FRENCH: new JLocale('fr', 'CA'),
  FRENCH: new JLocale('fr'),
  FRANCE: new JLocale('fr', 'FR'),
  GERMAN: new JLocale('de'),
  GERMANY: new JLocale('de', 'DE'),
  ITALIAN: new JLocale('it'),
  ITALY: new JLocale('it', 'IT'),
  JAPANESE: new JLocale('ja'),
  JAPAN: new JLocale('ja', 'JP'),
  KOREAN: new JLocale('ko'),
  KOREA: new JLocale('ko', 'KR'),
  CHINESE: new JLocale('zh'),
  CHINA: new JLocale('zh', 'CN'),
  PRC: new JLocale('zh', 'CN'),
  SIMPLIFIED_CHINESE: new JLocale('zh', 'CN'),
  TAIWAN: new JLocale('zh', 'TW'),
  TRADITIONAL_CHINESE: new JLocale('zh', 'TW'),
})
