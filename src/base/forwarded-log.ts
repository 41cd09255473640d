/** The log of a worker thread. Its lines go to the main thread, which owns the configured level, format and file. */
import type { Log, LogFields, LogLevel } from './log.ts'

export interface LogMessage {
  readonly kind: 'log'
  readonly level: LogLevel
  readonly message: string
  readonly fields?: LogFields | undefined
}

export function forwardedLog(post: (message: LogMessage) => void): Log {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => post({ kind: 'log', level, message, fields })
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}
