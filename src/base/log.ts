/**
 * Log lines for the operator, on standard error: time, level, message, then what belongs to it as `name=value`.
 *
 * Levels by what the reader must do: `error` something is broken and needs a person, `warn` it may become so, `info` a
 * change of state worth a line, `debug` nothing.
 */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
}

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

export function isLogLevel(text: string): text is LogLevel {
  return (LEVELS as readonly string[]).includes(text)
}

export const LOG_LEVELS = LEVELS

/** Writes lines up to `level` with `write`. */
export function createLog(level: LogLevel, write: (line: string) => void = toStandardError): Log {
  const at = (own: LogLevel) =>
    LEVELS.indexOf(own) > LEVELS.indexOf(level)
      ? ignore
      : (message: string, fields?: LogFields) => write(formatLine(own, message, fields))
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

/** Says nothing: for tests and for use as a library. */
export const silentLog: Log = { error: ignore, warn: ignore, info: ignore, debug: ignore }

function ignore(): void {}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`)
}

function formatLine(level: LogLevel, message: string, fields: LogFields | undefined): string {
  let line = `${new Date().toISOString()} ${level.toUpperCase().padEnd(5)} ${message}`
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (value === undefined) continue
    line += ` ${name}=${value instanceof Error ? (value.stack ?? value.message) : formatValue(value)}`
  }
  return line
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return typeof value === 'string' && /[\s"=]/.test(text) ? JSON.stringify(text) : text
}
