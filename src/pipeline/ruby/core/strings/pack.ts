/** Array#pack and String#unpack. */
import { ArrayClass, define, StringClass } from '../../runtime/classes.ts'
import { toFloat, toInt, toText } from '../../runtime/convert.ts'
import { noConversion } from '../../runtime/dispatch.ts'
import { argumentError } from '../../runtime/errors.ts'
import { charge } from '../../runtime/limits.ts'
import { RFloat, type Value } from '../../runtime/model.ts'
import { bytesOf, bytesString, RString, str } from '../../runtime/string.ts'
import { decodeBytes } from '../../syntax/lex-string.ts'
import { normal } from '../numbers/integer-math.ts'

interface Directive {
  readonly letter: string
  readonly isBigEndian: boolean
  /** The repeat count: undefined if absent, Infinity for `*`. */
  readonly count: number | undefined
}

function directivesOf(template: string): Directive[] {
  const found: Directive[] = []
  for (const match of template.replace(/#.*$/gm, '').matchAll(/\s*([a-zA-Z@])([_!<>]*)(\d+|\*)?/gy)) {
    found.push({
      letter: match[1]!,
      isBigEndian: match[2]!.includes('>'),
      count: match[3] === undefined ? undefined : match[3] === '*' ? Number.POSITIVE_INFINITY : Number(match[3]),
    })
  }
  return found
}

/** Integer directives by letter: number of bytes, signedness and byte order. */
const INTEGERS: Readonly<Record<string, { size: number; isSigned: boolean; isBig?: boolean }>> = {
  C: { size: 1, isSigned: false }, c: { size: 1, isSigned: true }, S: { size: 2, isSigned: false }, s: { size: 2, isSigned: true },
  L: { size: 4, isSigned: false }, l: { size: 4, isSigned: true }, I: { size: 4, isSigned: false }, i: { size: 4, isSigned: true },
  Q: { size: 8, isSigned: false }, q: { size: 8, isSigned: true }, J: { size: 8, isSigned: false }, j: { size: 8, isSigned: true },
  n: { size: 2, isSigned: false, isBig: true }, N: { size: 4, isSigned: false, isBig: true }, v: { size: 2, isSigned: false }, V: { size: 4, isSigned: false },
} // biome-ignore format: a table
const FLOATS: Readonly<Record<string, { size: 4 | 8; isBig: boolean }>> = {
  D: { size: 8, isBig: false },
  d: { size: 8, isBig: false },
  F: { size: 4, isBig: false },
  f: { size: 4, isBig: false },
  E: { size: 8, isBig: false },
  e: { size: 4, isBig: false },
  G: { size: 8, isBig: true },
  g: { size: 4, isBig: true },
}

define<Value[]>(ArrayClass, 'pack', [1, 2], (self, [template]) => {
  const items = [...self]
  const chunks: Buffer[] = []
  const directives = directivesOf(toText(template!))
  const take = (): Value => {
    if (items.length === 0) throw argumentError('too few arguments')
    return items.shift()!
  }
  for (const directive of directives) chunks.push(packOne(directive, items, take))
  const made = bytesString(Buffer.concat(chunks))
  if (directives[0]?.letter === 'U') {
    const text = str(decodeBytes(bytesOf(made)))
    return text
  }
  if (directives.length > 0 && directives.every(({ letter }) => letter === 'm' || letter === 'M'))
    made.encoding = 'US-ASCII'
  return made
})

function packOne({ letter, isBigEndian, count }: Directive, items: Value[], take: () => Value): Buffer {
  const integer = INTEGERS[letter]
  const times = count === undefined ? 1 : count === Number.POSITIVE_INFINITY ? items.length : count
  charge(times)
  if (integer !== undefined) {
    const out: Buffer[] = []
    for (let i = 0; i < times; i++) out.push(integerBytes(take(), integer.size, integer.isBig ?? isBigEndian))
    return Buffer.concat(out)
  }
  const float = FLOATS[letter]
  if (float !== undefined) {
    const out = Buffer.alloc(times * float.size)
    for (let i = 0; i < times; i++) {
      const value = toFloat(take())
      const at = i * float.size
      if (float.size === 8) float.isBig || isBigEndian ? out.writeDoubleBE(value, at) : out.writeDoubleLE(value, at)
      else float.isBig || isBigEndian ? out.writeFloatBE(value, at) : out.writeFloatLE(value, at)
    }
    return out
  }
  switch (letter) {
    case 'a':
    case 'A':
    case 'Z': {
      const text = bytesArgument(take())
      const length =
        count === undefined ? 1 : count === Number.POSITIVE_INFINITY ? text.length + (letter === 'Z' ? 1 : 0) : count
      const out = Buffer.alloc(length, letter === 'A' ? 32 : 0)
      text.copy(out, 0, 0, length)
      return out
    }
    case 'H':
    case 'h': {
      const digits = [...toText(take())].slice(0, count === undefined ? 1 : count).map(nibble)
      const bytes: number[] = []
      for (let i = 0; i < digits.length; i += 2) {
        const [first, second] = [digits[i]!, digits[i + 1] ?? 0]
        bytes.push(letter === 'H' ? first * 16 + second : second * 16 + first)
      }
      return Buffer.from(bytes)
    }
    case 'B':
    case 'b': {
      const digits = toText(take()).slice(0, count === undefined ? 1 : count)
      const groups = digits.match(/.{1,8}/g) ?? []
      return Buffer.from(
        groups.map((group) =>
          Number.parseInt(letter === 'B' ? group.padEnd(8, '0') : [...group.padEnd(8, '0')].reverse().join(''), 2),
        ),
      )
    }
    case 'U':
      return Buffer.concat(Array.from({ length: times }, () => Buffer.from(String.fromCodePoint(toInt(take())))))
    case 'm': {
      const text = bytesArgument(take()).toString('base64')
      return Buffer.from(count === 0 ? text : text.replace(/.{1,60}/g, '$&\n'))
    }
    case 'w':
      return Buffer.concat(Array.from({ length: times }, () => berBytes(toInt(take()))))
    case 'x':
      return Buffer.alloc(count === Number.POSITIVE_INFINITY ? 0 : (count ?? 1))
    default:
      throw argumentError(`unknown pack directive '${letter}'`)
  }
}

/** A hexadecimal digit. Other characters contribute their low bits, as in Ruby. */
function nibble(char: string): number {
  const code = char.charCodeAt(0)
  return /[A-Za-z]/.test(char) ? ((code & 15) + 9) & 15 : code & 15
}

function berBytes(value: number): Buffer {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 128)
  return Buffer.from(bytes)
}

