/** Digest, OpenSSL::HMAC, Base64, SecureRandom and Zlib.crc32. */
import { createHash, createHmac, getHashes, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { crc32 as crcOf, deflateSync, gunzipSync, inflateSync } from 'node:zlib'
import { errorClass } from '../core/exception.ts'
import { randomOf } from '../core/kernel.ts'
import { define, defineStatic, makeClass, makeModule, setClass } from '../runtime/classes.ts'
import { toInt, toText } from '../runtime/convert.ts'
import { noConversion, noMethod } from '../runtime/dispatch.ts'
import { argumentError, raise } from '../runtime/errors.ts'
import { charge, LENGTH_MAX } from '../runtime/limits.ts'
import { RBasic, type RClass, RFloat, type Value } from '../runtime/model.ts'
import { bytesOf, bytesString, RString, str } from '../runtime/string.ts'

function bytesArgument(value: Value): Buffer {
  if (!(value instanceof RString)) throw noConversion(value, 'String')
  return bytesOf(value)
}

function ascii(text: string): RString {
  const made = str(text)
  made.encoding = 'US-ASCII'
  return made
}

/** An incremental digest. */
class RDigest extends RBasic {
  readonly algorithm: string
  bytes: Buffer[] = []
  constructor(cls: RClass, algorithm: string) {
    super()
    this.cls = cls
    this.algorithm = algorithm
  }

  digest(): Buffer {
    return createHash(this.algorithm).update(Buffer.concat(this.bytes)).digest()
  }
}

const DigestModule = makeModule('Digest')
const BaseClass = makeClass('Base', undefined, DigestModule)
setClass(RDigest, BaseClass)
const ALGORITHMS: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA1: 'sha1',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
  RMD160: 'ripemd160',
}
for (const [name, algorithm] of Object.entries(ALGORITHMS)) {
  const cls = makeClass(name, BaseClass, DigestModule)
  cls.allocate = (self) => new RDigest(self, algorithm)
  const hash = (value: Value) => createHash(algorithm).update(bytesArgument(value)).digest()
  defineStatic(cls, 'hexdigest', 1, (_self, [text]) => ascii(hash(text!).toString('hex')))
  defineStatic(cls, 'digest', 1, (_self, [text]) => bytesString(hash(text!)))
  defineStatic(cls, 'base64digest', 1, (_self, [text]) => ascii(hash(text!).toString('base64')))
}
/** `Digest::SHA2.new(384)` */
const SHA2 = makeClass('SHA2', BaseClass, DigestModule)
defineStatic(SHA2, 'new', [0, 1], (self, [bits]) => new RDigest(self, `sha${bits === undefined ? 256 : toInt(bits)}`))
for (const name of ['hexdigest', 'base64digest'] as const) {
  defineStatic(SHA2, name, 1, (_self, [text]) =>
    ascii(
      createHash('sha256')
        .update(bytesArgument(text!))
        .digest(name === 'hexdigest' ? 'hex' : 'base64'),
    ),
  )
}
define<RDigest>(BaseClass, 'update <<', 1, (self, [text]) => {
  const bytes = bytesArgument(text!)
  charge(bytes.length)
  self.bytes.push(bytes)
  return self
})
define<RDigest>(BaseClass, 'hexdigest to_s', [0, 1], (self, [text]) =>
  ascii(
    (text === undefined ? self.digest() : createHash(self.algorithm).update(bytesArgument(text)).digest()).toString(
      'hex',
    ),
  ),
)
define<RDigest>(BaseClass, 'digest', [0, 1], (self) => bytesString(self.digest()))
define<RDigest>(BaseClass, 'base64digest', [0, 1], (self) => ascii(self.digest().toString('base64')))
define<RDigest>(BaseClass, 'reset', 0, (self) => {
  self.bytes = []
  return self
})

const OpenSSL = makeModule('OpenSSL')
const OpenDigest = makeClass('Digest', BaseClass, OpenSSL)
defineStatic(OpenDigest, 'new', [1, 2], (self, [name]) => new RDigest(self, algorithmOf(toText(name!))))
for (const name of ['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512']) {
  const cls = makeClass(name, OpenDigest, OpenDigest)
  defineStatic(cls, 'new', 0, (self) => new RDigest(self, name.toLowerCase()))
  for (const form of ['hexdigest', 'base64digest'] as const)
    defineStatic(cls, form, 1, (_self, [text]) =>
      ascii(
        createHash(name.toLowerCase())
          .update(bytesArgument(text!))
          .digest(form === 'hexdigest' ? 'hex' : 'base64'),
      ),
    )
}

