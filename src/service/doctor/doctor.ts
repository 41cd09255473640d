/**
 * Examines every file of a data folder and reports problems. Repairs what can be repaired without loss, and exports
 * what is still readable.
 */
import { join } from 'node:path'
import { FolderLock, FolderLockedError } from '../../base/files/folder-lock.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import { type Directory, readWhole } from '../../engine/store/directory.ts'
import { diskStorage } from '../../engine/store/disk-storage.ts'
import { NOTHING_SYNCED, readSyncedLength, SyncedLengthFile } from '../../engine/store/synced-length.ts'
import { INDEX_MARKER, UNKNOWN } from '../catalog/index-shards.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import { readMetadata } from '../metadata/metadata-log.ts'
import { NODE_FILE } from '../metadata/node-file.ts'
import { createArena } from '../shards/create-inline-host.ts'
import { type Finding, note, problem, sound } from './finding.ts'
import { type ExportCounts, type ReadableDocument, readableDocuments } from './readable-documents.ts'
import { examineShard } from './shard-examination.ts'
import { examineAsyncSearches, examineContexts, examineNodeFile, examineStrangers } from './side-files.ts'

/** A running node keeps changing its files, so apparent problems are checked again. */
const LOOKS_AT_RUNNING = 3

/** A shard on disk, known to the metadata or not. */
export interface FoundShard {
  /** Name of the index, from the metadata or the folder's marker. */
  readonly index: string
  readonly shard: number
  /** Path below the data folder. */
  readonly path: string
  readonly isKnown: boolean
}

export class Doctor {
  readonly #folder: string
  readonly #lock: FolderLock | undefined
  readonly #shards: FoundShard[] = []
  readonly #directories = new Map<string, Directory>()
  #arena: Arena | undefined
  #nodeId: string | undefined

  private constructor(folder: string, lock: FolderLock | undefined) {
    this.#folder = folder
    this.#lock = lock
  }

  /** Locks the folder, unless a node is using it; then nothing can be repaired. */
  static open(folder: string): Doctor {
    try {
      return new Doctor(folder, FolderLock.acquire(folder))
    } catch (error) {
      if (error instanceof FolderLockedError) return new Doctor(folder, undefined)
      throw error
    }
  }

  get isRunning(): boolean {
    return this.#lock === undefined
  }

  /** The shards that `examine` found. */
  get shards(): readonly FoundShard[] {
    return this.#shards
  }

