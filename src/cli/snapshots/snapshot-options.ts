/** Flags that `sandpiper snapshot` and `sandpiper restore` share. */
import { commandArguments } from '../arguments/command-arguments.ts'
import { usageError } from '../arguments/usage-error.ts'
import type { TransferAccess } from '../transfer/transfer-client.ts'

export const COMMON_HELP = `  --url URL              the service (default http://127.0.0.1:9200)
  --user NAME:PASSWORD   credentials for HTTP Basic authentication
  --api-key KEY          an API key, encoded or as ID:KEY
  --ca FILE              PEM file with the certificate authority of an https:// URL
  --cert, --key FILE     PEM files with a client certificate and its private key, for a service that asks for them
  --quiet                no progress`

const COMMON = {
  repository: { type: 'string' },
  indices: { type: 'string' },
  url: { type: 'string', default: 'http://127.0.0.1:9200' },
  user: { type: 'string' },
  'api-key': { type: 'string' },
  ca: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  quiet: { type: 'boolean', default: false },
} as const

export interface SnapshotOptions extends TransferAccess {
  readonly repository: string
  readonly indices: string | undefined
  readonly isQuiet: boolean
  /** Flags of the command's own. */
  readonly own: Readonly<Record<string, string | boolean | undefined>>
}

export function parseSnapshotOptions(
  args: readonly string[],
  help: string,
  own: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>,
): SnapshotOptions {
  const values: Record<string, string | boolean | undefined> = commandArguments(args, help, {
    options: { ...COMMON, ...own },
  }).values
  if (values['repository'] === undefined) throw usageError(help, '--repository is missing')
  return {
    repository: values['repository'] as string,
    indices: values['indices'] as string | undefined,
    url: values['url'] as string,
    user: values['user'] as string | undefined,
    apiKey: values['api-key'] as string | undefined,
    caFile: values['ca'] as string | undefined,
    certFile: values['cert'] as string | undefined,
    keyFile: values['key'] as string | undefined,
    isQuiet: values['quiet'] === true,
    own: values,
  }
}
