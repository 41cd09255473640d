/**
 * Password hashes: `{scrypt}N$r$p$salt$hash`, and `{PBKDF2}cost$salt$hash` as Elasticsearch writes it, for users who are
 * moved over with their hash. Hashing runs on libuv's thread pool and never on the main thread. Only a few hashes are
 * computed at the same time, because file reads share the pool and guessed passwords must not delay them.
 */
import { pbkdf2, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../../base/api-error.ts'

const SCRYPT = { N: 16_384, r: 8, p: 1 } as const
type ScryptCost = { readonly N: number; readonly r: number; readonly p: number }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** The cost of a hash that was computed elsewhere is limited, because every login pays for it. */
const SCRYPT_N_MAX = 1 << 17
const PBKDF2_COST_MAX = 2_000_000
const AT_ONCE = 2
const WAITING_MAX = 256

const scryptLater = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  (password, salt, length, options, done) => scrypt(password, salt, length, options, done),
)
const pbkdf2Later = promisify(pbkdf2)

export const SUPPORTED_HASHES = ['scrypt', 'pbkdf2'] as const

/** Hashes and verifies passwords. `n` is the cost of new hashes; only tests lower it. */
export class PasswordHasher {
  readonly #cost: ScryptCost
  /**
   * A hash that belongs to no password. Logins of unknown users are compared with it, so that they take as long as those
   * of known users.
   */
  readonly #nobody: string

  constructor(n: number = SCRYPT.N) {
    this.#cost = { ...SCRYPT, N: n }
    this.#nobody = printed(this.#cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const options = { ...this.#cost, maxmem: memory(this.#cost) }
    return printed(this.#cost, salt, await limited(() => scryptLater(password, salt, HASH_BYTES, options)))
  }

  /** Whether the password has the hash. Without a hash the same work is done and the result is false. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const parsed = parse(hash ?? this.#nobody) ?? parse(this.#nobody)!
    const made = await limited(() => parsed.make(password))
    return timingSafeEqual(made, parsed.expected) && hash !== undefined
  }
}

const printed = ({ N, r, p }: ScryptCost, salt: Buffer, hash: Buffer) =>
  `{scrypt}${N}$${r}$${p}$${salt.toString('base64')}$${hash.toString('base64')}`

const PASSWORD_CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789-_=+'
const PASSWORD_LENGTH = 20

/** A random password for a user who has none yet. */
export function newPassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_CHARACTERS[randomInt(PASSWORD_CHARACTERS.length)]).join(
    '',
  )
}

export const isPasswordHash = (text: string) => parse(text) !== undefined

interface ParsedHash {
  readonly expected: Buffer
  make(password: string): Promise<Buffer>
}

const SCRYPT_FORM = /^\{scrypt\}(\d{1,7})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/
const PBKDF2_FORM = /^\{PBKDF2\}(\d{1,7})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/

function parse(text: string): ParsedHash | undefined {
  const asScrypt = SCRYPT_FORM.exec(text)
  if (asScrypt !== null) {
    const [N, r, p] = asScrypt.slice(1, 4).map(Number) as [number, number, number]
    const isPower = N > 1 && (N & (N - 1)) === 0
    if (!isPower || N > SCRYPT_N_MAX || r < 1 || r > 16 || p < 1 || p > 4) return undefined
    const salt = Buffer.from(asScrypt[4]!, 'base64')
    const expected = Buffer.from(asScrypt[5]!, 'base64')
    if (expected.length < 16) return undefined
    const options = { N, r, p, maxmem: memory({ N, r, p }) }
    return { expected, make: (password) => scryptLater(password, salt, expected.length, options) }
  }
  const asPbkdf2 = PBKDF2_FORM.exec(text)
  if (asPbkdf2 === null) return undefined
  const cost = Number(asPbkdf2[1])
  const salt = Buffer.from(asPbkdf2[2]!, 'base64')
  const expected = Buffer.from(asPbkdf2[3]!, 'base64')
  if (cost < 1 || cost > PBKDF2_COST_MAX || expected.length < 16) return undefined
  return { expected, make: (password) => pbkdf2Later(password, salt, cost, expected.length, 'sha512') }
}

const memory = ({ N, r, p }: ScryptCost) => 256 * N * r * p

let running = 0
const waiting: (() => void)[] = []

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_MAX) {
      throw new ApiError(429, 'es_rejected_execution_exception', 'too many logins at one time: try again')
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