  close(): void {
    for (const directory of this.#directories.values()) directory.close()
    this.#lock?.release()
  }

  /** Examines everything and yields one finding after another. */
  *examine(): Generator<Finding> {
    const indices = yield* this.#examineMetadata()
    yield* this.#examineIndices(indices)
    yield* this.#examineUnknown()
    const folders = diskStorage.folders(this.#folder)
    if (folders.includes('contexts')) yield* examineContexts(this.#directory('contexts'))
    if (folders.includes('async-searches')) yield* examineAsyncSearches(this.#directory('async-searches'))
    yield* examineNodeFile(this.#directory('.'), this.#nodeId)
    yield* examineStrangers(diskStorage.names(this.#folder))
  }

  /** The readable documents of a shard. */
  documents({ path }: FoundShard, counts: ExportCounts): Generator<ReadableDocument> {
    this.#arena ??= createArena()
    return readableDocuments(this.#directory(path), this.#arena, counts)
  }

  *#examineMetadata(): Generator<Finding, ReadonlyMap<string, IndexMetadata> | undefined> {
    const isThere = diskStorage.folders(this.#folder).includes('metadata')
    if (!isThere) {
      const folders = diskStorage.folders(join(this.#folder, 'indices')).length
      const isUsed = diskStorage.names(this.#folder).includes(NODE_FILE)
      const there = isUsed && folders === 0 ? `the file ${NODE_FILE} is` : `${folders} folders of indices are`
      if (folders === 0 && !isUsed) yield note('', 'this folder has no data of a node')
      else yield problem('metadata', `the folder is missing, and ${there} there`, METADATA_ADVICE)
      return undefined
    }
    try {
      const { state, generation } = readMetadata(this.#directory('metadata'))
      this.#nodeId = state.sections.identity.get('nodeId')
      if (generation === 0 && diskStorage.names(this.#folder).includes(NODE_FILE)) {
        yield problem('metadata', `its files are missing, and the file ${NODE_FILE} is there`, METADATA_ADVICE)
        return undefined
      }
      yield sound('metadata', `${state.indices.size} indices are known`)
      return new Map([...state.indices.values()].map((index) => [index.uuid, index]))
    } catch (error) {
      const text = (error as Error).message.replace(/\. Nothing was changed.*/s, '')
      const lost = this.#lostNote()
      if (lost === undefined) {
        yield problem('metadata', text, METADATA_ADVICE)
        return undefined
      }
      yield problem(
        'metadata',
        text,
        'The log itself reads to its end. With --repair the note is written anew.',
        lost.repair,
      )
      return lost.indices
    }
  }

  /** The metadata is readable except for its synced length, which can be written again. */
  #lostNote() {
    const directory = this.#directory('metadata')
    try {
      if (isReadable(() => readSyncedLength(directory) !== undefined)) return undefined
      const { state, generation, records, logBytes } = readMetadata(directory, { withoutNote: true })
      if (generation === 0 || directory.size(`log-${generation}`) !== logBytes) return undefined
      const indices = new Map([...state.indices.values()].map((index) => [index.uuid, index]))
      const repair = async () => {
        const note = {
          ...NOTHING_SYNCED,
          generation,
          bytes: logBytes,
          maxSeqNo: records - 1,
          commitGeneration: generation,
        }
        const file = await SyncedLengthFile.create(directory, note)
        file.close()
        return `wrote the note anew, for a log of ${records} records`
      }
      return { indices, repair }
    } catch {
      return undefined
    }
  }

  *#examineIndices(known: ReadonlyMap<string, IndexMetadata> | undefined): Generator<Finding> {
    const found = diskStorage.folders(join(this.#folder, 'indices'))
    for (const index of known?.values() ?? []) {
      if (found.includes(index.uuid)) yield* this.#examineMarker(index)
      for (let shard = 0; shard < index.shardCount; shard++) {
        const path = `indices/${index.uuid}/${shard}`
        this.#shards.push({ index: index.name, shard, path, isKnown: true })
        for (const finding of this.#examineShard(path)) yield named(finding, index.name, shard)
      }
    }
    for (const uuid of found) {
      if (known?.has(uuid) === true) continue
      const advice =
        known === undefined
          ? 'Its documents can be saved with --export.'
          : `The next start of the node moves it to ${UNKNOWN}. Its documents can be saved with --export.`
      yield* this.#examineForeign(`indices/${uuid}`, advice)
    }
  }

  /** Without its marker, a folder that the metadata no longer knows would be ignored. */
  *#examineMarker({ name, uuid }: IndexMetadata): Generator<Finding> {
    const directory = this.#directory(`indices/${uuid}`)
    if (directory.size(INDEX_MARKER) !== undefined) return
    const advice = 'With --repair it is written anew.'
    yield problem(`indices/${uuid}`, `[${name}] the file ${INDEX_MARKER} is missing`, advice, async () => {
      directory.write(INDEX_MARKER, Buffer.from(`${name}\n`))
      await directory.sync(INDEX_MARKER)
      return `wrote the file ${INDEX_MARKER} anew`
    })
  }

  *#examineUnknown(): Generator<Finding> {
    for (const name of diskStorage.folders(join(this.#folder, UNKNOWN))) {
      const advice = 'Its documents can be saved with --export. Remove it when it is of no use.'
      yield* this.#examineForeign(`${UNKNOWN}/${name}`, advice)
    }
  }

  /** A folder of an index that the metadata does not know. */
  *#examineForeign(path: string, advice: string): Generator<Finding> {
    const directory = this.#directory(path)
    if (directory.size(INDEX_MARKER) === undefined) {
      yield note(path, 'is no folder of an index; it is left alone')
      return
    }
    const name = Buffer.from(readWhole(directory, INDEX_MARKER)).toString().trim()
    yield note(path, `holds an index that was made as [${name}] and is not known to the metadata`, advice)
    for (const shard of diskStorage.folders(join(this.#folder, path)).filter((folder) => /^\d+$/.test(folder))) {
      this.#shards.push({ index: name, shard: Number(shard), path: `${path}/${shard}`, isKnown: false })
      for (const finding of this.#examineShard(`${path}/${shard}`)) yield named(finding, name, Number(shard))
    }
  }

  #examineShard(path: string): readonly Finding[] {
    for (let look = 1; ; look++) {
      const { findings } = this.#examineOnce(path)
      const isSound = findings.every(({ severity }) => severity !== 'problem')
      if (isSound || !this.isRunning || look === LOOKS_AT_RUNNING) return findings
    }
  }

  #examineOnce(path: string): { readonly findings: readonly Finding[] } {
    const [parent, name] = [join(this.#folder, path, '..'), path.split('/').at(-1)!]
    if (!diskStorage.folders(parent).includes(name)) {
      return { findings: [problem(path, 'the folder is missing', 'Bring it back from a backup, or delete the index.')] }
    }
    const directory = this.#directory(path)
    try {
      return examineShard(directory, path, this.isRunning)
    } catch (error) {
      const advice = 'Look at the disk and at the rights of the files.'
      return { findings: [problem(path, `cannot be read: ${(error as Error).message}`, advice)] }
    } finally {
      directory.close()
    }
  }

  #directory(path: string): Directory {
    const known = this.#directories.get(path) ?? diskStorage.directory(join(this.#folder, path))
    this.#directories.set(path, known)
    return known
  }
}

const METADATA_ADVICE =
  'Bring the folder metadata back from a backup. Without one, save the documents of each index with --export, and put them into a ' +
  'new node with sandpiper import; settings, mappings, aliases and templates have to be made again.'

function isReadable(read: () => boolean): boolean {
  try {
    return read()
  } catch {
    return false
  }
}

function named(finding: Finding, index: string, shard: number): Finding {
  return { ...finding, text: `[${index}][${shard}] ${finding.text}` }
}
