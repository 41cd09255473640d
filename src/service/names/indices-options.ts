/** Options for resolving index names: what wildcards match, and how missing names are handled. */
import { illegalArgument } from '../../base/api-error.ts'

export interface IndicesOptions {
  /** Ignores names that do not exist, or are closed where that is forbidden. */
  readonly ignoreUnavailable: boolean
  /** Whether a wildcard, or the whole list, may match nothing. */
  readonly allowNoIndices: boolean
  readonly expandOpen: boolean
  readonly expandClosed: boolean
  readonly expandHidden: boolean
  /** Whether a named closed index is an error. */
  readonly forbidClosed: boolean
  /** Whether aliases are resolved; otherwise only indices and data streams are. */
  readonly allowAliases: boolean
  readonly allowDataStreams: boolean
  /** Whether `logs::data` and `logs::failures` are resolved. */
  readonly allowSelectors: boolean
}

const STRICT: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  forbidClosed: false,
  allowAliases: true,
  allowDataStreams: true,
  allowSelectors: true,
}

/** Metadata reads: closed indices may be named, wildcards match open ones. */
export const EXPAND_OPEN: IndicesOptions = STRICT
/** Requests about existing things: unknown names are ignored. */
export const EXPAND_OPEN_LENIENT: IndicesOptions = { ...STRICT, ignoreUnavailable: true }
/** Searches, statistics, refresh and similar operations need open shards. */
export const EXPAND_OPEN_FORBID_CLOSED: IndicesOptions = { ...STRICT, forbidClosed: true }
export const EXPAND_OPEN_AND_CLOSED: IndicesOptions = { ...STRICT, expandClosed: true }
export const EXPAND_CLOSED: IndicesOptions = { ...STRICT, expandOpen: false, expandClosed: true }
/** Changes of mappings and settings: a list that matches nothing is an error. */
export const CHANGE_METADATA: IndicesOptions = { ...STRICT, expandClosed: true, allowNoIndices: false }
export const EXPAND_HIDDEN: IndicesOptions = { ...STRICT, expandClosed: true, expandHidden: true }
/** Changes that concern an index as a whole, not the parts of a data stream. */
export const withoutSelectors = (options: IndicesOptions): IndicesOptions => ({ ...options, allowSelectors: false })
/** Deleting through an alias could delete more than its name says, so only indices can be deleted. */
export const DELETE_INDICES: IndicesOptions = {
  ...STRICT,
  expandClosed: true,
  allowAliases: false,
  allowDataStreams: false,
  allowSelectors: false,
}

/** Single-document operations: the name is literal, and its index must be open. */
export const SINGLE_INDEX: IndicesOptions = {
  ...STRICT,
  expandOpen: false,
  allowNoIndices: false,
  forbidClosed: true,
  allowSelectors: false,
}

/** The parameters of a request; undefined if not given. */
export interface IndicesParameters {
  readonly ignoreUnavailable?: boolean | undefined
  readonly allowNoIndices?: boolean | undefined
  readonly expandWildcards?: readonly string[] | undefined
}

/** Returns the same object if the request sets none of the parameters. */
export function withParameters(options: IndicesOptions, parameters: IndicesParameters): IndicesOptions {
  const { ignoreUnavailable, allowNoIndices, expandWildcards } = parameters
  if (ignoreUnavailable === undefined && allowNoIndices === undefined && expandWildcards === undefined) return options
  return {
    ...options,
    ...expansion(expandWildcards, options),
    ignoreUnavailable: ignoreUnavailable ?? options.ignoreUnavailable,
    allowNoIndices: allowNoIndices ?? options.allowNoIndices,
  }
}

function expansion(
  words: readonly string[] | undefined,
  options: IndicesOptions,
): Pick<IndicesOptions, 'expandOpen' | 'expandClosed' | 'expandHidden'> {
  if (words === undefined) return options
  const found = { expandOpen: false, expandClosed: false, expandHidden: false }
  for (const word of words) {
    if (word === 'open') found.expandOpen = true
    else if (word === 'closed') found.expandClosed = true
    else if (word === 'hidden') found.expandHidden = true
    else if (word === 'all') Object.assign(found, { expandOpen: true, expandClosed: true, expandHidden: true })
    else if (word === 'none') Object.assign(found, { expandOpen: false, expandClosed: false, expandHidden: false })
    else throw illegalArgument(`No valid expand wildcard value [${word}]`)
  }
  // `hidden` alone implies neither open nor closed; Elasticsearch then matches neither, and so do we.
  return found
}
