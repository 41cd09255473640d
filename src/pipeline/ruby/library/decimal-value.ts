/** BigDecimal: decimal numbers of any length. */
import { Double } from '../../../base/json/json-writer.ts'
import type { FieldValue } from '../../event/fields.ts'
import { RBasic } from '../runtime/model.ts'

export class RDecimal extends RBasic {
  /** The value is `digits` / 10^`scale`. */
  readonly digits: bigint
  readonly scale: number

  constructor(digits: bigint, scale: number) {
    super()
    let [d, s] = [digits, scale]
    while (s > 0 && d % 10n === 0n) {
      d /= 10n
      s--
    }
    this.digits = d
    this.scale = s
  }

  toNumber(): number {
    return Number(this.plainText())
  }

  /** `123.45`, without an exponent. */
  plainText(): string {
    const sign = this.digits < 0n ? '-' : ''
    const text = (this.digits < 0n ? -this.digits : this.digits).toString().padStart(this.scale + 1, '0')
    return this.scale === 0 ? `${sign}${text}.0` : `${sign}${text.slice(0, -this.scale)}.${text.slice(-this.scale)}`
  }

  /** `0.12345e3` */
  scientificText(): string {
    if (this.digits === 0n) return '0.0'
    const sign = this.digits < 0n ? '-' : ''
    const text = (this.digits < 0n ? -this.digits : this.digits).toString()
    return `${sign}0.${text.replace(/0+$/, '') || '0'}e${text.length - this.scale}`
  }

  toFieldValue(): FieldValue {
    const value = this.toNumber()
    return Number.isInteger(value) ? new Double(value) : value
  }
}
