/** `stdout`: writes events to standard output, in their order. */
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

export const stdout = outputPlugin({
  name: 'stdout',
  options: { codec: option.codec({ default: 'rubydebug' }) },
  create({ codec }) {
    return {
      write(events) {
        const pieces = events.map((event) => codec.encode(event))
        // Text is joined before it is encoded: many small writes cost far more than one.
        const whole = pieces.every((piece) => typeof piece === 'string')
          ? pieces.join('')
          : Buffer.concat(pieces.map((piece) => Buffer.from(piece as Uint8Array)))
        if (whole.length === 0) return undefined
        return new Promise((resolve, reject) => {
          process.stdout.write(whole, (error) => (error ? reject(error) : resolve()))
        })
      },
    }
  },
})
