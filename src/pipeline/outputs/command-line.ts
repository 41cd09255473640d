/**
 * Commands of outputs, with fields of the event in them. As text they go through a shell, as in Logstash: a field that holds
 * `; rm -rf .` is part of the command then. As a list, program first, there is no shell, and a field is an argument whatever it holds.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Event } from '../event/event.ts'
import { type ConfigValue, option } from '../plugin/options.ts'

export type CommandLine = string | readonly string[]

export const commandOption = () =>
  option.any({
    required: true,
    check: (value) => (isCommand(value) ? undefined : 'must be a text for the shell, or a list: program and arguments'),
  })

function isCommand(value: ConfigValue): boolean {
  if (!Array.isArray(value)) return typeof value === 'string' && value !== ''
  return value.length > 0 && value[0] !== '' && value.every((part) => typeof part !== 'object')
}

/** The command with the fields of an event put in. The program of a list is taken as it stands: no event may choose it. */
export function commandFor(event: Event, command: ConfigValue): CommandLine {
  if (!Array.isArray(command)) return event.expand(String(command))
  return command.map((part, at) => (at === 0 ? String(part) : event.expand(String(part))))
}

/** As people read it in a log, and as one of several that run is found again. */
export const describeCommand = (command: CommandLine) =>
  typeof command === 'string' ? command : JSON.stringify(command)

export function startCommand(command: CommandLine, stdio: StdioOptions): ChildProcess {
  if (typeof command === 'string') return spawn(command, { shell: true, stdio })
  // A zero byte ends an argument for the system; Node refuses such a list altogether, and one event would stop the pipeline.
  const [program, ...args] = command.map((part) => part.replaceAll('\0', ''))
  return spawn(program!, args, { stdio })
}
