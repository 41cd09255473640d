/** `pipeline`: takes what `pipeline` outputs of the same program send to an address. */
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { pipelineBus } from '../plugin/pipeline-bus.ts'

export const pipeline = inputPlugin({
  name: 'pipeline',
  options: { address: option.string({ required: true }) },
  create({ address }) {
    let end: (() => void) | undefined
    const stopped = new Promise<void>((resolve) => {
      end = resolve
    })
    return {
      async run(sink) {
        // A batch is done for its sender when it is done here: a file's position waits for the last pipeline of the chain.
        pipelineBus.listen(address, (events) => new Promise((resolve) => void sink.push(events, resolve)))
        // Waiting for others is no work in Node's eyes: without a timer the program would end.
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
