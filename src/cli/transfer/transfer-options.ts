/** Flags of `export` and `import`. */
import { SettingsError } from '../serve/settings.ts'

export interface TransferOptions {
  readonly url: string
  readonly user: string | undefined
  readonly index: string | undefined
  readonly file: string
  /** A query clause as JSON text. */
  readonly query: string | undefined
  readonly size: number
  readonly keepAlive: string
  /** Forget an interrupted run and begin anew. */
  readonly restart: boolean
  readonly isQuiet: boolean
}

const FLAGS: ReadonlySet<string> = new Set(['url', 'user', 'index', 'query', 'size', 'keep-alive'])
const SWITCHES: ReadonlySet<string> = new Set(['restart', 'quiet'])

/** `fileFlag` is `out` or `in`. */
export function parseTransferOptions(args: readonly string[], fileFlag: 'out' | 'in', help: string): TransferOptions {
  const values = new Map<string, string>()
  for (let i = 0; i < args.length; i++) {
    const [, name, inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(args[i]!) ?? []
    if (name !== undefined && SWITCHES.has(name)) values.set(name, 'true')
    else if (name !== undefined && (FLAGS.has(name) || name === fileFlag)) values.set(name, inline ?? args[++i] ?? '')
    else throw new SettingsError(`unknown argument "${args[i]}"\n\n${help}`)
  }
  const file = values.get(fileFlag)
  if (file === undefined || file === '') throw new SettingsError(`--${fileFlag} names the file\n\n${help}`)
  const size = Number(values.get('size') ?? '1000')
  if (!Number.isInteger(size) || size < 1 || size > 10_000) throw new SettingsError('--size is between 1 and 10000')
  return {
    url: values.get('url') ?? 'http://127.0.0.1:9200',
    user: values.get('user'),
    index: values.get('index'),
    file,
    query: checkJson(values.get('query')),
    size,
    keepAlive: values.get('keep-alive') ?? '10m',
    restart: values.has('restart'),
    isQuiet: values.has('quiet'),
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
