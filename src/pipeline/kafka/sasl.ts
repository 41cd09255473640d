/**
 * SASL authentication: PLAIN sends the password; SCRAM (RFC 5802) only proves that both sides know it; OAUTHBEARER (RFC 7628) sends a
 * token.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

export const SASL_MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'] as const
export type SaslMechanism = (typeof SASL_MECHANISMS)[number]

export interface SaslCredentials {
  readonly mechanism: SaslMechanism
  readonly user: string
  readonly password: string
  /** The source of tokens for OAUTHBEARER. */
  readonly token?: () => Promise<string>
}

/** Sends one message of the exchange and returns the broker's reply. */
export type SaslExchange = (message: Buffer) => Promise<Buffer>

export async function authenticate(credentials: SaslCredentials, exchange: SaslExchange): Promise<void> {
  const { mechanism, user, password } = credentials
  if (mechanism === 'OAUTHBEARER') await sendToken(await credentials.token!(), exchange)
  else if (mechanism === 'PLAIN') await exchange(Buffer.from(`\0${user}\0${password}`))
  else await scram(mechanism === 'SCRAM-SHA-256' ? 'sha256' : 'sha512', user, password, exchange)
}

/** A broker that rejects the token sends the reason, waits for our reply, and then fails the exchange. */
async function sendToken(token: string, exchange: SaslExchange): Promise<void> {
  const problem = await exchange(Buffer.from(`n,,\x01auth=Bearer ${token}\x01\x01`))
  if (problem.length === 0) return
  await exchange(Buffer.from('\x01')).catch(() => {})
  throw new Error(`the broker rejects the token: ${problem.toString('utf8')}`)
}

async function scram(hash: string, user: string, password: string, exchange: SaslExchange): Promise<void> {
  const nonce = randomBytes(24).toString('base64')
  const first = `n=${user.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`
  const challenge = (await exchange(Buffer.from(`n,,${first}`))).toString('utf8')
  const { r: bothNonces, s: salt, i: rounds } = attributesOf(challenge)
  if (bothNonces === undefined || salt === undefined || rounds === undefined || !bothNonces.startsWith(nonce)) {
    throw new Error('the broker answered with a challenge that is not for this client')
  }
  const length = createHash(hash).digest().length
  const salted = pbkdf2Sync(password.normalize('NFKC'), Buffer.from(salt, 'base64'), Number(rounds), length, hash)
  const mac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest()
  const clientKey = mac(salted, 'Client Key')
  const storedKey = createHash(hash).update(clientKey).digest()
  const unproven = `c=biws,r=${bothNonces}`
  const signed = `${first},${challenge},${unproven}`
  const signature = mac(storedKey, signed)
  const proof = clientKey.map((byte, i) => byte ^ signature[i]!)
  const last = (await exchange(Buffer.from(`${unproven},p=${Buffer.from(proof).toString('base64')}`))).toString('utf8')
  const answered = Buffer.from(attributesOf(last)['v'] ?? '', 'base64')
  const expected = mac(mac(salted, 'Server Key'), signed)
  if (answered.length !== expected.length || !timingSafeEqual(answered, expected)) {
    throw new Error('the broker could not prove that it has the password; it may be an impostor')
  }
}

function attributesOf(message: string): Record<string, string> {
  return Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))
}
