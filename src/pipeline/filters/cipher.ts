/** `cipher`: encrypts or decrypts a field. The random initialization vector stands before the text, and both are base64. */
import { createCipheriv, createDecipheriv, getCipherInfo, randomBytes } from 'node:crypto'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** Their texts end with a tag that the filter has no place for. */
const WITH_TAG = new Set(['gcm', 'ccm', 'ocb', 'wrap'])

export const cipher = filterPlugin({
  name: 'cipher',
  touches: 'nothing',
  options: {
    source: option.field({ default: 'message' }),
    target: option.field({ default: 'message' }),
    base64: option.boolean({ default: true }),
    key: option.password({ required: true }),
    key_size: option.number({ default: 16 }),
    key_pad: option.string({ default: '\0' }),
    algorithm: option.string({ required: true }),
    mode: option.words(['encrypt', 'decrypt'], { required: true }),
    cipher_padding: option.string(),
    iv_random_length: option.number({ required: true }),
    max_cipher_reuse: option.ignored('A cipher is made for every event.'),
  },
  create(options, { log }) {
    const { source, target, key_size: keySize, iv_random_length: vectorLength } = options
    const algorithm = options.algorithm.toLowerCase()
    const info = getCipherInfo(algorithm)
    if (info === undefined) throw new PluginOptionError(`algorithm: this Node has no cipher ${options.algorithm}`)
    if (WITH_TAG.has(info.mode))
      throw new PluginOptionError(`algorithm: ciphers of the mode ${info.mode} are not supported`)
    if (!options.base64)
      throw new PluginOptionError('base64 => false is not supported: a text of bytes would be damaged')
    const key = Buffer.from(options.key.slice(0, keySize).padEnd(keySize, options.key_pad))
    const hasPadding = options.cipher_padding !== '0'
    const encrypt = (text: string): string => {
      const vector = randomBytes(vectorLength)
      const made = createCipheriv(algorithm, key, vector).setAutoPadding(hasPadding)
      return Buffer.concat([vector, made.update(text, 'utf8'), made.final()]).toString('base64')
    }
    const decrypt = (text: string): string => {
      if (!BASE64.test(text)) throw new Error('invalid base64')
      const bytes = Buffer.from(text, 'base64')
      const made = createDecipheriv(algorithm, key, bytes.subarray(0, vectorLength)).setAutoPadding(hasPadding)
      return Buffer.concat([made.update(bytes.subarray(vectorLength)), made.final()]).toString('utf8')
    }
    const change = options.mode === 'encrypt' ? encrypt : decrypt
    return {
      filter(event) {
        const value = event.get(source)
        if (value === undefined || value === null || value === '') return false
        try {
          if (typeof value !== 'string') throw new Error('the value is no text')
          event.set(target, change(value))
          return true
        } catch (error) {
          log.error(`An error occurred while ${options.mode}ing: ${(error as Error).message}`)
          event.tag('_cipherfiltererror')
          return false
        }
      },
    }
  },
})
