/** Decimal digits of doubles, exactly. */

/** The double as an integer times a power of ten, without loss. */
export function exactDecimal(value: number): { digits: bigint; scale: number } {
  let mantissa = Math.abs(value)
  let power = 0
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    power++
  }
  // m / 2^p is m * 5^p / 10^p.
  return { digits: BigInt(mantissa) * 5n ** BigInt(power), scale: power }
}

/** Rounds half up to a number of decimals. As in Java's formatter, it starts from the shortest digits. */
export function fixedDigits(value: number, decimals: number): string {
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e')
  const digits = BigInt(mantissa!.replace('.', ''))
  const scale = mantissa!.length - (mantissa!.includes('.') ? 2 : 1) - Number(exponent)
  return roundedText(digits, scale, decimals)
}

/** `digits / 10^scale` with a number of decimals, rounded half up. */
export function roundedText(digits: bigint, scale: number, decimals: number): string {
  let scaled = digits
  if (scale > decimals) {
    const divisor = 10n ** BigInt(scale - decimals)
    scaled = (digits + divisor / 2n) / divisor
  } else scaled = digits * 10n ** BigInt(decimals - scale)
  const text = scaled.toString().padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}

export function formatFixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return String(value)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  return sign + fixedDigits(value, decimals)
}
