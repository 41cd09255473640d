/** Base64: the methods Painless adds to String, and java.util.Base64. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { JArray, JObject } from '../java-object.ts'
import { registerStatics } from '../registry.ts'

export const encodeBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** Decodes a Base64 text. Invalid texts are rejected with the messages of Java's decoder. */
function decode(text: string, url = false): Buffer {
  const alphabet = url ? /[A-Za-z0-9\-_]/ : /[A-Za-z0-9+/]/
  const data = text.replace(/={1,2}$/, '')
  for (const c of data)
    if (!alphabet.test(c)) throw illegalArgument(`Illegal base64 character ${c.codePointAt(0)!.toString(16)}`)
  if (data.length % 4 === 1) throw illegalArgument('Last unit does not have enough valid bits')
  if (text.length !== data.length && text.length % 4 !== 0)
    throw illegalArgument('Input byte array has wrong 4-byte ending unit')
  return Buffer.from(data, url ? 'base64url' : 'base64')
}

export const decodeBase64 = (text: string): string => decode(text).toString('utf8')

const bytesOf = (array: JArray): Buffer => Buffer.from(array.items as number[])
const arrayOf = (bytes: Buffer): JArray => new JArray('byte[]', [...new Int8Array(bytes)])

type Form = 'basic' | 'url' | 'mime'

/** The length of a line in MIME. */
const MIME_LINE = /.{76}(?=.)/g

class Encoder extends JObject {
  readonly #form: Form
  readonly #padded: boolean

  constructor(form: Form, padded = true) {
    super()
    this.#form = form
    this.#padded = padded
  }

  get $class(): string {
    return 'java.util.Base64$Encoder'
  }

  override get $listed(): string {
    return 'java.util.Base64.Encoder'
  }

  encodeToString_1(array: JArray): string {
    const padded = bytesOf(array).toString('base64')
    const text = this.#padded ? padded : padded.replace(/=+$/, '')
    if (this.#form === 'mime') return text.replaceAll(MIME_LINE, '$&\r\n')
    return this.#form === 'url' ? text.replaceAll('+', '-').replaceAll('/', '_') : text
  }

  withoutPadding_0(): Encoder {
    return new Encoder(this.#form, false)
  }
}

class Decoder extends JObject {
  readonly #form: Form

  constructor(form: Form) {
    super()
    this.#form = form
  }

  get $class(): string {
    return 'java.util.Base64$Decoder'
  }

  override get $listed(): string {
    return 'java.util.Base64.Decoder'
  }

  decode_1(text: string): JArray {
    const own = this.#form === 'mime' ? text.replaceAll(/[^A-Za-z0-9+/=]/g, '') : text
    return arrayOf(decode(own, this.#form === 'url'))
  }
}

registerStatics('java.util.Base64', {
  getEncoder_0: () => new Encoder('basic'),
  getUrlEncoder_0: () => new Encoder('url'),
  getMimeEncoder_0: () => new Encoder('mime'),
  getDecoder_0: () => new Decoder('basic'),
  getUrlDecoder_0: () => new Decoder('url'),
  getMimeDecoder_0: () => new Decoder('mime'),
})
