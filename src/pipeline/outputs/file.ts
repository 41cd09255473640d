/** `file`: appends events to files whose names may contain event fields. */
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { EventFiles, FILE_OPTIONS } from './event-files.ts'

export const file = outputPlugin({
  name: 'file',
  touches: 'files',
  options: {
    ...FILE_OPTIONS,
    codec: option.codec({ default: 'json_lines' }),
  },
  create(options, context) {
    const files = new EventFiles('file', options, context)
    return {
      write: (events) => files.write(events, (event) => options.codec.encode(event)),
      close: () => files.close(),
    }
  },
})
