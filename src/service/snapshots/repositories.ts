/**
 * Registered repositories: `PUT /_snapshot/NAME`. The definitions are metadata; the location of the content is part of
 * the definition.
 */
import { isAbsolute, join, normalize, relative, resolve } from 'node:path'
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { parseByteSize } from '../../base/byte-size.ts'
import { repositoryError, repositoryFailure, repositoryMissing } from '../../base/errors/snapshot-errors.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { RepositoryDefinition } from '../metadata/metadata.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { FileCopier } from './repository/file-copier.ts'
import { FsRepository } from './repository/fs-repository.ts'

/** A registered repository that can be used. */
export interface Repository {
  readonly name: string
  readonly isReadOnly: boolean
  readonly files: FsRepository
}

const FORBIDDEN = [' ', '"', '*', ',', '/', '<', '>', '?', '\\', '|']
const SIZES = ['chunk_size', 'max_snapshot_bytes_per_sec', 'max_restore_bytes_per_sec']

export class Repositories {
  readonly #store: MetadataStore
  /** `path.repo`: the folders in which repositories may be located. */
  readonly #roots: readonly string[]
  readonly #copier = new FileCopier()
  /** One object per folder, so that changes of a repository are sequential. */
  readonly #open = new Map<string, FsRepository>()

  constructor(store: MetadataStore, roots: readonly string[]) {
    this.#store = store
    this.#roots = roots.map((root) => resolve(root))
  }

  async put(name: string, definition: RepositoryDefinition, verifies: boolean): Promise<void> {
    checkName(name)
    const repository = this.#make(name, definition)
    if (verifies && !repository.isReadOnly) await this.#verify(repository)
    await this.#store.update(() => [{ section: 'repositories', name, value: definition }])
  }

  /** Definitions by name. Throws if a name without wildcards does not exist. */
  get(names: readonly string[] | undefined): Map<string, RepositoryDefinition> {
    const all = this.#store.state.sections.repositories
    const wanted = names ?? ['*']
    const found = new Map<string, RepositoryDefinition>()
    for (const name of wanted) {
      if (name === '_all' || name.includes('*')) {
        const matches = namePattern(name === '_all' ? '*' : name)
        for (const [other, definition] of all) if (matches(other)) found.set(other, definition)
      } else {
        const definition = all.get(name)
        if (definition === undefined) throw repositoryMissing(name)
        found.set(name, definition)
      }
    }
    return found
  }

  /** Deletes definitions. The files of the repositories are kept. */
  async delete(pattern: string, isInUse: (name: string) => boolean): Promise<void> {
    await this.#store.update((state) => {
      const matches = namePattern(pattern === '_all' ? '*' : pattern)
      const names = [...state.sections.repositories.keys()].filter(matches)
      if (names.length === 0 && pattern !== '*' && pattern !== '_all') throw repositoryMissing(pattern)
      for (const name of names) {
        if (isInUse(name)) {
          throw new ApiError(
            409,
            'repository_conflict_exception',
            `[${name}] trying to modify or unregister repository that is currently used (snapshot is in progress)`,
          )
        }
      }
      return names.map((name) => ({ section: 'repositories' as const, name, value: undefined }))
    })
  }

  open(name: string): Repository {
    const definition = this.#store.state.sections.repositories.get(name)
    if (definition === undefined) throw repositoryMissing(name)
    return this.#make(name, definition)
  }

  async verify(name: string): Promise<void> {
    await this.#verify(this.open(name))
  }

  async close(): Promise<void> {
    await this.#copier.close()
  }

  async #verify({ name, files }: Repository): Promise<void> {
    try {
      await files.verify()
    } catch (error) {
      const cause = new ApiError(500, 'i_o_exception', (error as Error).message)
      throw new ApiError(500, 'repository_verification_exception', `[${name}] path is not accessible on master node`, {
        causedBy: cause,
      })
    }
  }

  #make(name: string, { type, settings }: RepositoryDefinition): Repository {
    if (type === 'url') throw repositoryError(name, 'repository type [url] does not exist')
    if (type !== 'fs') throw repositoryError(name, `repository type [${type}] does not exist`)
    const folder = this.#folder(name, settings['location'])
    try {
      for (const setting of SIZES) {
        const size = settings[setting]
        if (size !== undefined) parseByteSize(size, setting)
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw failedToCreate(name, illegalArgument(error.message, error))
    }
    let files = this.#open.get(folder)
    if (files === undefined) {
      files = new FsRepository(folder, this.#copier)
      this.#open.set(folder, files)
    }
    return { name, isReadOnly: settings['readonly'] === 'true', files }
  }

  /**
   * The folder of a repository. It must be below one of the folders of `path.repo`; a relative location is below the
   * first.
   */
  #folder(name: string, location: string | undefined): string {
    if (location === undefined || location === '') throw failedToCreate(name, repositoryError(name, 'missing location'))
    if (this.#roots.length === 0) {
      const reason = `location [${location}] doesn't match any of the locations specified by path.repo because this setting is empty`
      throw failedToCreate(name, repositoryError(name, reason))
    }
    const path = isAbsolute(location) ? normalize(location) : join(this.#roots[0]!, location)
    const isAllowed = this.#roots.some((root) => {
      const way = relative(root, path)
      return way === '' || (!way.startsWith('..') && !isAbsolute(way))
    })
    if (!isAllowed) {
      const reason = `location [${location}] doesn't match any of the locations specified by path.repo`
      throw failedToCreate(name, repositoryError(name, reason))
    }
    return path
  }
}

const failedToCreate = (name: string, causedBy: ApiError) =>
  repositoryError(name, 'failed to create repository', {
    causedBy,
    ...(causedBy.type === 'repository_exception' ? { rootCauses: [causedBy] } : {}),
  })

function checkName(name: string): void {
  if (name === '') throw repositoryError(name, 'cannot be empty')
  if (name.includes('#')) throw repositoryError(name, "must not contain '#'")
  if (FORBIDDEN.some((character) => name.includes(character))) {
    const shown = FORBIDDEN.map((character) => `'${character}'`).join(',')
    throw repositoryError(name, `must not contain the following characters [${shown}]`)
  }
}

/** The API error for an error of the disk or a damaged file. */
export function repositoryProblem(name: string, error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return repositoryFailure(name, (error as Error).message)
}
