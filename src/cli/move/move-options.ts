/** The flags of `sandpiper move`. */
import { commandArguments } from '../arguments/command-arguments.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import type { TransferAccess } from '../transfer/transfer-client.ts'

/** The action of a run; without one the run copies and follows. */
export type MoveAction = 'dry-run' | 'cut-over' | 'verify' | 'abort' | 'discard'

export interface MoveOptions {
  readonly from: TransferAccess
  readonly to: TransferAccess
  /** Names and patterns; undefined means everything that is not a system index. */
  readonly names: string | undefined
  readonly action: MoveAction | undefined
  readonly size: number
  readonly slices: number
  readonly keepAlive: string
  readonly stateFile: string
  readonly reportFile: string
  readonly isQuiet: boolean
}

export const MOVE_HELP = `sandpiper move: moves indices to another service while clients write to them

Usage
  sandpiper move --to URL [--from URL] [flags]    a node into a cluster, or into another node
  sandpiper move --from URL [flags]               the indices of a cluster onto the local node

  1. sandpiper move --to URL --dry-run     print the plan: indices to move, and settings that the target does not support
  2. sandpiper move --to URL               copies everything, then applies the changes made meanwhile; ends when it has caught up
  3. sandpiper move --to URL --cut-over    applies new changes, blocks writes on the source, applies the rest, sets aliases, and
                                           compares every document; the service at --to can be used from then on

Killed or interrupted at any moment, the same command continues. Nothing of the source is changed before --cut-over.

Steps
  --dry-run              print the plan and stop
  --cut-over             finish the move, see above
  --verify               compare every document again after the cut-over
  --abort                undo a cut-over that did not finish: lift the write block; the move can continue later
  --discard              give the move up: lift the write block, delete the indices that it created at --to

Flags
  --from URL             the source (default http://127.0.0.1:9200)
  --to URL               the target: Sandpiper, Elasticsearch 8 or 9, OpenSearch 2.15 or later (default http://127.0.0.1:9200)
  --from-user, --to-user NAME:PASSWORD     credentials for HTTP Basic authentication
  --from-api-key, --to-api-key KEY         an API key, encoded or as ID:KEY
  --from-ca, --to-ca FILE                  PEM file with the certificate authority of an https:// URL
  --from-cert, --to-cert FILE              PEM file with a client certificate, for a service that asks for one
  --from-key, --to-key FILE                its private key
  --index NAMES          indices, data streams and patterns, separated by commas; may be repeated (default: all but system indices)
  --size N               documents per request (default 1000)
  --slices N             slices of an index that are copied at the same time (default 2)
  --keep-alive TIME      how long the source keeps views and history for an interrupted move (default 12h)
  --state FILE           where the progress is recorded (default sandpiper-move, in this folder)
  --report FILE          the report of the comparison (default move-report.json)
  --quiet                no progress

A source that is not a Sandpiper node with data on disk does not report its changes: its documents are copied as of one moment, and with
--cut-over it is blocked for writes before that. Exit status 0 means that the step is done; after a comparison, that there is no difference.

Examples
  sandpiper move --to https://cluster:9200 --to-api-key KEY --to-ca ca.pem --dry-run
  sandpiper move --from http://cluster:9200 --index 'logs-*,users'
`

const TEXT = { type: 'string' } as const
const SWITCH = { type: 'boolean' } as const
const ACTIONS: readonly MoveAction[] = ['dry-run', 'cut-over', 'verify', 'abort', 'discard']
const LOCAL = 'http://127.0.0.1:9200'

export function parseMoveOptions(args: readonly string[]): MoveOptions {
  const { values } = commandArguments(args, MOVE_HELP, {
    options: {
      from: TEXT,
      to: TEXT,
      'from-user': TEXT,
      'to-user': TEXT,
      'from-api-key': TEXT,
      'to-api-key': TEXT,
      'from-ca': TEXT,
      'to-ca': TEXT,
      'from-cert': TEXT,
      'to-cert': TEXT,
      'from-key': TEXT,
      'to-key': TEXT,
      index: { type: 'string', multiple: true },
      size: TEXT,
      slices: TEXT,
      'keep-alive': TEXT,
      state: TEXT,
      report: TEXT,
      quiet: SWITCH,
      'dry-run': SWITCH,
      'cut-over': SWITCH,
      verify: SWITCH,
      abort: SWITCH,
      discard: SWITCH,
    },
  })
  const text = values as Record<string, string | undefined>
  if (text['from'] === undefined && text['to'] === undefined) {
    throw new SettingsError(`--to or --from names the other service\n\n${MOVE_HELP}`)
  }
  const access = (side: 'from' | 'to'): TransferAccess => ({
    url: text[side] ?? LOCAL,
    flag: `--${side}`,
    user: text[`${side}-user`],
    apiKey: text[`${side}-api-key`],
    caFile: text[`${side}-ca`],
    certFile: text[`${side}-cert`],
    keyFile: text[`${side}-key`],
  })
  const actions = ACTIONS.filter((action) => values[action] === true)
  if (actions.length > 1) throw new SettingsError(`--${actions[0]} and --${actions[1]} exclude each other`)
  return {
    from: access('from'),
    to: access('to'),
    names: values.index?.join(','),
    action: actions[0],
    size: numberFlag(text, 'size', 1000, 10_000),
    slices: numberFlag(text, 'slices', 2, 64),
    keepAlive: text['keep-alive'] ?? '12h',
    stateFile: text['state'] ?? 'sandpiper-move',
    reportFile: text['report'] ?? 'move-report.json',
    isQuiet: values.quiet === true,
  }
}

function numberFlag(text: Record<string, string | undefined>, name: string, absent: number, max: number): number {
  const value = Number(text[name] ?? absent)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new SettingsError(`--${name} is between 1 and ${max}`)
}
