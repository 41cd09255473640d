/** Log lines in Logstash's format, on standard error, because standard output carries events. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log, LogFields } from '../../base/log.ts'

export type PipelineLogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
export const PIPELINE_LOG_LEVELS: readonly PipelineLogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']

export interface PipelineLog extends Log {
  /** Less severe lines are omitted. May be changed at run time. */
  level: PipelineLogLevel
  fatal(message: string, fields?: LogFields): void
}

export interface PipelineLogSettings {
  readonly level: PipelineLogLevel
  readonly format: 'plain' | 'json'
  readonly logger?: string
  /** `path.logs`: lines also go to a file in this folder. */
  readonly folder?: string | undefined
}

export function createPipelineLog(settings: PipelineLogSettings): PipelineLog {
  const logger = settings.logger ?? 'logstash.runner'
  const file = settings.folder === undefined ? undefined : openFile(settings.folder, settings.format)
  const write = (level: PipelineLogLevel, message: string, fields: LogFields = {}) => {
    const line =
      settings.format === 'json' ? jsonLine(level, logger, message, fields) : plainLine(level, logger, message, fields)
    const masked = withoutPasswords(line)
    process.stderr.write(`${masked}\n`)
    if (file !== undefined) appendFileSync(file, `${masked}\n`, { mode: 0o600 })
  }
  const at = (level: PipelineLogLevel) => (message: string, fields?: LogFields) => {
    if (PIPELINE_LOG_LEVELS.indexOf(level) <= PIPELINE_LOG_LEVELS.indexOf(log.level)) write(level, message, fields)
  }
  const log: PipelineLog = {
    level: settings.level,
    fatal: at('fatal'),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
  }
  return log
}

/** Addresses may contain a user and a password, which belong in no log. */
export const withoutPasswords = (text: string) => text.replace(PASSWORD_IN_ADDRESS, '$1<password>@')

const PASSWORD_IN_ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']*:)[^\s/@"']+@/gi

function openFile(folder: string, format: string): string {
  // Lines may quote events, which are for the user of the tool alone.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, `logstash-${format}.log`)
}

function plainLine(level: string, logger: string, message: string, fields: LogFields): string {
  const time = new Date().toISOString().slice(0, -1).replace('.', ',')
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const details = entries
    .map(([name, value]) => `${JSON.stringify(name)}=>${JSON.stringify(readable(value))}`)
    .join(', ')
  return `[${time}][${level.toUpperCase().padEnd(5)}][${logger}] ${message}${details === '' ? '' : ` {${details}}`}`
}

function jsonLine(level: string, loggerName: string, message: string, fields: LogFields): string {
  const details = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readable(value)]))
  return JSON.stringify({
    level: level.toUpperCase(),
    loggerName,
    timeMillis: Date.now(),
    thread: 'main',
    logEvent: { message, ...details },
  })
}

function readable(value: unknown): unknown {
  return value instanceof Error ? value.message : value
}
