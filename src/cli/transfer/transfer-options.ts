/** Flags of `export` and `import`. */
import { commandArguments } from '../arguments/command-arguments.ts'
import { SettingsError } from '../arguments/settings-error.ts'

export interface TransferOptions {
  readonly url: string
  readonly user: string | undefined
  readonly index: string | undefined
  readonly file: string
  /** A query clause as JSON text. */
  readonly query: string | undefined
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
      index: TEXT,
      query: TEXT,
      size: TEXT,
      'keep-alive': TEXT,
      restart: SWITCH,
      quiet: SWITCH,
      [fileFlag]: TEXT,
    },
  })
  const file = values[fileFlag]
  if (typeof file !== 'string' || file === '') throw new SettingsError(`--${fileFlag} names the file\n\n${help}`)
  const size = Number(values.size ?? '1000')
  if (!Number.isInteger(size) || size < 1 || size > 10_000) throw new SettingsError('--size is between 1 and 10000')
  return {
    url: values.url ?? 'http://127.0.0.1:9200',
    user: values.user,
    index: values.index,
    file,
    query: checkJson(values.query),
    size,
    keepAlive: values['keep-alive'] ?? '10m',
    restart: values.restart ?? false,
    isQuiet: values.quiet ?? false,
  }
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