function algorithmOf(name: string): string {
  const plain = name.toLowerCase().replace('-', '')
  if (!getHashes().includes(plain)) throw raise('RuntimeError', `Unsupported digest algorithm (${name}).`)
  return plain
}
const HMAC = makeClass('HMAC', undefined, OpenSSL)
function hmac([digest, key, data]: Value[]): Buffer {
  const name = digest instanceof RDigest ? digest.algorithm : algorithmOf(toText(digest!))
  return createHmac(name, bytesArgument(key!)).update(bytesArgument(data!)).digest()
}
defineStatic(HMAC, 'hexdigest', 3, (_self, args) => ascii(hmac(args).toString('hex')))
defineStatic(HMAC, 'digest', 3, (_self, args) => bytesString(hmac(args)))
defineStatic(HMAC, 'base64digest', 3, (_self, args) => ascii(hmac(args).toString('base64')))

const Base64 = makeModule('Base64')
defineStatic(Base64, 'encode64', 1, (_self, [text]) =>
  ascii(
    bytesArgument(text!)
      .toString('base64')
      .replace(/.{1,60}/g, '$&\n'),
  ),
)
defineStatic(Base64, 'strict_encode64', 1, (_self, [text]) => ascii(bytesArgument(text!).toString('base64')))
defineStatic(Base64, 'urlsafe_encode64', [1, 2], (_self, args) => {
  const text = bytesArgument(args[0]!).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  const options = args[1] as { get?: (key: Value) => Value } | undefined
  const isPadded =
    options?.get === undefined ||
    ![...(options as { list(): { key: Value; value: Value }[] }).list()].some(({ value }) => value === false)
  return ascii(isPadded ? text : text.replace(/=+$/, ''))
})
/** Ruby decodes with `unpack1` of the argument, which only strings have. */
function encodedText(value: Value, method = 'unpack1'): string {
  if (!(value instanceof RString)) throw noMethod(value, method)
  return value.text
}
defineStatic(Base64, 'decode64', 1, (_self, [text]) =>
  bytesString(Buffer.from(encodedText(text!).replace(/[^A-Za-z0-9+/=]/g, ''), 'base64')),
)
defineStatic(Base64, 'strict_decode64', 1, (_self, [text]) => strictly(encodedText(text!)))
defineStatic(Base64, 'urlsafe_decode64', 1, (_self, [text]) => {
  const plain = encodedText(text!, 'end_with?').replaceAll('-', '+').replaceAll('_', '/')
  return strictly(plain.padEnd(Math.ceil(plain.length / 4) * 4, '='))
})
function strictly(text: string): RString {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw argumentError('invalid base64')
  return bytesString(Buffer.from(text, 'base64'))
}

const SecureRandom = makeModule('SecureRandom')
const size = (value: Value | undefined) => {
  const count = value === undefined || value === null ? 16 : toInt(value)
  charge(count)
  return count
}
defineStatic(SecureRandom, 'hex', [0, 1], (_self, [count]) => ascii(randomBytes(size(count)).toString('hex')))
defineStatic(SecureRandom, 'uuid', 0, () => str(randomUUID()))
defineStatic(SecureRandom, 'base64', [0, 1], (_self, [count]) => ascii(randomBytes(size(count)).toString('base64')))
defineStatic(SecureRandom, 'urlsafe_base64', [0, 2], (_self, [count]) =>
  ascii(randomBytes(size(count)).toString('base64url')),
)
defineStatic(SecureRandom, 'random_bytes bytes', [0, 1], (_self, [count]) => bytesString(randomBytes(size(count))))
defineStatic(SecureRandom, 'random_number rand', [0, 1], (_self, [limit]) =>
  typeof limit === 'number' && limit > 0
    ? randomInt(limit)
    : limit instanceof RFloat || limit === undefined
      ? randomOf(limit)
      : randomOf(limit),
)
defineStatic(SecureRandom, 'alphanumeric', [0, 1], (_self, [count]) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return str(Array.from({ length: size(count) }, () => letters[randomInt(letters.length)]).join(''))
})

const Zlib = makeModule('Zlib')
errorClass('Error', 'StandardError', Zlib)
errorClass('DataError', 'Zlib::Error', Zlib)
defineStatic(Zlib, 'crc32', [0, 2], (_self, [text, start]) =>
  text === undefined ? 0 : crcOf(bytesArgument(text), start === undefined ? 0 : toInt(start)),
)
defineStatic(Zlib, 'adler32', [0, 2], (_self, [text]) => {
  let [a, b] = [1, 0]
  for (const byte of text === undefined ? [] : bytesArgument(text)) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  return b * 65536 + a
})
defineStatic(Zlib, 'deflate', [1, 2], (_self, [text]) => bytesString(deflateSync(bytesArgument(text!))))
const inflating =
  (inflate: (bytes: Buffer) => Buffer) =>
  (_self: RClass, [text]: Value[]) => {
    try {
      const bytes = inflate(bytesArgument(text!))
      charge(bytes.length)
      return bytesString(bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      throw raise('Zlib::DataError', (error as Error).message)
    }
  }
defineStatic(
  Zlib,
  'inflate',
  1,
  inflating((bytes) => inflateSync(bytes, { maxOutputLength: LENGTH_MAX })),
)
defineStatic(
  Zlib,
  'gunzip',
  1,
  inflating((bytes) => gunzipSync(bytes, { maxOutputLength: LENGTH_MAX })),
)
