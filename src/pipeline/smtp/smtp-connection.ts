/** An SMTP connection (RFC 5321): STARTTLS if configured, AUTH PLAIN or LOGIN, one message after another. */
import { createHmac } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const PATIENCE_MS = 60_000

export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** The host name we send. */
  readonly domain: string
  readonly usesTls: boolean
  readonly checksCertificate: boolean
  readonly user: string | undefined
  readonly password: string | undefined
  /** PLAIN, unless the server supports only LOGIN. */
  readonly authentication: string | undefined
}

export interface Envelope {
  readonly from: string
  readonly recipients: readonly string[]
}

export class SmtpError extends Error {
  /** Three digits: 4xx is temporary, 5xx permanent. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'SmtpError'
    this.code = code
  }
}

interface Reply {
  readonly code: number
  readonly lines: readonly string[]
}

export class SmtpConnection {
  #socket: Socket
  #text = ''
  #lines: string[] = []
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined
  #failure: Error | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#listen()
  }

  static async open(settings: SmtpSettings): Promise<SmtpConnection> {
    const connection = new SmtpConnection(connect({ host: settings.host, port: settings.port }))
    try {
      await connection.#greet(settings)
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  get isOpen(): boolean {
    return this.#failure === undefined
  }

  async send({ from, recipients }: Envelope, message: string): Promise<void> {
    await this.#command(`MAIL FROM:<${from}>`)
    for (const recipient of recipients) await this.#command(`RCPT TO:<${recipient}>`)
    await this.#command('DATA', 354)
    // A line with only a dot would end the message.
    await this.#command(`${message.replaceAll(/\r?\n/g, '\r\n').replaceAll(/^\./gm, '..')}\r\n.`)
  }

  async quit(): Promise<void> {
    await this.#command('QUIT').catch(() => {})
    this.close()
  }

  close(): void {
    this.#fail(new Error('the connection was closed'))
  }

  async #greet(settings: SmtpSettings): Promise<void> {
    await this.#reply(220)
    let offers = await this.#hello(settings.domain)
    if (settings.usesTls) {
      if (!offers.some((line) => /^STARTTLS\b/i.test(line))) throw new Error('the mail server offers no STARTTLS')
      await this.#command('STARTTLS', 220)
      await this.#secure(settings)
      offers = await this.#hello(settings.domain)
    }
    if (settings.user !== undefined) await this.#authenticate(settings, offers)
  }

  /** The capabilities of the server, one per line. */
  async #hello(domain: string): Promise<readonly string[]> {
    try {
      return (await this.#command(`EHLO ${domain}`)).lines.slice(1)
    } catch (error) {
      if (!(error instanceof SmtpError)) throw error
      await this.#command(`HELO ${domain}`)
      return []
    }
  }

  async #authenticate({ user, password, authentication }: SmtpSettings, offers: readonly string[]): Promise<void> {
    const offered = offers.find((line) => /^AUTH\b/i.test(line))?.toUpperCase() ?? ''
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    if (authentication?.toLowerCase() === 'cram_md5') {
      const { lines } = await this.#command('AUTH CRAM-MD5', 334)
      const challenge = Buffer.from(lines[0] ?? '', 'base64')
      const proof = createHmac('md5', password ?? '')
        .update(challenge)
        .digest('hex')
      await this.#command(base64(`${user} ${proof}`), 235)
      return
    }
    const usesLogin =
      authentication?.toLowerCase() === 'login' || (!offered.includes('PLAIN') && offered.includes('LOGIN'))
    if (!usesLogin) {
      await this.#command(`AUTH PLAIN ${base64(`\0${user}\0${password ?? ''}`)}`, 235)
      return
    }
    await this.#command('AUTH LOGIN', 334)
    await this.#command(base64(user ?? ''), 334)
    await this.#command(base64(password ?? ''), 235)
  }

  async #secure({ host, checksCertificate }: SmtpSettings): Promise<void> {
    const plain = this.#socket
    plain.removeAllListeners('data')
    const secure = connectTls({
      socket: plain,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: checksCertificate,
    })
    await new Promise<void>((resolve, reject) => {
      secure.once('secureConnect', resolve)
      secure.once('error', reject)
    })
    this.#socket = secure
    this.#text = ''
    this.#listen()
  }

  #listen(): void {
    this.#socket.setEncoding('utf8')
    this.#socket.on('data', (text: string) => this.#take(text))
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the mail server closed the connection')))
    this.#socket.setTimeout(PATIENCE_MS, () => this.#fail(new Error('the mail server does not answer')))
  }

  #command(line: string, code?: number): Promise<Reply> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    this.#socket.write(`${line}\r\n`)
    return this.#reply(code)
  }

  /** Waits for a reply. Any 2xx is accepted unless a code is given. */
  async #reply(code?: number): Promise<Reply> {
    if (this.#failure !== undefined) throw this.#failure
    const reply = await new Promise<Reply>((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#take('')
    })
    const isGood = code === undefined ? reply.code >= 200 && reply.code < 300 : reply.code === code
    if (!isGood) throw new SmtpError(reply.code, `the mail server said ${reply.code} ${reply.lines.join(' ')}`)
    return reply
  }

  /** All lines of a reply except the last have a hyphen after the code. */
  #take(text: string): void {
    this.#text += text
    while (this.#waiting !== undefined) {
      const end = this.#text.indexOf('\n')
      if (end < 0) return
      const line = this.#text.slice(0, end).trimEnd()
      this.#text = this.#text.slice(end + 1)
      this.#lines.push(line.slice(4))
      if (line[3] === '-') continue
      const { resolve } = this.#waiting
      this.#waiting = undefined
      const lines = this.#lines
      this.#lines = []
      resolve({ code: Number(line.slice(0, 3)), lines })
    }
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#waiting?.reject(error)
    this.#socket.destroy()
  }
}
