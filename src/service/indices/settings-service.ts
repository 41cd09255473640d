/** Settings of existing indices: shows, changes and resets them, and adds blocks, which have an API of their own. */

import { illegalArgument, parseFailure, validationFailed } from '../../base/api-error.ts'
import { indexMissing, noSettingsToUpdate } from '../../base/errors/index-errors.ts'
import { newMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { hashOrder } from '../../engine/values/java-text.ts'
import { checkBlocks, liftsBlock } from '../catalog/blocks.ts'
import { ACKNOWLEDGED, type IndexContext, putIndex, resolverOf } from '../catalog/index-context.ts'
import type { Change, FlatSettings, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import {
  CHANGE_METADATA,
  EXPAND_OPEN,
  type IndicesParameters,
  withoutSelectors,
  withParameters,
} from '../names/indices-options.ts'
import {
  flattenSettings,
  isObject,
  loadSettings,
  type SettingsUpdate,
  withIndexPrefix,
} from '../settings/flat-settings.ts'
import { applyUpdate, checkUpdate, staticNames } from '../settings/update-settings.ts'
import { type PrintOptions, printIndexSettings } from './print-index.ts'
import { checkShardLimit } from './shard-limit.ts'

export interface PutSettingsOptions {
  readonly preserveExisting: boolean
  readonly reopen: boolean
}

const BLOCKS = ['read_only', 'read', 'write', 'metadata']

export class SettingsService {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  get(
    expressions: readonly string[],
    names: readonly string[],
    parameters: IndicesParameters,
    options: PrintOptions,
  ): JsonObject {
    const indices = resolverOf(this.#context).indices(expressions, withParameters(EXPAND_OPEN, parameters))
    checkBlocks(indices, 'metadataRead')
    const wanted = names.includes('_all') ? [] : names
    const out: JsonObject = newMembers()
    for (const index of indices) {
      const shown = printIndexSettings(index, wanted, options)
      if (shown !== undefined) out[index.name] = shown
    }
    return { ...out }
  }

  async put(
    expressions: readonly string[],
    body: unknown,
    parameters: IndicesParameters,
    options: PutSettingsOptions,
  ): Promise<JsonObject> {
    const update = parseUpdate(body)
    resolverOf(this.#context).indices(expressions, withParameters(CHANGE_METADATA, parameters))
    checkUpdate(update)
    const fixed = staticNames(update)
    const { mappings } = this.#context
    const changesAnalysis = Object.keys(update).some((name) => name.startsWith('index.analysis.'))
    const withFiles = (settings: FlatSettings) => (changesAnalysis ? mappings.withFiles(settings) : settings)
    await this.#change(
      (state) => {
        const indices = resolverOf(this.#context, state).indices(
          expressions,
          withParameters(CHANGE_METADATA, parameters),
        )
        if (!liftsBlock(Object.keys(update))) checkBlocks(indices, 'metadataWrite')
        const open = indices.filter((index) => index.state === 'open')
        if (fixed.length > 0 && open.length > 0 && !options.reopen) throw notForOpenIndices(fixed, open)
        return indices.map((index) =>
          withSettings(
            options.preserveExisting ? index : withoutUnset(index, update),
            withFiles(applyUpdate(index, update, { preserveExisting: options.preserveExisting, allowStatic: true })),
          ),
        )
      },
      options.reopen && fixed.length > 0,
    )
    return ACKNOWLEDGED
  }

  /** `PUT /{index}/_block/{block}`. */
  async addBlock(expressions: readonly string[], block: string, parameters: IndicesParameters): Promise<JsonObject> {
    if (block === 'read_only_allow_delete') throw validationFailed(`${block} block is for internal use only`)
    if (!BLOCKS.includes(block)) throw illegalArgument(`No block found with name ${block}`)
    if (expressions.length === 0) throw indexMissing()
    let blocked: IndexMetadata[] = []
    await this.#change((state) => {
      const options = withoutSelectors(withParameters(EXPAND_OPEN, parameters))
      const found = resolverOf(this.#context, state).indices(expressions, options)
      // The response lists only indices whose block the request changed.
      blocked = found.filter((index) => index.settings[`index.blocks.${block}`] !== 'true')
      return blocked.map((index) =>
        withSettings(index, {
          ...index.settings,
          [`index.blocks.${block}`]: 'true',
          ...(block === 'write' ? { 'index.verified_read_only': 'true' } : {}),
        }),
      )
    }, false)
    return {
      ...ACKNOWLEDGED,
      shards_acknowledged: blocked.length > 0,
      indices: blocked.map(({ name }) => ({ name, blocked: true })),
    }
  }

  /** Stores new versions of indices and notifies their shards. */
  async #change(compute: (state: MetadataState) => readonly IndexMetadata[], reopen: boolean): Promise<void> {
    const { store, shards } = this.#context
    let changed: readonly IndexMetadata[] = []
    await store.update((state) => {
      const next = compute(state)
      // Analysis settings are validated before they are stored.
      for (const index of next) this.#context.mappings.of(index)
      changed = next.filter((index) => index !== state.index(index.name))
      checkShardLimit(store, state, changed)
      return changed.map((index): Change => putIndex(index))
    })
    for (const index of changed) {
      if (index.state !== 'open') continue
      if (reopen) {
        await shards.serially(index.uuid, async () => {
          const current = store.state.indexByUuid(index.uuid)
          if (current?.state !== 'open') return
          await shards.close(current)
          await shards.open(current)
        })
      } else {
        await shards.host.setSettings(index.uuid, index.settings)
      }
    }
  }
}

function parseUpdate(body: unknown): SettingsUpdate {
  if (body === undefined) throw parseFailure('request body is required')
  const inner = isObject(body) && isObject(body['settings']) ? body['settings'] : body
  const update = withIndexPrefix(loadSettings(inner, flattenSettings))
  if (Object.keys(update).length === 0) throw noSettingsToUpdate()
  return update
}

/** A setting that an update names is no longer shown as null. */
function withoutUnset(index: IndexMetadata, update: SettingsUpdate): IndexMetadata {
  if (index.unsetSettings === undefined) return index
  const matches = Object.keys(update).map(namePattern)
  return { ...index, unsetSettings: index.unsetSettings.filter((name) => !matches.some((match) => match(name))) }
}

function withSettings(index: IndexMetadata, settings: FlatSettings): IndexMetadata {
  if (JSON.stringify(settings) === JSON.stringify(index.settings)) return index
  return { ...index, settings, settingsVersion: index.settingsVersion + 1 }
}

const notForOpenIndices = (names: readonly string[], indices: readonly IndexMetadata[]) =>
  illegalArgument(
    `Can't update non dynamic settings [[${hashOrder(names.toSorted()).join(', ')}]] for open indices ` +
      `[[${indices.map(({ name, uuid }) => `${name}/${uuid}`).join(', ')}]] unless the \`reopen\` query parameter is set to ` +
      'true. Alternatively, close the indices, apply the settings changes, and reopen the indices',
  )
