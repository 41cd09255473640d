/**
 * Log lines for operators: time, level, message, fields. In text format the fields follow as `name=value`; in JSON
 * format a line is one object with the field names of the Elastic Common Schema.
 *
 * The level says what the reader has to do. `error`: something is broken and needs attention. `warn`: it may become so.
 * `info`: a notable change of state. `debug`: nothing.
 */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

export type LogFormat = 'text' | 'json'

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
}

export interface LogOptions {
  readonly format?: LogFormat
  /** Receives a line without its line end. Default: standard error. */
  readonly write?: (line: string) => void
}

export const LOG_LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']
export const LOG_FORMATS: readonly LogFormat[] = ['text', 'json']

export function isLogLevel(text: string): text is LogLevel {
  return (LOG_LEVELS as readonly string[]).includes(text)
}

export function isLogFormat(text: string): text is LogFormat {
  return (LOG_FORMATS as readonly string[]).includes(text)
}

/** Creates a log that writes lines of `level` and of more severe levels. */
export function createLog(level: LogLevel, { format = 'text', write = writeToStandardError }: LogOptions = {}): Log {
  const formatLine = format === 'json' ? formatJsonLine : formatTextLine
  const at = (own: LogLevel) =>
    LOG_LEVELS.indexOf(own) > LOG_LEVELS.indexOf(level)
      ? ignore
      : (message: string, fields?: LogFields) => write(formatLine(own, message, fields))
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

/** Discards all lines, for tests and for use as a library. */
export const silentLog: Log = { error: ignore, warn: ignore, info: ignore, debug: ignore }

function ignore(): void {}

function writeToStandardError(line: string): void {
  process.stderr.write(`${line}\n`)
}

function formatTextLine(level: LogLevel, message: string, fields: LogFields | undefined): string {
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

function formatJsonLine(level: LogLevel, message: string, fields: LogFields | undefined): string {
  const line: Record<string, unknown> = {
    '@timestamp': new Date().toISOString(),
    'log.level': level.toUpperCase(),
    message,
    'ecs.version': '1.2.0',
    'service.name': 'sandpiper',
  }
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (value instanceof Error) {
      line[`${name}.type`] = value.name
      line[`${name}.message`] = value.message
      line[`${name}.stack_trace`] = value.stack
    } else if (!Object.hasOwn(line, name)) line[name] = value
    else line[`labels.${name}`] = value
  }
  return JSON.stringify(line)
}
