/** `multiline`: joins lines that belong together into one event. */
import type { Log } from '../../base/log.ts'
import { expandPattern } from '../../text/grok/expand.ts'
import { stockPatterns } from '../../text/grok/stock-patterns.ts'
import { SlowRegexpError, WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import { type Event, Event as EventClass } from '../event/event.ts'
import type { Timestamp } from '../event/timestamp.ts'
import { readPatternFolders } from '../grok/pattern-files.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { LineSplitter } from './line-splitter.ts'
import { formatLine, MessageMaker } from './text-codec.ts'

const OPTIONS = {
  pattern: option.string({ required: true }),
  what: option.words(['previous', 'next'], { required: true }),
  negate: option.boolean({ default: false }),
  patterns_dir: option.touching('files', option.strings({ default: [] })),
  charset: option.string({ default: 'UTF-8' }),
  multiline_tag: option.string({ default: 'multiline' }),
  max_lines: option.number({ default: 500 }),
  max_bytes: option.bytes({ default: 10 * 2 ** 20 }),
  auto_flush_interval: option.number(),
  ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
} as const

export const multiline = codecPlugin({
  name: 'multiline',
  touches: 'nothing',
  options: OPTIONS,
  create(options, context) {
    const charset = charsetOf(options.charset)
    const regexp = compile(options, context)
    const codec: Codec = {
      name: 'multiline',
      keepsOriginal: context.ecs !== 'disabled',
      createDecoder: () => new MultilineDecoder(options, charset, regexp, context),
      encode: (event) => formatLine(event, undefined),
      forStream: () => codec,
    }
    return codec
  },
})

function compile(options: OptionValues<typeof OPTIONS>, { ecs }: PluginContext): WatchedRegexp {
  const stock = stockPatterns(ecs)
  const own = readPatternFolders(options.patterns_dir, '*')
  try {
    const { source } = expandPattern(options.pattern, (name) => own.get(name) ?? stock(name), true)
    return new WatchedRegexp(source, { dotAll: true })
  } catch (error) {
    throw new PluginOptionError((error as Error).message)
  }
}

class MultilineDecoder implements Decoder {
  readonly charset: Charset
  readonly flushAfterMs?: number
  readonly #options: OptionValues<typeof OPTIONS>
  readonly #regexp: WatchedRegexp
  readonly #log: Log
  readonly #splitter: LineSplitter
  readonly #maker: MessageMaker
  #lines: string[] = []
  #bytes = 0
  /** The event has the timestamp of its first line. */
  #time: Timestamp | undefined

  constructor(options: OptionValues<typeof OPTIONS>, charset: Charset, regexp: WatchedRegexp, context: PluginContext) {
    this.#options = options
    this.charset = charset
    this.#regexp = regexp
    this.#log = context.log
    this.#splitter = new LineSplitter(charset, '\n')
    this.#maker = new MessageMaker(context)
    if (options.auto_flush_interval !== undefined) this.flushAfterMs = options.auto_flush_interval * 1000
  }

  get pending(): boolean {
    return this.#lines.length > 0 || this.#splitter.pending
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    for (const line of this.#splitter.push(bytes)) this.decodeLine(line, out)
  }

  decodeLine(line: string, out: Event[]): void {
    const belongs = this.#matches(line) !== this.#options.negate
    if (this.#options.what === 'previous') {
      if (!belongs || this.#isFull()) this.#emit(out)
      this.#add(line)
    } else {
      this.#add(line)
      if (!belongs || this.#isFull()) this.#emit(out)
    }
  }

  flush(out: Event[]): void {
    const rest = this.#splitter.end()
    if (rest !== undefined) this.decodeLine(rest, out)
    this.#emit(out)
  }

  /** A line on which the expression times out counts as not matching, so that reading continues. */
  #matches(line: string): boolean {
    try {
      return this.#regexp.test(line)
    } catch (error) {
      if (!(error instanceof SlowRegexpError)) throw error
      this.#log.warn(error.message)
      return false
    }
  }

  #isFull(): boolean {
    return this.#lines.length > this.#options.max_lines || this.#bytes >= this.#options.max_bytes
  }

  #add(line: string): void {
    if (this.#lines.length === 0) this.#time = this.#maker.now()
    this.#lines.push(line)
    this.#bytes += Buffer.byteLength(line)
  }

  #emit(out: Event[]): void {
    if (this.#lines.length === 0) return
    const message = this.#lines.join('\n')
    const event = EventClass.ofMessage(message, this.#time!)
    this.#maker.keepOriginal(event, message)
    if (this.#lines.length > 1 && this.#options.multiline_tag !== '') event.tag(this.#options.multiline_tag)
    if (this.#bytes >= this.#options.max_bytes) event.tag('multiline_codec_max_bytes_reached')
    if (this.#lines.length > this.#options.max_lines) event.tag('multiline_codec_max_lines_reached')
    this.#lines = []
    this.#bytes = 0
    out.push(event)
  }
}
