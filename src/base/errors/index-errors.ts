/** Errors about whole indices: names, existence, state, settings, aliases, templates, data streams. */

import { ApiError, illegalArgument, validationFailed } from '../api-error.ts'
import { isDiskFull } from '../disk/disk-full.ts'
import { type DiskFacts, fullDiskHelp } from './full-disk-help.ts'

/** Details of an error about an index. The uuid is `_na_` for an index that does not exist. */
const indexDetails = (index: string, uuid = '_na_') => ({ index_uuid: uuid, index })

export const indexNotFound = (index: string, hint = '') =>
  new ApiError(404, 'index_not_found_exception', `no such index [${index}]${hint}`, {
    details: { 'resource.type': 'index_or_alias', 'resource.id': index, ...indexDetails(index) },
  })

/** The index was deleted while a request for it was running. */
export const indexGone = (index: string, uuid: string) =>
  new ApiError(404, 'index_not_found_exception', `no such index [${index}]`, { details: indexDetails(index, uuid) })

/** The name is a data stream, but the request accepts only indices. */
export const dataStreamExcluded = (name: string) =>
  new ApiError(404, 'index_not_found_exception', `no such index [${name}]`, {
    details: {
      'resource.type': 'index_or_alias',
      excluded_ds: 'true',
      'resource.id': name,
      ...indexDetails(name),
    },
  })

/**
 * A `-name` without a preceding wildcard is not an exclusion but an index name, and index names cannot start with `-`.
 */
export const exclusionWithoutWildcard = (index: string) =>
  indexNotFound(
    index,
    ' and if you intended to exclude this index, ensure that you use wildcards that include it before explicitly ' +
      'excluding it',
  )

export const noIndicesExist = () => indexNotFound('_all', ' and no indices exist')

/** The expressions matched nothing as a whole, and no single expression is at fault. */
export const expressionNotFound = (expressions: readonly string[]) =>
  new ApiError(404, 'index_not_found_exception', 'no such index [null]', {
    details: { 'resource.type': 'index_expression', 'resource.id': expressions },
  })

/** The write would have to create the index, but `action.auto_create_index` forbids it. */
export const autoCreateForbidden = (index: string, why: string) =>
  new ApiError(404, 'index_not_found_exception', `no such index [${index}] and ${why}`, {
    details: indexDetails(index),
  })

/** Elasticsearch puts the explanation in the place of the index name, and clients expect it there. */
export const templateForbidsCreation = (patterns: readonly string[]) => {
  const text = `composable template [${patterns.join(', ')}] forbids index auto creation`
  return new ApiError(404, 'index_not_found_exception', `no such index [${text}]`, { details: indexDetails(text) })
}

/** `require_alias` or `require_data_stream` is set, but the name is something else. */
export const notAnAlias = (index: string) =>
  new ApiError(
    404,
    'index_not_found_exception',
    `no such index [${index}] and [require_alias] request flag is [true] and [${index}] is not an alias`,
    { details: indexDetails(index) },
  )

export const notADataStream = (index: string) =>
  new ApiError(
    404,
    'resource_not_found_exception',
    `[require_data_stream] request flag is [true] and [${index}] is not a data stream`,
  )

/** The write requires a data stream, but no template with `data_stream` matches the name. */
export const noDataStreamTemplate = (index: string) =>
  new ApiError(
    404,
    'index_not_found_exception',
    `no such index [${index}] and the index creation request requires a data stream, but no matching index template ` +
      'with data stream template was found for it',
    { details: indexDetails(index) },
  )

export const indexClosed = (index: string, uuid: string) =>
  new ApiError(400, 'index_closed_exception', 'closed', { details: indexDetails(index, uuid) })

export const indexAlreadyExists = (index: string, uuid: string) =>
  new ApiError(400, 'resource_already_exists_exception', `index [${index}/${uuid}] already exists`, {
    details: indexDetails(index, uuid),
  })

export const invalidIndexName = (index: string, problem: string) =>
  new ApiError(400, 'invalid_index_name_exception', `Invalid index name [${index}], ${problem}`, {
    details: indexDetails(index),
  })

