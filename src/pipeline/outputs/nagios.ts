/** `nagios`: writes passive check results to the external command file. */
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Event } from '../event/event.ts'
import { textForm } from '../event/text-form.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'

const LEVELS: Readonly<Record<string, string>> = { ok: '0', warning: '1', critical: '2', unknown: '3' }

export const nagios = outputPlugin({
  name: 'nagios',
  touches: 'files',
  options: {
    commandfile: option.touching('files', option.string({ default: '/var/lib/nagios3/rw/nagios.cmd' })),
    nagios_level: option.words(['0', '1', '2', '3'], { default: '2' }),
  },
  create({ commandfile, nagios_level: level }, context) {
    const delivery = new Delivery('nagios', context)
    return {
      async write(events) {
        const results = await delivery.forEach(events, (event) => ({ event, line: resultLine(event, level, context) }))
        const lines = results.flatMap(({ line }) => line ?? [])
        if (lines.length === 0) return
        const problem = await append(commandfile, lines.join(''))
        if (problem === undefined) return
        for (const { event, line } of results) if (line !== undefined) await delivery.giveUp(event, problem)
      },
      close: async () => delivery.close(),
    }
  },
})

function resultLine(event: Event, level: string, { log, clock }: PluginContext): string | undefined {
  const host = first(event, 'nagios_host')
  const service = first(event, 'nagios_service')
  if (host === undefined || service === undefined) {
    const missing = host === undefined ? 'nagios_host' : 'nagios_service'
    log.warn(`Skipping nagios output; ${missing} field is missing`, { message: first(event, 'message') })
    return undefined
  }
  const annotation = first(event, 'nagios_annotation')
  const own = first(event, 'nagios_level')?.toLowerCase()
  const code = own === undefined ? level : (LEVELS[own] ?? level)
  const message = (first(event, 'message') ?? '<no message>').replaceAll('\n', '\\n')
  const seconds = Math.floor(clock.nowMs() / 1000)
  const text = annotation === undefined ? message : `${annotation}: ${message}`
  return `[${seconds}] PROCESS_SERVICE_CHECK_RESULT;${host};${service};${code};${text}\n`
}

function first(event: Event, name: string): string | undefined {
  const value = event.get(name)
  const one = Array.isArray(value) ? value[0] : value
  return one === undefined || one === null ? undefined : textForm(one)
}

/**
 * The file is a pipe created by Nagios. It is never created here, and writing never blocks if Nagios does not read,
 * because delayed check results are worthless. Returns the reason nothing was written, or undefined.
 */
async function append(path: string, text: string): Promise<string | undefined> {
  if ((await stat(path).catch(() => undefined)) === undefined) return `command file is missing: ${path}`
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  } catch (error) {
    return `could not write to ${path}: ${(error as Error).message}`
  }
  return undefined
}
