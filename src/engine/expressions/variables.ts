/**
 * The variables of an expression: `_score`, `_value`, parameters by their names, and fields as `doc['f']` with an
 * optional member. Which members a field has depends on its type.
 */
import { type DateMember, dateMember, dateMethod } from './date-members.ts'
import { ExpressionSyntaxError } from './syntax-error.ts'

/** How the values of a document become one number. A document without a value has the number 0. */
export type Choice = 'min' | 'max' | 'avg' | 'median' | 'sum' | 'count' | 'empty' | 'lat' | 'lon'

/** A number read from a field of each document. */
export interface FieldNumber {
  readonly field: string
  readonly choice: Choice
  /** A part of the date, computed from the chosen value. */
  readonly member?: DateMember | undefined
}

/** The groups of field types with the same members. */
export type FieldGroup = 'number' | 'date' | 'geo'

/** `doc['f'].date.year` in its parts. */
interface Part {
  readonly kind: 'name' | 'text' | 'index' | 'method'
  readonly text: string
}

const PART = /^(?:\.?([_$a-zA-Z][_$a-zA-Z0-9]*)(\(\))?|\['((?:\\\\|\\'|[^\\'])*)'\]|\[([0-9]+)\])/

function partsOf(variable: string): Part[] {
  const parts: Part[] = []
  for (let rest = variable; rest !== ''; ) {
    const match = PART.exec(rest)
    if (match === null) return parts
    const [whole, name, call, text, index] = match
    if (name !== undefined) parts.push({ kind: call === undefined ? 'name' : 'method', text: name })
    else if (text !== undefined) parts.push({ kind: 'text', text: text.replace(/\\(['\\])/g, '$1') })
    else parts.push({ kind: 'index', text: index! })
    rest = rest.slice(whole.length)
  }
  return parts
}

/** The field that a variable reads; undefined if it reads none or is malformed. */
export function fieldOf(variable: string): string | undefined {
  const [root, field] = partsOf(variable)
  return root?.text === 'doc' && field?.kind === 'text' ? field.text : undefined
}

/** A member that Elasticsearch rejects with an IllegalArgumentException, which has no position in the source. */
export class UnknownMember extends Error {}

/**
 * Resolves `doc['f']…`. `groupOf` is the group of a field, or fails if the field cannot be used. Throws
 * ExpressionSyntaxError or UnknownMember.
 */
export function fieldNumber(variable: string, groupOf: (field: string) => FieldGroup): FieldNumber {
  const parts = partsOf(variable)
  const [root, field, member, inner] = parts
  if (root!.text !== 'doc') throw new ExpressionSyntaxError(`Unknown variable [${root!.text}]`, 0)
  if (field?.kind !== 'text') {
    throw new ExpressionSyntaxError("Variable 'doc' must be used with a specific field like: doc['myfield']", 3)
  }
  const isDate = parts.length === 4 && (member!.text === 'date' || member!.text === 'getDate') && isMember(inner)
  if (parts.length > 3 && !isDate) {
    throw new UnknownMember(
      `Variable [${variable}] does not follow an allowed format of either doc['field'] or doc['field'].method()`,
    )
  }
  if (member !== undefined && !isMember(member)) {
    throw new UnknownMember(
      'Only member variables or member methods may be accessed on a field when not accessing the field directly',
    )
  }
  const group = groupOf(field.text)
  const last = (isDate ? inner : member) ?? { kind: 'name', text: 'value' }
  if (isDate && group === 'date') return dateObject(field.text, last)
  const found = last.kind === 'method' ? METHODS[group][last.text] : VARIABLES[group][last.text]
  if (found !== undefined) return { field: field.text, choice: found }
  const part = group === 'date' && last.kind === 'method' ? dateMethod(last.text) : undefined
  if (part !== undefined) return { field: field.text, choice: 'min', member: part }
  const shown = group === 'number' ? 'numeric' : group
  throw new UnknownMember(`${kindOf(last)} [${last.text}] does not exist for ${shown} field [${field.text}].`)
}

const isMember = (part: Part | undefined) => part?.kind === 'name' || part?.kind === 'method'

const kindOf = ({ kind }: Part) => (kind === 'method' ? 'Member method' : 'Member variable')

function dateObject(field: string, last: Part): FieldNumber {
  const member = dateMember(last.text, last.kind === 'method')
  if (member !== undefined) return { field, choice: 'min', member }
  throw new UnknownMember(`${kindOf(last)} [${last.text}] does not exist for date object on field [${field}].`)
}

const NUMBER_VARIABLES: Readonly<Record<string, Choice>> = members([
  ['value', 'min'],
  ['empty', 'empty'],
  ['length', 'count'],
])
const NUMBER_METHODS: Readonly<Record<string, Choice>> = members([
  ['getValue', 'min'],
  ['isEmpty', 'empty'],
  ['size', 'count'],
  ['min', 'min'],
  ['max', 'max'],
  ['avg', 'avg'],
  ['median', 'median'],
  ['sum', 'sum'],
  ['count', 'count'],
])
const VARIABLES = {
  number: NUMBER_VARIABLES,
  date: NUMBER_VARIABLES,
  geo: members([
    ['empty', 'empty'],
    ['lat', 'lat'],
    ['lon', 'lon'],
  ]),
}
const METHODS = {
  number: NUMBER_METHODS,
  date: NUMBER_METHODS,
  geo: members([
    ['isEmpty', 'empty'],
    ['getLat', 'lat'],
    ['getLon', 'lon'],
  ]),
}

/** The table has no prototype, so that a lookup finds its own names only. */
function members(entries: readonly (readonly [string, Choice])[]): Readonly<Record<string, Choice>> {
  return Object.assign(Object.create(null) as Record<string, Choice>, Object.fromEntries(entries))
}