function bytesArgument(value: Value): Buffer {
  if (value === null) return Buffer.alloc(0)
  if (!(value instanceof RString)) throw noConversion(value, 'String')
  return bytesOf(value)
}

function integerBytes(value: Value, size: number, isBig: boolean): Buffer {
  const number = typeof value === 'bigint' ? value : BigInt(toInt(value))
  const out = Buffer.alloc(8)
  out.writeBigUInt64LE(BigInt.asUintN(64, number))
  const part = out.subarray(0, size)
  return isBig ? Buffer.from(part).reverse() : Buffer.from(part)
}

define<RString>(StringClass, 'unpack', [1, 2], (self, [template]) => unpacked(bytesOf(self), toText(template!)))
define<RString>(
  StringClass,
  'unpack1',
  [1, 2],
  (self, [template]) => unpacked(bytesOf(self), toText(template!))[0] ?? null,
)

function unpacked(bytes: Buffer, template: string): Value[] {
  const out: Value[] = []
  let at = 0
  for (const { letter, isBigEndian, count } of directivesOf(template)) {
    const integer = INTEGERS[letter]
    const float = FLOATS[letter]
    const size = integer?.size ?? float?.size
    if (size !== undefined) {
      const times =
        count === undefined ? 1 : count === Number.POSITIVE_INFINITY ? Math.floor((bytes.length - at) / size) : count
      for (let i = 0; i < times; i++) {
        if (at + size > bytes.length) out.push(null)
        else
          out.push(
            integer !== undefined
              ? readInteger(bytes.subarray(at, at + size), integer.isBig ?? isBigEndian, integer.isSigned)
              : readFloat(bytes, at, float!.size, float!.isBig || isBigEndian),
          )
        at += size
      }
      continue
    }
    at = unpackText(letter, count, bytes, at, out)
  }
  return out
}

