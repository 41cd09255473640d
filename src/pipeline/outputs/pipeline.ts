/** `pipeline`: sends copies of events to other pipelines of the same process. */
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { pipelineBus } from '../plugin/pipeline-bus.ts'

export const pipeline = outputPlugin({
  name: 'pipeline',
  touches: 'nothing',
  options: { send_to: option.strings({ required: true }), ensure_delivery: option.boolean({ default: true }) },
  create({ send_to: addresses, ensure_delivery: isEnsured }, { log }) {
    return {
      async start() {
        for (const address of addresses) pipelineBus.join(address)
      },
      async write(events) {
        await Promise.all(
          addresses.map(async (address) => {
            // Each pipeline changes its own copies.
            const copies = events.map((event) => event.clone())
            if (isEnsured) await pipelineBus.send(address, copies)
            else if (!(await pipelineBus.trySend(address, copies)))
              log.warn(`Nobody listens at ${address}: events are dropped`)
          }),
        )
      },
      async close() {
        for (const address of addresses) pipelineBus.leave(address)
      },
    }
  },
})
