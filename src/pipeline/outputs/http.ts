/** `http`: sends each event or each batch to a URL. */
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import type { Event } from '../event/event.ts'
import { type FieldValue, isFields, namesOf, toFieldValue } from '../event/fields.ts'
import { jsonText, objectText } from '../event/json-text.ts'
import { textForm } from '../event/text-form.ts'
import { basicAuthorization, HTTP_CLIENT_OPTIONS, httpClient } from '../net/http-client-options.ts'
import { Delivery } from '../plugin/delivery.ts'
import { expandValue } from '../plugin/expand-value.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const gzip = promisify(gzipCallback)
const RETRY_MAX_MS = 60_000

const CONTENT_TYPES = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  json_batch: 'application/json',
  message: 'text/plain',
} as const

export const http = outputPlugin({
  name: 'http',
  touches: 'network',
  options: {
    url: option.string({ required: true }),
    http_method: option.words(['put', 'post', 'patch', 'delete', 'get', 'head'], { required: true }),
    format: option.words(['json', 'json_batch', 'form', 'message'], { default: 'json' }),
    mapping: option.hash(),
    message: option.string(),
    headers: option.hash(),
    content_type: option.string(),
    retry_failed: option.boolean({ default: true }),
    retryable_codes: option.array({ default: [429, 500, 502, 503, 504] }),
    ignorable_codes: option.array({ default: [] }),
    http_compression: option.boolean({ default: false }),
    ...HTTP_CLIENT_OPTIONS,
  },
  create(options, context) {
    const { log } = context
    const { format, message } = options
    if (format === 'message' && message === undefined) {
      throw new PluginOptionError('message must be set if message format is used')
    }
    const sender = httpClient(options)
    const delivery = new Delivery('http', context)
    const retryable = new Set(options.retryable_codes.map(Number))
    const ignorable = new Set(options.ignorable_codes.map(Number))
    const authorization = basicAuthorization(options)

    /** Undefined if the request was accepted; otherwise the reason it never will be. */
    const post = async (event: Event, text: string): Promise<string | undefined> => {
      const address = event.expand(options.url)
      if (!URL.canParse(address)) return `${address} is no address`
      const url = new URL(address)
      const headers: Record<string, string> = {
        'content-type': options.content_type ?? CONTENT_TYPES[format],
        ...authorization,
        ...(options.http_compression ? { 'content-encoding': 'gzip' } : {}),
      }
      for (const [name, value] of options.headers ?? []) headers[name] = event.expand(String(value))
      const body = options.http_compression ? await gzip(text) : text
      for (let attempt = 1; ; attempt++) {
        let problem: string
        let canRetry = options.retry_failed
        try {
          const request = { method: options.http_method.toUpperCase(), url, headers, body }
          const { status } = await sender.send({ ...request, timeoutMs: options.request_timeout * 1000 })
          if ((status >= 200 && status < 300) || ignorable.has(status)) return undefined
          problem = `${url.origin}${url.pathname} answered ${status}`
          canRetry &&= retryable.has(status)
        } catch (error) {
          // An invalid header is detected before anything is sent.
          if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_')) return (error as Error).message
          problem = `${url.origin} cannot be reached: ${(error as Error).message}`
        }
        if (!canRetry) return problem
        log.warn(`${problem}, trying again`)
        await delivery.wait(Math.min(attempt * attempt * 1000, RETRY_MAX_MS))
      }
    }
    const send = async ({ event, text }: { event: Event; text: string }) => {
      const problem = await post(event, text)
      if (problem !== undefined) await delivery.giveUp(event, problem)
    }
    /** A rejected batch is sent in halves until the rejected events are known. */
    const sendList = async (items: readonly { event: Event; text: string }[]): Promise<void> => {
      if (items.length === 0) return
      const problem = await post(items[0]!.event, `[${items.map(({ text }) => text).join(',')}]`)
      if (problem === undefined) return
      if (items.length === 1) return delivery.giveUp(items[0]!.event, problem)
      const middle = items.length >> 1
      await sendList(items.slice(0, middle))
      await sendList(items.slice(middle))
    }

    const fieldsOf = (event: Event): FieldValue =>
      options.mapping === undefined ? (event.fields as FieldValue) : expandMapping(options.mapping, event)
    const bodyOf = (event: Event) => {
      if (format === 'message') return event.expand(message!)
      if (format === 'form') return formText(fieldsOf(event))
      return options.mapping === undefined ? objectText(event.fields) : jsonText(fieldsOf(event))
    }
    return {
      async write(events) {
        const items = await delivery.forEach(events, (event) => ({ event, text: bodyOf(event) }))
        if (format === 'json_batch') await sendList(items)
        else await Promise.all(items.map(send))
      },
      async close() {
        delivery.close()
        sender.close()
      },
    }
  },
})

function expandMapping(mapping: ReadonlyMap<string, ConfigValue>, event: Event): FieldValue {
  return toFieldValue(new Map([...mapping].map(([name, value]) => [event.expand(name), expandValue(value, event)])))
}

function formText(fields: FieldValue): string {
  if (!isFields(fields)) return ''
  return new URLSearchParams(
    namesOf(fields).map((name): [string, string] => [name, textForm(fields[name]!)]),
  ).toString()
}