function readInteger(bytes: Buffer, isBig: boolean, isSigned: boolean): Value {
  let value = 0n
  for (const byte of isBig ? bytes : Buffer.from(bytes).reverse()) value = (value << 8n) | BigInt(byte)
  return normal(isSigned ? BigInt.asIntN(bytes.length * 8, value) : value)
}

function readFloat(bytes: Buffer, at: number, size: 4 | 8, isBig: boolean): Value {
  if (size === 8) return new RFloat(isBig ? bytes.readDoubleBE(at) : bytes.readDoubleLE(at))
  return new RFloat(isBig ? bytes.readFloatBE(at) : bytes.readFloatLE(at))
}

/** Unpacks one directive that is not a number. Returns the next offset. */
function unpackText(letter: string, count: number | undefined, bytes: Buffer, at: number, out: Value[]): number {
  const rest = bytes.length - at
  switch (letter) {
    case 'a':
    case 'A':
    case 'Z': {
      const length = Math.min(rest, count ?? 1)
      let part = bytes.subarray(at, at + length)
      if (letter === 'A') part = Buffer.from(part.toString('latin1').replace(/[\0 ]+$/, ''), 'latin1')
      const end = letter === 'Z' ? part.indexOf(0) : -1
      out.push(bytesString(end < 0 ? part : part.subarray(0, end)))
      return at + (end >= 0 && count === Number.POSITIVE_INFINITY ? end + 1 : length)
    }
    case 'H':
    case 'h': {
      const length = Math.min(rest * 2, count ?? 1)
      const part = bytes.subarray(at, at + Math.ceil(length / 2))
      const text =
        letter === 'H'
          ? part.toString('hex')
          : [...part.toString('hex').matchAll(/../g)].map((pair) => pair[0][1]! + pair[0][0]!).join('')
      out.push(ascii(text.slice(0, length)))
      return at + Math.ceil(length / 2)
    }
    case 'B':
    case 'b': {
      const length = Math.min(rest * 8, count ?? 1)
      const part = [...bytes.subarray(at, at + Math.ceil(length / 8))]
      const text = part
        .map((byte) =>
          letter === 'B'
            ? byte.toString(2).padStart(8, '0')
            : [...byte.toString(2).padStart(8, '0')].reverse().join(''),
        )
        .join('')
      out.push(ascii(text.slice(0, length)))
      return at + Math.ceil(length / 8)
    }
    case 'U': {
      const chars = Array.from(decodeBytes(bytes.subarray(at))).slice(0, count ?? 1)
      for (const char of chars) out.push(char.codePointAt(0)!)
      return at + Buffer.byteLength(chars.join(''))
    }
    case 'm': {
      out.push(bytesString(Buffer.from(bytes.subarray(at).toString('latin1'), 'base64')))
      return bytes.length
    }
    case 'w': {
      let left = count ?? 1
      let place = at
      while (left-- > 0 && place < bytes.length) {
        let value = 0
        do value = value * 128 + (bytes[place]! & 127)
        while (bytes[place++]! & 128)
        out.push(value)
      }
      return place
    }
    case 'x':
      return at + (count === Number.POSITIVE_INFINITY ? rest : (count ?? 1))
    case '@':
      return count ?? 0
    default:
      throw argumentError(`unknown unpack directive '${letter}'`)
  }
}

function ascii(text: string): RString {
  const made = str(text)
  made.encoding = 'US-ASCII'
  return made
}
