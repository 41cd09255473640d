/** java.util.HexFormat: bytes as hexadecimal digits. */
import { illegalArgument, indexOutOfBounds } from '../../errors/java-throwable.ts'
import { JArray, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, spendMemory } from '../limits.ts'
import { registerStatics } from '../registry.ts'

interface Options {
  readonly delimiter: string
  readonly prefix: string
  readonly suffix: string
  readonly isUpperCase: boolean
}

class HexFormat extends JObject {
  readonly #options: Options

  constructor(options: Options) {
    super()
    this.#options = options
  }

  get $class(): string {
    return 'java.util.HexFormat'
  }

  delimiter_0(): string {
    return this.#options.delimiter
  }

  prefix_0(): string {
    return this.#options.prefix
  }

  suffix_0(): string {
    return this.#options.suffix
  }

  isUpperCase_0(): boolean {
    return this.#options.isUpperCase
  }

  withDelimiter_1(delimiter: string): HexFormat {
    return new HexFormat({ ...this.#options, delimiter })
  }

  withPrefix_1(prefix: string): HexFormat {
    return new HexFormat({ ...this.#options, prefix })
  }

  withSuffix_1(suffix: string): HexFormat {
    return new HexFormat({ ...this.#options, suffix })
  }

  withUpperCase_0(): HexFormat {
    return new HexFormat({ ...this.#options, isUpperCase: true })
  }

  withLowerCase_0(): HexFormat {
    return new HexFormat({ ...this.#options, isUpperCase: false })
  }

  formatHex_1(bytes: JArray): string {
    return this.formatHex_3(bytes, 0, bytes.items.length)
  }

  formatHex_3(bytes: JArray, from: number, to: number): string {
    const { length } = bytes.items
    if (from < 0 || to < from || to > length) {
      throw indexOutOfBounds(`Range [${from}, ${to}) out of bounds for length ${length}`)
    }
    const { delimiter, prefix, suffix, isUpperCase } = this.#options
    checkString((to - from) * (2 + delimiter.length + prefix.length + suffix.length))
    const texts = bytes.items.slice(from, to).map((byte) => {
      const hex = ((byte as number) & 255).toString(16).padStart(2, '0')
      return prefix + (isUpperCase ? hex.toUpperCase() : hex) + suffix
    })
    return texts.join(delimiter)
  }

  parseHex_1(given: unknown): JArray {
    const text = textOf(given)
    const { delimiter, prefix, suffix } = this.#options
    const stride = prefix.length + 2 + suffix.length + delimiter.length
    if (text === '') return new JArray('byte[]', [])
    if (stride === 2 && text.length % 2 === 1) throw illegalArgument(`string length not even: ${text.length}`)
    if ((text.length + delimiter.length) % stride !== 0) {
      throw illegalArgument(`string is incorrect length: ${text.length}`)
    }
    const bytes: number[] = []
    for (let i = 0; i < text.length; i += stride) {
      const hex = text.slice(i + prefix.length, i + prefix.length + 2)
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) {
        throw illegalArgument(`found: ${hex.length} characters, not hexadecimal digits: "${hex}"`)
      }
      bytes.push((Number.parseInt(hex, 16) << 24) >> 24)
    }
    spendMemory(bytes.length)
    return new JArray('byte[]', bytes)
  }

  parseHex_3(given: unknown, from: number, to: number): JArray {
    const text = textOf(given)
    if (from < 0 || from > to || to > text.length)
      throw indexOutOfBounds(`Range [${from}, ${to}) out of bounds for length ${text.length}`)
    return this.parseHex_1(text.slice(from, to))
  }

  override equals_1(other: unknown): boolean {
    return other instanceof HexFormat && other.toString_0() === this.toString_0()
  }

  override toString_0(): string {
    const { delimiter, prefix, suffix, isUpperCase } = this.#options
    return `uppercase: ${isUpperCase}, delimiter: "${delimiter}", prefix: "${prefix}", suffix: "${suffix}"`
  }
}

const PLAIN: Options = { delimiter: '', prefix: '', suffix: '', isUpperCase: false }

registerStatics('java.util.HexFormat', {
  of_0: () => new HexFormat(PLAIN),
  ofDelimiter_1: (delimiter: string) => new HexFormat({ ...PLAIN, delimiter }),
})
