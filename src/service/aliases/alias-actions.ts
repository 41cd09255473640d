/** Parses the body of `POST /_aliases`, a list of actions, with Elasticsearch's error positions. */

import { illegalArgument, xContentParse } from '../../base/api-error.ts'
import { noAlias } from '../../base/errors/index-errors.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  INTEGER,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import { ACCEPTS_STRING, type MemberParser, RequestReader } from '../../engine/request/request-reader.ts'
import type { AliasMetadata, JsonObject } from '../metadata/metadata.ts'

export interface AliasAction {
  readonly kind: 'add' | 'remove' | 'remove_index'
  readonly indices: readonly string[]
  readonly aliases: readonly string[]
  readonly alias: AliasMetadata
  readonly mustExist: boolean | undefined
}

type Draft = {
  indices: string[] | undefined
  aliases: string[] | undefined
  alias: { -readonly [K in keyof AliasMetadata]: AliasMetadata[K] }
  mustExist: boolean | undefined
}

const TEXT = [STRING, INTEGER, DECIMAL] as const
const FLAG = [TRUE, FALSE, STRING] as const

export function parseAliasActions(body: Uint8Array): AliasAction[] {
  const reader = new RequestReader(body)
  const actions: AliasAction[] = []
  reader.parseObject('aliases', {
    actions: {
      accepts: [START_OBJECT, START_ARRAY],
      parse: () => {
        reader.each(() => actions.push(parseAction(reader)))
        for (const action of actions) checkComplete(action)
      },
    },
  })
  if (actions.length === 0) throw illegalArgument('No action specified')
  return actions
}

function parseAction(reader: RequestReader): AliasAction {
  let action: AliasAction | undefined
  let kinds = 0
  const member = (kind: AliasAction['kind']): MemberParser => ({
    accepts: [START_OBJECT],
    parse: () => {
      action = parseMembers(reader, kind)
      kinds++
    },
  })
  reader.parseObject('alias_action', {
    add: member('add'),
    remove: member('remove'),
    remove_index: member('remove_index'),
  })
  if (action === undefined) throw illegalArgument('An alias action must name one of [add], [remove], [remove_index]')
  if (kinds > 1) {
    throw xContentParse('Failed to build [alias_action] after last required field arrived', {
      causedBy: illegalArgument('Too many operations declared on operation entry'),
    })
  }
  return action
}

function checkComplete(action: AliasAction): void {
  if (action.indices.length === 0) throw illegalArgument('One of [index] or [indices] is required')
  if (action.kind !== 'remove_index' && action.aliases.length === 0) {
    throw illegalArgument('One of [alias] or [aliases] is required')
  }
}

function parseMembers(reader: RequestReader, kind: AliasAction['kind']): AliasAction {
  const draft: Draft = { indices: undefined, aliases: undefined, alias: {}, mustExist: undefined }
  reader.parseObject(kind, membersOf(reader, kind, draft))
  return {
    kind,
    indices: draft.indices ?? [],
    aliases: draft.aliases ?? [],
    alias: draft.alias,
    mustExist: draft.mustExist,
  }
}

function membersOf(reader: RequestReader, kind: AliasAction['kind'], draft: Draft): Record<string, MemberParser> {
  const forIndices: Record<string, MemberParser> = {
    index: { accepts: ACCEPTS_STRING, parse: () => setOnce(draft, 'indices', 'index', [nonEmpty(reader, 'index')]) },
    indices: {
      accepts: [START_ARRAY, STRING],
      parse: () => setOnce(draft, 'indices', 'indices', texts(reader, 'indices')),
    },
  }
  const forAliases: Record<string, MemberParser> = {
    alias: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const name = nonEmpty(reader, 'alias')
        if (kind === 'remove_index') throw illegalArgument('[alias] is unsupported for [REMOVE_INDEX]')
        setOnce(draft, 'aliases', 'alias', [name])
      },
    },
    aliases: {
      accepts: [START_ARRAY, STRING],
      parse: () => {
        const names = texts(reader, 'aliases')
        if (kind === 'remove_index') throw illegalArgument('[aliases] is unsupported for [REMOVE_INDEX]')
        setOnce(draft, 'aliases', 'aliases', names)
      },
    },
  }
  const mustExist: MemberParser = {
    accepts: FLAG,
    parse: () => {
      draft.mustExist = reader.boolean()
    },
  }
  if (kind === 'add') return { ...forIndices, ...forAliases, ...definitionMembers(reader, draft) }
  if (kind === 'remove_index') return { ...forIndices, ...forAliases }
  return { ...forIndices, ...forAliases, must_exist: mustExist }
}

