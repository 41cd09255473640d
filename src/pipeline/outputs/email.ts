/** `email`: sends each event as a mail, with nodemailer, over one connection that is kept. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import type { Event } from '../event/event.ts'
import type { FieldValue } from '../event/fields.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { compileMailTemplate, type MailTemplate } from '../smtp/mail-template.ts'

/** Mails wait for an unavailable server, but not forever if the dead letter queue can keep their events. */
const RETRY_WAITS_MS = [1000, 5000, 15_000]

export const email = outputPlugin({
  name: 'email',
  touches: 'network',
  options: {
    to: option.string({ required: true }),
    from: option.string({ default: 'logstash.alert@example.com' }),
    replyto: option.string(),
    cc: option.string(),
    bcc: option.string(),
    subject: option.string({ default: '' }),
    body: option.string({ default: '' }),
    htmlbody: option.string({ default: '' }),
    contenttype: option.string({ default: 'text/html; charset=UTF-8' }),
    template_file: option.path(),
    attachments: option.strings({ default: [] }),
    via: option.string({ default: 'smtp' }),
    address: option.string({ default: 'localhost' }),
    port: option.number({ default: 25 }),
    domain: option.string({ default: 'localhost' }),
    username: option.string(),
    password: option.password(),
    authentication: option.string(),
    use_tls: option.boolean({ default: false }),
    ssl_verification_mode: option.words(['full', 'none'], { default: 'full' }),
    debug: option.ignored('The log level is set for the whole program (`--log.level debug`).'),
  },
  create(options, context) {
    const { log, clock } = context
    if (options.via !== 'smtp') throw new PluginOptionError(`via "${options.via}" is not supported here; use "smtp"`)
    const { authentication } = options
    if (authentication !== undefined && !/^(?:plain|login|cram_md5)$/i.test(authentication)) {
      throw new PluginOptionError(`authentication "${authentication}" is not known; use plain, login or cram_md5`)
    }
    const template = templateOf(options.template_file)
    const { createTransport } = createRequire(import.meta.url)('nodemailer') as typeof import('nodemailer')
    const { username: user, password: pass } = options
    const transport = createTransport({
      pool: true,
      maxConnections: 1,
      maxMessages: Number.POSITIVE_INFINITY,
      host: options.address,
      port: options.port,
      name: options.domain,
      // Port 465 is encrypted from the first byte on.
      secure: options.use_tls && options.port === 465,
      requireTLS: options.use_tls,
      ignoreTLS: !options.use_tls,
      tls: { rejectUnauthorized: options.ssl_verification_mode === 'full' },
      ...(user === undefined ? {} : { auth: { user, pass: pass ?? '' } }),
      ...(authentication === undefined ? {} : { authMethod: authentication.toUpperCase().replace('_', '-') }),
      // Only the configuration names files, never an event.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const delivery = new Delivery('email', context)
    /** Mails are sent in the order of their events. */
    let turn: Promise<void> = Promise.resolve()

    const send = async (event: Event): Promise<void> => {
      const expand = (text: string | undefined) => (text === undefined ? undefined : event.expand(text))
      const [to, cc, bcc] = [event.expand(options.to), expand(options.cc), expand(options.bcc)]
      const from = event.expand(options.from)
      // Configurations write \n for a newline.
      const body = event.expand(options.body).replaceAll('\\n', '\n')
      const html = template?.(event.fields as FieldValue) ?? event.expand(options.htmlbody)
      const { rejected } = await transport.sendMail({
        from,
        to,
        ...(cc === undefined ? {} : { cc }),
        replyTo: expand(options.replyto),
        envelope: { from: addressesOf(from)[0] ?? '', to: [to, cc ?? '', bcc ?? ''].flatMap(addressesOf) },
        subject: event.expand(options.subject),
        date: new Date(clock.nowMs()),
        encoding: 'base64',
        textEncoding: 'base64',
        ...(html === ''
          ? { alternatives: [{ contentType: options.contenttype, content: body }] }
          : { html, ...(body === '' ? {} : { text: body }) }),
        attachments: options.attachments.map((path) => ({ filename: basename(path), content: readFileSync(path) })),
      })
      if (rejected.length > 0) log.warn(`The mail server refused some recipients: ${rejected.join(', ')}`)
    }
    const sendWithPatience = async (event: Event): Promise<void> => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await send(event)
        } catch (error) {
          const message = `Something happened while delivering an email: ${(error as Error).message}`
          if (isRefusal(error) || (delivery.hasDeadLetters && attempt === RETRY_WAITS_MS.length)) {
            return delivery.giveUp(event, message)
          }
          log.warn(`${message}; trying again`)
          await delivery.wait(RETRY_WAITS_MS[attempt] ?? RETRY_WAITS_MS.at(-1)!)
        }
      }
    }
    return {
      write(events) {
        const sent = turn.then(async () => {
          for (const event of events) await sendWithPatience(event)
        })
        turn = sent.catch(() => {})
        return sent
      },
      async close() {
        delivery.close()
        transport.close()
      },
    }
  },
})

/**
 * Whether the server permanently rejects this mail, or the event cannot be made into a mail. Wrong credentials have to
 * be fixed by the operator.
 */
function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  if (responseCode !== undefined) return responseCode >= 500 && responseCode !== 530 && code !== 'EAUTH'
  return code === 'EENVELOPE' || error instanceof TypeError || error instanceof RangeError
}

/** Extracts the bare addresses of `Ann <ann@example.com>, bob@example.com`. */
function addressesOf(list: string): string[] {
  return list
    .split(/[,;]/)
    .map((one) => (/<([^<>]*)>/.exec(one)?.[1] ?? one).replaceAll(/[\s<>]/g, ''))
    .filter((address) => address !== '')
}

function templateOf(path: string | undefined): MailTemplate | undefined {
  if (path === undefined) return undefined
  try {
    return compileMailTemplate(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new PluginOptionError(`template_file ${path}: ${(error as Error).message}`)
  }
}
