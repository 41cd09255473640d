/**
 * The keystore: secrets for `${NAME}` in configurations, in one encrypted file. Names and values are encrypted with
 * AES-256-GCM under a key that scrypt derives from the password, so that a wrong password and a changed file are both
 * detected. The file is replaced as a whole and readable by its owner only.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const FORMAT = 1
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const COST = { N: 32_768, r: 8, p: 1 }
/** A file with higher costs was not written here. */
const COST_MAX = 1 << 20
const OWNER_ONLY = 0o600
const NAME = /^[a-zA-Z_.][a-zA-Z0-9_.]*$/

/** The file in a settings folder. */
export const KEYSTORE_FILE = 'sandpiper.keystore'

interface StoredKeystore {
  readonly format: number
  readonly kdf: { readonly N: number; readonly r: number; readonly p: number; readonly salt: string }
  readonly nonce: string
  readonly tag: string
  readonly data: string
}

export class KeystoreError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'KeystoreError'
  }
}

export class Keystore {
  readonly #path: string
  readonly #password: string
  readonly #secrets: Map<string, string>

  private constructor(path: string, password: string, secrets: Map<string, string>) {
    this.#path = path
    this.#password = password
    this.#secrets = secrets
  }

  static exists(path: string): boolean {
    return existsSync(path)
  }

  /** Writes an empty keystore. */
  static create(path: string, password: string): Keystore {
    if (password.length === 0) throw new KeystoreError('the password of a keystore must not be empty')
    if (existsSync(path))
      throw new KeystoreError(`${path} exists already. Remove it first to start with a new keystore`)
    const keystore = new Keystore(path, password, new Map())
    keystore.#write()
    return keystore
  }

  static open(path: string, password: string): Keystore {
    return new Keystore(path, password, read(path, password))
  }

  get names(): string[] {
    return [...this.#secrets.keys()].sort()
  }

  get secrets(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#secrets)
  }

  has(name: string): boolean {
    return this.#secrets.has(name)
  }

  set(name: string, value: string): void {
    if (!NAME.test(name)) {
      throw new KeystoreError(
        `"${name}" cannot be a name: use letters, digits, dots and underscores, and no digit first`,
      )
    }
    if (value === '') throw new KeystoreError(`the value of ${name} must not be empty`)
    this.#secrets.set(name, value)
    this.#write()
  }

  /** False if there is no such secret. */
  remove(name: string): boolean {
    if (!this.#secrets.delete(name)) return false
    this.#write()
    return true
  }

  #write(): void {
    const salt = randomBytes(SALT_BYTES)
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, keyOf(this.#password, salt, COST), nonce)
    const text = JSON.stringify(Object.fromEntries(this.#secrets))
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    const stored: StoredKeystore = {
      format: FORMAT,
      kdf: { ...COST, salt: salt.toString('base64') },
      nonce: nonce.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      data: data.toString('base64'),
    }
    const temporary = `${this.#path}.tmp`
    writeFileSync(temporary, `${JSON.stringify(stored)}\n`, { mode: OWNER_ONLY, flush: true })
    // The mode of an existing file is not changed by writing it.
    chmodSync(temporary, OWNER_ONLY)
    renameSync(temporary, this.#path)
  }
}

function read(path: string, password: string): Map<string, string> {
  let stored: StoredKeystore
  try {
    stored = JSON.parse(readFileSync(path, 'utf8')) as StoredKeystore
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new KeystoreError(code === 'ENOENT' ? `there is no keystore at ${path}` : `cannot read ${path}: ${message}`)
  }
  if (stored.format !== FORMAT) throw new KeystoreError(`${path} is no keystore of this version`)
  const { kdf, nonce, tag, data } = stored
  if (!(kdf.N <= COST_MAX && kdf.r <= 32 && kdf.p <= 16)) throw new KeystoreError(`${path} is damaged`)
  try {
    const key = keyOf(password, Buffer.from(kdf.salt, 'base64'), kdf)
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64'))
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    const text = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8')
    return new Map(Object.entries(JSON.parse(text) as Record<string, string>))
  } catch {
    throw new KeystoreError(`the password of ${path} is wrong, or the file is damaged`)
  }
}

function keyOf(password: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): Buffer {
  return scryptSync(password, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r })
}
