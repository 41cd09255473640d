/** `dots`: writes one dot per event, to show the event rate. */
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'

export const dots = codecPlugin({
  name: 'dots',
  touches: 'nothing',
  options: {},
  create() {
    const codec: Codec = {
      name: 'dots',
      createDecoder() {
        throw new Error('Not implemented')
      },
      encode: () => '.',
      forStream: () => codec,
    }
    return codec
  },
})
