/** `null`: discards events, to measure the rest of a pipeline. */
import { outputPlugin } from '../plugin/output-plugin.ts'

export const nullOutput = outputPlugin({
  name: 'null',
  touches: 'nothing',
  options: {},
  create: () => ({ write: () => undefined }),
})
