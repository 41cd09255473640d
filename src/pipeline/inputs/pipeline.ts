/** `pipeline`: receives the events that `pipeline` outputs of the same process send to an address. */
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { pipelineBus } from '../plugin/pipeline-bus.ts'

export const pipeline = inputPlugin({
  name: 'pipeline',
  touches: 'nothing',
  options: { address: option.string({ required: true }) },
  create({ address }) {
    let end: (() => void) | undefined
    const stopped = new Promise<void>((resolve) => {
      end = resolve
    })
    return {
      async run(sink) {
        // A batch is acknowledged to its sender when it is acknowledged here, so that a file position waits for the
        // last pipeline of the chain.
        pipelineBus.listen(address, (events) => new Promise((resolve) => void sink.push(events, resolve)))
        // Waiting for other pipelines does not keep Node alive. Without a timer the process would exit.
        const timer = setInterval(() => {}, 60_000)
        await stopped
        await pipelineBus.withoutSenders(address)
        pipelineBus.silence(address)
        clearInterval(timer)
      },
      stop: () => end!(),
    }
  },
})
