/** The fields of the role dialog, and the body of the request that they make. */
import { type Json, parseJson } from '../../api/lossless-json.ts'
import type { IndexEntry, Role } from './accounts.ts'

export interface EntryForm {
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  readonly grant: readonly string[]
  readonly except: readonly string[]
  /** A query as JSON; empty for all documents. */
  readonly query: string
}

export interface RoleForm {
  readonly cluster: readonly string[]
  readonly runAs: readonly string[]
  readonly entries: readonly EntryForm[]
}

export const EMPTY_ENTRY: EntryForm = { names: [], privileges: [], grant: [], except: [], query: '' }
export const EMPTY_ROLE: RoleForm = { cluster: [], runAs: [], entries: [EMPTY_ENTRY] }

export function roleFormOf({ cluster, run_as, indices }: Role): RoleForm {
  return {
    cluster,
    runAs: run_as ?? [],
    entries: indices.map(({ names, privileges, field_security, query }) => ({
      names,
      privileges,
      grant: field_security?.grant ?? [],
      except: field_security?.except ?? [],
      query: query ?? '',
    })),
  }
}

/** The body of the request. Members of an existing role that have no field in the dialog are kept. */
export function roleBody({ cluster, runAs, entries }: RoleForm, before?: Role): Record<string, Json> {
  const { applications, metadata, description } = before ?? {}
  return {
    cluster,
    indices: entries.filter(({ names, privileges }) => names.length > 0 || privileges.length > 0).map(entryBody),
    ...(runAs.length > 0 ? { run_as: runAs } : {}),
    ...(applications === undefined ? {} : { applications }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(description === undefined ? {} : { description }),
  }
}

function entryBody({ names, privileges, grant, except, query }: EntryForm): Record<string, Json> {
  return {
    names,
    privileges,
    // Fields are taken away from those that are granted, so that an exception alone needs a grant of all.
    ...(grant.length === 0 && except.length === 0
      ? {}
      : {
          field_security: { grant: grant.length === 0 ? ['*'] : grant, ...(except.length === 0 ? {} : { except }) },
        }),
    ...(query.trim() === '' ? {} : { query: queryOf(query, names) }),
  }
}

function queryOf(text: string, names: readonly string[]): Json {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Error(`The query for ${names.join(', ')} is not JSON: ${(error as Error).message}`)
  }
}

/** An entry in one line: `read, write on logs-* · 2 fields · some documents`. */
export function entryLine({ names, privileges, field_security, query }: IndexEntry): string {
  const parts = [`${privileges.join(', ')} on ${names.join(', ')}`]
  if (field_security !== undefined) {
    const { grant = ['*'], except = [] } = field_security
    parts.push(`fields ${grant.join(', ')}${except.length === 0 ? '' : ` without ${except.join(', ')}`}`)
  }
  if (query !== undefined) parts.push('some documents')
  return parts.join(' · ')
}
