/**
 * Commands of outputs with event fields. A command given as text runs in a shell, as in Logstash: a field that contains
 * `; rm -rf .` becomes part of the command. A command given as a list runs without a shell: a field is always a single
 * argument.
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

/**
 * Expands the fields of an event in the command. The program of a list is not expanded, because no event may choose it.
 */
export function commandFor(event: Event, command: ConfigValue): CommandLine {
  if (!Array.isArray(command)) return event.expand(String(command))
  return command.map((part, at) => (at === 0 ? String(part) : event.expand(String(part))))
}

/** The command as shown in logs, also used as the key of a running command. */
export const describeCommand = (command: CommandLine) =>
  typeof command === 'string' ? command : JSON.stringify(command)

export function startCommand(command: CommandLine, stdio: StdioOptions): ChildProcess {
  if (typeof command === 'string') return spawn(command, { shell: true, stdio })
  // A NUL byte would end an argument. Node rejects such arguments, and one event would stop the pipeline.
  const [program, ...args] = command.map((part) => part.replaceAll('\0', ''))
  return spawn(program!, args, { stdio })
}