/** Names of remote clusters (`remote:index`) in an API that accepts only local indices. */
export const remoteIndicesUnsupported = (names: readonly string[]) =>
  illegalArgument(
    `Cross-cluster calls are not supported in this context but remote indices were requested: [${names.join(', ')}]`,
  )

/** A name such as `logs::failures`, in a request that knows no parts of data streams. */
export const selectorUnsupported = (expression: string) =>
  new ApiError(
    400,
    'unsupported_selector_exception',
    `Index component selectors are not supported in this context but found selector in expression [${expression}]`,
  )

export const invalidAliasName = (alias: string, problem: string) =>
  new ApiError(400, 'invalid_alias_name_exception', `Invalid alias name [${alias}]: ${problem}`)

export const aliasesNotFound = (aliases: readonly string[]) =>
  new ApiError(404, 'aliases_not_found_exception', `aliases [${aliases.join(', ')}] missing`, {
    details: { 'resource.type': 'aliases', 'resource.id': aliases.length === 1 ? aliases[0] : aliases },
  })

export const aliasNotSupported = (expression: string) =>
  illegalArgument(
    `The provided expression [${expression}] matches an alias, specify the corresponding concrete indices instead.`,
  )

export const noWriteIndex = (alias: string) =>
  illegalArgument(
    `no write index is defined for alias [${alias}]. The write index may be explicitly disabled using ` +
      'is_write_index=false or the alias points to multiple indices without one being designated as a write index',
  )

export const severalIndicesForOne = (expression: string, indices: readonly string[]) =>
  illegalArgument(
    `alias [${expression}] has more than one index associated with it [${indices.join(', ')}], can't execute a ` +
      'single index op',
  )

export const severalWriteIndices = (alias: string, indices: readonly string[]) =>
  new ApiError(500, 'illegal_state_exception', `alias [${alias}] has more than one write index [${indices.join(',')}]`)

export const blockedIndices = (status: number, reason: string) =>
  new ApiError(status, 'cluster_block_exception', reason)

/** Problems of a new index that show only when settings, mapping and aliases are combined. */
export const validationException = (...problems: readonly string[]) =>
  new ApiError(
    400,
    'validation_exception',
    `Validation Failed: ${problems.map((text, i) => `${i + 1}: ${text};`).join('')}`,
  )

export const resourceNotFound = (reason: string) => new ApiError(404, 'resource_not_found_exception', reason)

export const templateMissing = (name: string) =>
  new ApiError(404, 'index_template_missing_exception', `index_template [${name}] missing`)

export const invalidTemplate = (name: string, cause: string) =>
  new ApiError(400, 'invalid_index_template_exception', `index_template [${name}] invalid, cause [${cause}]`)

/** The disk rejected a metadata change. Nothing was changed, and the request can be repeated. */
/**
 * A change of the metadata that failed, and that could not be taken out of the log either: the next start may find it.
 * Files that belong to the change must stay.
 */
export class UndecidedMetadataError extends ApiError {
  constructor(error: unknown) {
    const why = error instanceof Error ? error.message : String(error)
    const reason = `the metadata cannot be written, and the next start may find the change or not: ${why}`
    super(503, 'process_cluster_event_exception', reason)
    this.name = 'UndecidedMetadataError'
  }
}

export function metadataNotWritten(error: unknown, disk?: DiskFacts): ApiError {
  if (error instanceof UndecidedMetadataError) return error
  const why = error instanceof Error ? error.message : String(error)
  return isDiskFull(error)
    ? new ApiError(429, 'cluster_block_exception', `the metadata cannot be written, the disk is full: ${why}`, {
        help: fullDiskHelp(disk),
      })
    : new ApiError(503, 'process_cluster_event_exception', `the metadata cannot be written: ${why}`)
}

export const indexMissing = () => validationFailed('index is missing')

export const noAlias = () => illegalArgument('No alias is specified')

export const noSettingsToUpdate = () => validationFailed('no settings to update')
