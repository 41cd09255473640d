/**
 * `node.id` in the data folder: the id of the node, as its metadata has it. It shows that there was metadata when the
 * folder `metadata` is missing, and that a folder `metadata` is that of another node. In both cases a start would lose
 * templates, pipelines and indices without an error.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import type { Log } from '../../base/log.ts'
import { type Directory, readWhole } from '../../engine/store/directory.ts'

export const NODE_FILE = 'node.id'
const TEMPORARY = `${NODE_FILE}.tmp`

/** The data folder was used before, and its metadata is missing or another one's. A node that starts would lose it. */
export class MissingMetadataError extends Error {
  constructor(dataFolder: string, found: string, problem = 'is missing') {
    super(
      `the data folder ${dataFolder} has ${found}, but its metadata ${problem}. Nothing was changed. Run sandpiper doctor to see ` +
        'what can be read, or bring the folder metadata back from a backup',
    )
    this.name = 'MissingMetadataError'
  }
}

export class NodeFile {
  readonly #directory: Directory
  readonly #log: Log

  constructor(directory: Directory, log: Log) {
    this.#directory = directory
    this.#log = log
  }

  get exists(): boolean {
    return this.#directory.size(NODE_FILE) !== undefined
  }

  /** Throws if the file names another node than the metadata does. Writes it if it is missing. */
  async keep(nodeId: string, dataFolder: string): Promise<void> {
    const directory = this.#directory
    const known = readNodeFile(directory)
    if (known === nodeId) return
    if (typeof known === 'string') {
      throw new MissingMetadataError(
        dataFolder,
        `the file ${NODE_FILE} of the node [${known}]`,
        `is that of [${nodeId}]`,
      )
    }
    if (known === null) this.#log.warn(`the file ${NODE_FILE} is damaged and is written anew`)
    try {
      directory.assertOwned()
      directory.write(TEMPORARY, Buffer.from(encode(nodeId)))
      await directory.sync(TEMPORARY)
      directory.rename(TEMPORARY, NODE_FILE)
      await directory.syncFolder()
    } catch (error) {
      // The node works without it; the next start tries again.
      this.#log.warn(`the file ${NODE_FILE} cannot be written`, { error })
    }
  }
}

/** Undefined without a file, null if it is damaged. */
export function readNodeFile(directory: Directory): string | null | undefined {
  if (directory.size(NODE_FILE) === undefined) return undefined
  const text = Buffer.from(readWhole(directory, NODE_FILE)).toString('latin1')
  const id = text.split(' ', 1)[0]!
  return text === encode(id) ? id : null
}

const encode = (nodeId: string) => `${nodeId} ${crc32(Buffer.from(nodeId))}\n`
