/** `email`: sends each event as a mail. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Event } from '../event/event.ts'
import type { FieldValue } from '../event/fields.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { addressesOf, mailText } from '../smtp/mail-message.ts'
import { compileMailTemplate, type MailTemplate } from '../smtp/mail-template.ts'
import { SmtpConnection, SmtpError } from '../smtp/smtp-connection.ts'

/** Mails wait for an unavailable server, but not forever if the dead letter queue can keep their events. */
const RETRY_WAITS_MS = [1000, 5000, 15_000]

export const email = outputPlugin({
  name: 'email',
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
    const settings = {
      host: options.address,
      port: options.port,
      domain: options.domain,
      usesTls: options.use_tls,
      checksCertificate: options.ssl_verification_mode === 'full',
      user: options.username,
      password: options.password,
      authentication: options.authentication,
    }
    const delivery = new Delivery('email', context)
    let connection: SmtpConnection | undefined
    /** Serializes the workers, because a connection handles one mail at a time. */
    let turn: Promise<void> = Promise.resolve()

    const send = async (event: Event): Promise<void> => {
      const expand = (text: string | undefined) => (text === undefined ? undefined : event.expand(text))
      const [to, cc, bcc] = [event.expand(options.to), expand(options.cc), expand(options.bcc)]
      const from = event.expand(options.from)
      const recipients = [to, cc ?? '', bcc ?? ''].flatMap(addressesOf)
      const message = mailText({
        from,
        to,
        cc,
        replyTo: expand(options.replyto),
        subject: event.expand(options.subject),
        // Configurations write \n for a newline.
        body: event.expand(options.body).replaceAll('\\n', '\n'),
        contentType: options.contenttype,
        htmlBody: template?.(event.fields as FieldValue) ?? event.expand(options.htmlbody),
        attachments: options.attachments.map((path) => ({ name: basename(path), bytes: readFileSync(path) })),
        dateMs: clock.nowMs(),
        domain: options.domain,
      })
      if (connection?.isOpen !== true) connection = await SmtpConnection.open(settings)
      await connection.send({ from: addressesOf(from)[0] ?? '', recipients }, message)
    }
    const sendWithPatience = async (event: Event): Promise<void> => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await send(event)
        } catch (error) {
          connection?.close()
          connection = undefined
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
        if (connection?.isOpen) await connection.quit()
      },
    }
  },
})

/**
 * Whether the server permanently rejects this mail, or the event cannot be made into a mail. Wrong credentials have to
 * be fixed by the operator.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof SmtpError) return error.code >= 500 && error.code !== 530 && error.code !== 535
  return error instanceof TypeError || error instanceof RangeError
}

function templateOf(path: string | undefined): MailTemplate | undefined {
  if (path === undefined) return undefined
  try {
    return compileMailTemplate(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new PluginOptionError(`template_file ${path}: ${(error as Error).message}`)
  }
}
