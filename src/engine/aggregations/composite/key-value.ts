/** The values of composite keys: how they compare across shards, and how they print. */
import { ApiError, illegalArgument, parseFailure } from '../../../base/api-error.ts'
import type { JsonOutput } from '../../../base/json/json-output.ts'
import { Double, writeJson } from '../../../base/json/json-writer.ts'
import { formatTile, tileOfKey } from '../../values/geotile.ts'
import { formatIp } from '../../values/ip.ts'
import { compareTerms } from '../values/global-ordinals.ts'
import type { DateValueFormat } from '../values/value-format.ts'

/** Null is the bucket of documents without a value; tiles are their packed number. */
export type KeyValue = null | number | bigint | Uint8Array

export interface KeyPrinter {
  print(value: KeyValue): unknown
  /** Rejects a key that a client could not send back as `after`. */
  check?(value: KeyValue): void
}

/** Ascending order of non-null values; the caller places nulls. */
export function compareValues(a: KeyValue, b: KeyValue): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareTerms(a, b)
  return a! < b! ? -1 : a! > b! ? 1 : 0
}

const shown = (print: (value: number | bigint | Uint8Array) => unknown): KeyPrinter => ({
  print: (value) => (value === null ? null : print(value)),
})

export const printTerm = (text: (term: Uint8Array) => string) => shown((value) => text(value as Uint8Array))
export const printIp = shown((value) => formatIp(value as Uint8Array))
export const printWhole = shown((value) => value)
export const printDouble = shown((value) => new Double(value as number))
export const printBoolean = shown((value) => value !== 0)
export const printTile = shown((value) => formatTile(tileOfKey(BigInt(value as bigint))))

export const printDate = (format: DateValueFormat): KeyPrinter => ({
  ...shown((value) => format.text(value as number)),
  check: (value) => {
    if (value !== null) checkRoundTrip(format, value as number)
  },
})

/** Keys are parsed as they were printed, without date math. */
export function instantOfKey({ format, zone }: DateValueFormat, text: string): number {
  try {
    return format.parse(text, { zone }).ms
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw parseFailure(`${error.message}: [${error.message}]`, error)
  }
}

/** A format with less precision than the key (`yyyy-MM` for days) would lead back to another position. */
function checkRoundTrip(format: DateValueFormat, value: number): void {
  const { format: dates, zone } = format
  const parsed = instantOfKey(format, format.text(value))
  if (parsed === value) return
  const shape = `DocValueFormat.DateTime(format[${dates.pattern}] locale[${dates.locale || 'en'}], ${zone.id}, MILLISECONDS)`
  throw illegalArgument(
    `Format [${shape}] created output it couldn't parse for value [${value}] of type [class java.lang.Long]. parsed value: ` +
      `[${parsed}(class java.lang.Long)]`,
  )
}

/** Writes keys, each as the first member of its bucket. */
export class KeyWriter {
  readonly #starts: readonly Buffer[]
  readonly #parts: readonly RepeatedPart[]

  constructor(names: readonly string[], printers: readonly KeyPrinter[]) {
    this.#starts = names.map((name, i) => Buffer.from(`${i === 0 ? '"key":{' : ','}${JSON.stringify(name)}:`))
    this.#parts = printers.map((printer) => new RepeatedPart(printer))
  }

  /** Writes part after part; then `end` is called. */
  write(part: number, value: KeyValue, out: JsonOutput): void {
    out.addBytes(this.#starts[part]!)
    writeJson(this.#parts[part]!.print(value), out)
  }

  end(docCount: number, out: JsonOutput): void {
    out.addAscii('},"doc_count":')
    out.addInteger(docCount)
  }
}

/** Keys are sorted, so their first parts are mostly those of the previous key. */
class RepeatedPart {
  readonly #printer: KeyPrinter
  #value: KeyValue | undefined
  #printed: unknown

  constructor(printer: KeyPrinter) {
    this.#printer = printer
  }

  print(value: KeyValue): unknown {
    if (value !== this.#value) {
      this.#value = value
      this.#printed = this.#printer.print(value)
    }
    return this.#printed
  }
}
