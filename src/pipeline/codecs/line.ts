/** `line`: every line is an event. */
import type { Event } from '../event/event.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { LinesDecoder } from './lines-decoder.ts'
import { formatLine } from './text-codec.ts'

export const line = codecPlugin({
  name: 'line',
  touches: 'nothing',
  options: {
    format: option.string(),
    charset: option.string({ default: 'UTF-8' }),
    delimiter: option.string({ default: '\n' }),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    return createLineCodec(charsetOf(options.charset), options.delimiter, options.format, context)
  },
})

export function createLineCodec(
  charset: Charset,
  delimiter: string,
  format: string | undefined,
  context: PluginContext,
): Codec {
  const codec: Codec = {
    name: 'line',
    keepsOriginal: context.ecs !== 'disabled',
    createDecoder: () => new LineDecoder(charset, delimiter, context),
    encode: (event) => formatLine(event, format) + delimiter,
    forStream: () => codec,
  }
  return codec
}

class LineDecoder extends LinesDecoder {
  decodeLine(text: string, out: Event[]): void {
    out.push(this.maker.make(text))
  }
}
