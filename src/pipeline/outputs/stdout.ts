/** `stdout`: writes events to standard output, in their order. */
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { encodeAll } from './encode-all.ts'

export const stdout = outputPlugin({
  name: 'stdout',
  touches: 'processes',
  options: { codec: option.codec({ default: 'rubydebug' }) },
  create({ codec }, context) {
    const delivery = new Delivery('stdout', context)
    return {
      async write(events) {
        const whole = await encodeAll(events, codec, delivery)
        if (whole.length > 0) await delivery.retry(() => print(whole))
      },
      close: async () => delivery.close(),
    }
  },
})

/** If the reader is gone (EPIPE) the process ends; the command handles that. */
function print(bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}