function definitionMembers(reader: RequestReader, { alias }: Draft): Record<string, MemberParser> {
  // `routing` sets both routings. A specific one takes precedence, whatever the order.
  const named = new Set<string>()
  const routing = (part: 'indexRouting' | 'searchRouting'): MemberParser => ({
    accepts: TEXT,
    parse: () => {
      alias[part] = reader.text()
      named.add(part)
    },
  })
  const bothRoutings: MemberParser = {
    accepts: TEXT,
    parse: () => {
      for (const part of ['indexRouting', 'searchRouting'] as const) {
        if (!named.has(part)) alias[part] = reader.text()
      }
    },
  }
  return {
    filter: {
      accepts: [START_OBJECT],
      parse: () => {
        const filter = reader.value() as JsonObject
        // An empty filter counts as none.
        if (Object.keys(filter).length > 0) alias.filter = filter
      },
    },
    routing: bothRoutings,
    index_routing: routing('indexRouting'),
    indexRouting: routing('indexRouting'),
    'index-routing': routing('indexRouting'),
    search_routing: routing('searchRouting'),
    searchRouting: routing('searchRouting'),
    'search-routing': routing('searchRouting'),
    is_write_index: {
      accepts: FLAG,
      parse: () => {
        alias.isWriteIndex = reader.boolean()
      },
    },
    is_hidden: {
      accepts: FLAG,
      parse: () => {
        alias.isHidden = reader.boolean()
      },
    },
  }
}

function setOnce(draft: Draft, target: 'indices' | 'aliases', member: string, values: string[]): void {
  if (draft[target] !== undefined) {
    const [one, many] = target === 'indices' ? ['index', 'indices'] : ['alias', 'aliases']
    throw illegalArgument(`Only one of [${one}] and [${many}] is supported`)
  }
  if (values.length === 0) throw illegalArgument(`[${member}] can't be empty`)
  draft[target] = values
}

function nonEmpty(reader: RequestReader, member: string): string {
  const text = reader.text()
  if (text === '') throw illegalArgument(`[${member}] can't be empty string`)
  return text
}

function texts(reader: RequestReader, member: string): string[] {
  const found: string[] = []
  reader.each(() => {
    const text = reader.text()
    if (text === '') throw illegalArgument(`[${member}] can't contain empty string`)
    found.push(text)
  })
  return found
}

/** Parses the body of `PUT /{index}/_alias/{name}`. Unknown members are ignored. */
export function parsePutAlias(body: Uint8Array): {
  index: string | undefined
  name: string | undefined
  alias: AliasMetadata
} {
  const reader = new RequestReader(body)
  const draft: Draft = { indices: undefined, aliases: undefined, alias: {}, mustExist: undefined }
  let index: string | undefined
  let name: string | undefined
  if (reader.next() !== START_OBJECT) throw noAlias()
  const members = definitionMembers(reader, draft)
  while (reader.next() !== END_OBJECT) {
    // Elasticsearch skips the brackets of an array and reads its elements as values of the member.
    if (reader.token === FIELD_NAME || reader.token === START_ARRAY || reader.token === END_ARRAY) continue
    const member = reader.name
    if (member === 'index' && reader.isValue) index = reader.text()
    else if (member === 'alias' && reader.isValue) name = reader.text()
    else if (
      member !== 'is_hidden' &&
      Object.hasOwn(members, member) &&
      // Any value is the text of a routing.
      (members[member]!.accepts.includes(reader.token) || (/routing$/i.test(member) && reader.isValue))
    ) {
      members[member]!.parse()
    } else if (reader.isStart) reader.skipChildren()
  }
  return { index, name, alias: draft.alias }
}
