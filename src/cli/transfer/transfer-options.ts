/** Flags of `export` and `import`. */
import { commandArguments } from '../arguments/command-arguments.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { usageError } from '../arguments/usage-error.ts'
import type { TransferAccess } from './transfer-client.ts'

/** The parts of an export besides documents. */
export const DEFINITION_PARTS = ['settings', 'mappings', 'aliases', 'templates'] as const
export type DefinitionPart = (typeof DEFINITION_PARTS)[number]

export interface TransferOptions extends TransferAccess {
  /** Comma-separated names and patterns. */
  readonly index: string | undefined
  readonly file: string
  /** A query clause as JSON text. */
  readonly query: string | undefined
  readonly parts: ReadonlySet<DefinitionPart>
  readonly size: number
  readonly keepAlive: string
  /** Discard an interrupted run and start over. */
  readonly restart: boolean
  readonly isQuiet: boolean
}

const TEXT = { type: 'string' } as const
const SWITCH = { type: 'boolean' } as const

/** `fileFlag` is `out` or `in`. */
export function parseTransferOptions(args: readonly string[], fileFlag: 'out' | 'in', help: string): TransferOptions {
  const { values } = commandArguments(args, help, {
    options: {
      url: TEXT,
      user: TEXT,
      'api-key': TEXT,
      ca: TEXT,
      cert: TEXT,
      key: TEXT,
      index: { type: 'string', multiple: true },
      with: TEXT,
      size: TEXT,
      restart: SWITCH,
      quiet: SWITCH,
      ...(fileFlag === 'out' ? { query: TEXT, 'keep-alive': TEXT } : {}),
      [fileFlag]: TEXT,
    },
  })
  const text = values as Record<string, string | undefined>
  const file = text[fileFlag]
  if (file === undefined || file === '') throw usageError(help, `--${fileFlag} names the file`)
  const size = Number(text['size'] ?? '1000')
  if (!Number.isInteger(size) || size < 1 || size > 10_000) throw new SettingsError('--size is between 1 and 10000')
  return {
    url: text['url'] ?? 'http://127.0.0.1:9200',
    user: text['user'],
    apiKey: text['api-key'],
    caFile: text['ca'],
    certFile: text['cert'],
    keyFile: text['key'],
    index: values.index?.join(','),
    file,
    query: checkJson(text['query']),
    parts: parseParts(text['with']),
    size,
    keepAlive: text['keep-alive'] ?? '10m',
    restart: values.restart === true,
    isQuiet: values.quiet === true,
  }
}

function parseParts(text: string | undefined): ReadonlySet<DefinitionPart> {
  if (text === undefined || text === 'all') return new Set(DEFINITION_PARTS)
  if (text === 'none') return new Set()
  const parts = text.split(',').map((part) => part.trim())
  const isPart = (part: string): part is DefinitionPart => (DEFINITION_PARTS as readonly string[]).includes(part)
  for (const part of parts) {
    if (!isPart(part)) {
      throw new SettingsError(`--with takes all, none or some of ${DEFINITION_PARTS.join(',')}, not "${part}"`)
    }
  }
  return new Set(parts.filter(isPart))
}

function checkJson(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    JSON.parse(text)
    return text
  } catch (error) {
    throw new SettingsError(`--query is not JSON: ${(error as Error).message}`)
  }
}
