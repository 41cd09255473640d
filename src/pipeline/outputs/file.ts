/** `file`: appends events to files whose names may come from the events. */
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { FILE_OPTIONS, openFiles, pathTemplate } from './file-options.ts'

export const file = outputPlugin({
  name: 'file',
  options: {
    ...FILE_OPTIONS,
    codec: option.codec({ default: 'json_lines' }),
  },
  create(options, context) {
    const pathOf = pathTemplate(options.path, options.filename_failure)
    const files = openFiles(options, context.log)
    return {
      async write(events) {
        const byPath = new Map<string, (string | Uint8Array)[]>()
        for (const event of events) {
          const path = pathOf(event)
          const pieces = byPath.get(path)
          if (pieces === undefined) byPath.set(path, [options.codec.encode(event)])
          else pieces.push(options.codec.encode(event))
        }
        for (const [path, pieces] of byPath) await files.append(path, joined(pieces))
      },
      close: () => files.close(),
    }
  },
})

function joined(pieces: readonly (string | Uint8Array)[]): Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return Buffer.from(pieces.join(''))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
