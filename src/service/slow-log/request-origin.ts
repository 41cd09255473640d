/** The request that a line of the slow log is about. */
import { randomBytes } from 'node:crypto'
import type { LogFields } from '../../base/log.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/metadata.ts'
import { textOf } from '../settings/flat-settings.ts'

/** Plain data, because the writer thread receives it. */
export interface RequestOrigin {
  /** The id that the client chose; undefined if it left the choice to the log. */
  readonly requestId: string | undefined
  /** `X-Opaque-Id` */
  readonly opaqueId: string | undefined
  /** The caller in the words of the log; undefined unless an index shows it. */
  readonly user?: LogFields | undefined
}

const ID_BYTES = 8

export function newRequestId(): string {
  return randomBytes(ID_BYTES).toString('hex')
}

/** Whether the slow log of an index shows the caller. */
export function includesUser(settings: FlatSettings, kind: 'search' | 'indexing'): boolean {
  return textOf(settings[`index.${kind}.slowlog.include.user`] ?? 'false') === 'true'
}

/** By the indices of a state, which are replaced when one of them changes. */
const known = new WeakMap<object, boolean>()

/** Whether the slow log of any index shows the caller, so that requests have to carry it. */
export function showsUsers(indices: ReadonlyMap<string, IndexMetadata>): boolean {
  let shows = known.get(indices)
  if (shows === undefined) {
    shows = [...indices.values()].some(
      ({ settings }) => includesUser(settings, 'search') || includesUser(settings, 'indexing'),
    )
    known.set(indices, shows)
  }
  return shows
}
