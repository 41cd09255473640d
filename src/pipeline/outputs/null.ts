/** `null`: takes events and does nothing with them, to measure everything else. */
import { outputPlugin } from '../plugin/output-plugin.ts'

export const nullOutput = outputPlugin({
  name: 'null',
  options: {},
  create: () => ({ write: () => undefined }),
})
