/** The body of `_clone`, `_shrink` and `_split`. */
import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { parseByteSize } from '../../base/byte-size.ts'
import { START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'
import { parseAliases } from '../definitions/alias-parser.ts'
import { nullSettings, parseSettings } from '../definitions/create-index-request.ts'
import type { AliasMetadata, JsonObject, SettingValue } from '../metadata/metadata.ts'

export type ResizeKind = 'clone' | 'shrink' | 'split'

export interface ResizeRequest {
  readonly kind: ResizeKind
  readonly settings: Readonly<Record<string, SettingValue>>
  /** Settings of the source that the new index does not get. */
  readonly unset: readonly string[]
  readonly aliases: Readonly<Record<string, AliasMetadata>>
  /** Shrinks to as few shards as this size allows. */
  readonly maxShardBytes: number | undefined
}

export function parseResize(kind: ResizeKind, body: Uint8Array): ResizeRequest {
  let settings: ResizeRequest['settings'] = {}
  let unset: readonly string[] = []
  let aliases: ResizeRequest['aliases'] = {}
  let maxShardBytes: number | undefined
  if (body.length > 0) {
    const reader = new RequestReader(body)
    reader.parseObject('resize_request', {
      settings: {
        accepts: [START_OBJECT],
        parse: () => {
          const given = reader.value()
          settings = parseSettings(given)
          unset = nullSettings(given)
        },
      },
      aliases: {
        accepts: [START_OBJECT],
        parse: () => {
          aliases = parseAliases(reader.value() as JsonObject)
        },
      },
      max_primary_shard_size: {
        accepts: [STRING],
        parse: () => {
          maxShardBytes = parseByteSize(reader.text(), 'max_primary_shard_size')
        },
      },
    })
  }
  check(kind, settings, maxShardBytes)
  return { kind, settings, unset, aliases, maxShardBytes }
}

function check(kind: ResizeKind, settings: ResizeRequest['settings'], maxShardBytes: number | undefined): void {
  const problems: string[] = []
  if (Object.keys(settings).some((name) => name.startsWith('index.sort.'))) {
    problems.push("can't override index sort when resizing an index")
  }
  if (kind === 'split' && settings['index.number_of_shards'] === undefined) {
    problems.push('index.number_of_shards is required for split operations')
  }
  if (maxShardBytes !== undefined && maxShardBytes <= 0) {
    problems.push('max_primary_shard_size must be greater than 0')
  }
  if (problems.length > 0) throw validationFailed(...problems)
  if (maxShardBytes !== undefined && kind === 'shrink' && settings['index.number_of_shards'] !== undefined) {
    throw illegalArgument('Cannot set both index.number_of_shards and max_primary_shard_size for the target index')
  }
}
