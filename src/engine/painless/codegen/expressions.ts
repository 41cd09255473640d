/** Code of expressions. Before an operation that may fail, `p` is set to the offset that the error shows. */
import type { Ir, Place } from '../analysis/ir.ts'
import { OBJECT, STRING, widens } from '../analysis/types.ts'
import { isPrimitive } from '../api/lookup.ts'
import { DefEqualsSite } from '../runtime/def/def-equality.ts'
import { DefCallSite, DefFieldSite } from '../runtime/def/def-sites.ts'
import { compileRegex } from '../runtime/regex/regex-adapter.ts'
import { arithmetic, comparison, defOperation } from './arithmetic.ts'
import { callCode, contextCallCode, newObjectCode, staticCallCode, staticFieldCode } from './calls.ts'
import { constantValue } from './constant-folding.ts'
import { boxed, convert } from './conversions.ts'
import { datePartOf, docRead, noticeDatePart, paramRead, typedDocValue } from './doc-reads.ts'
import { exactLong } from './exact-longs.ts'
import { functionRefCode, lambdaCode } from './functions.ts'
import { after, type Emitter, type KnownValue, literal, nameOf } from './generator-base.ts'

/** The code of an expression. */
export function expression(e: Emitter, node: Ir): string {
  switch (node.op) {
    case 'constant':
      return constantCode(node.value)
    case 'null':
      return 'null'
    case 'regex':
      return `R.pattern(${e.constant(compileRegex(node.pattern, node.flags))})`
    case 'cast':
      return castCode(e, node)
    case 'binary':
      return binaryCode(e, node)
    case 'concat':
      return `(p=${node.at},R.checkedText(""+${node.parts.map((part) => textCode(e, part)).join('+')}))`
    case 'regexTest': {
      const name = node.operator === '=~' ? 'regexFind' : 'regexMatches'
      return `(p=${node.at},R.${name}(${expression(e, node.left)},${expression(e, node.right)}))`
    }
    case 'comparison':
      return comparisonCode(e, node)
    case 'logical':
      return `(p=${node.at},${expression(e, node.left)}${node.operator}${expression(e, node.right)})`
    case 'unary':
      return `(p=${node.at},${unaryCode(e, node)})`
    case 'instanceof':
      return instanceofCode(e, node)
    case 'conditional':
      return `(p=${node.at},${expression(e, node.condition)}?${expression(e, node.left)}:${expression(e, node.right)})`
    case 'elvis':
      return `(p=${node.at},${expression(e, node.left)}??${expression(e, node.right)})`
    case 'store':
      return storeCode(e, node)
    case 'compound':
      return compoundCode(e, node)
    case 'list':
      return `(p=${node.at},R.newList([${node.values.map((v) => expression(e, v)).join(',')}]))`
    case 'map': {
      const entries = node.entries.flatMap(([k, v]) => [expression(e, k), expression(e, v)])
      return `(p=${node.at},R.newMap([${entries.join(',')}]))`
    }
    case 'newArray': {
      const values = node.values.map((v) => expression(e, v)).join(',')
      const name = node.initializer ? 'arrayOf' : 'newArray'
      return `(p=${node.at},R.${name}(${literal(node.type)},[${values}]))`
    }
    case 'newObject':
      return newObjectCode(e, node)
    case 'staticField':
      return staticFieldCode(e, node)
    case 'arrayLength':
      return `R.arrayLength(${expression(e, node.array)},p=${node.at})`
    case 'staticCall':
      return staticCallCode(e, node)
    case 'call':
      return callCode(e, node)
    case 'defCall': {
      const typed = typedMember(e, node)
      if (typed !== undefined) return typed
      const site = e.constant(
        new DefCallSite(
          e.lookup,
          node.name,
          node.args.map((arg) => arg.type),
        ),
      )
      const args = node.args.map((arg) => `,${boxed(expression(e, arg), arg.type)}`).join('')
      const target = node.target
      return `${site}.call${node.args.length > 3 ? 'N' : node.args.length}(${boxed(expression(e, target), target.type)},p=${node.at}${args})`
    }
    case 'nullSafe': {
      const holder = e.temporary()
      node.placeholder.name = holder
      return `((${holder}=${expression(e, node.target)})===null?null:${expression(e, node.member)})`
    }
    case 'placeholder':
      return node.holder.name!
    case 'functionCall': {
      const args = node.args.map((arg) => expression(e, arg)).join(',')
      return `(p=${node.at},f${node.function.number}(${args}))`
    }
    case 'contextCall':
      return contextCallCode(e, node)
    case 'lambda':
      return lambdaCode(e, node)
    case 'functionRef':
      return functionRefCode(e, node)
    default:
      return readPlace(e, node)
  }
}

function constantCode(value: number | bigint | boolean | string): string {
  if (typeof value === 'string') return literal(value)
  if (typeof value === 'bigint') return value < 0n ? `(${value}n)` : `${value}n`
  if (typeof value === 'number' && (value < 0 || Object.is(value, -0)))
    return `(${Object.is(value, -0) ? '-0' : value})`
  return String(value)
}

function castCode(e: Emitter, node: Extract<Ir, { op: 'cast' }>): string {
  constantValue(node)
  const { child } = node
  const at = node.castAt
  if (child.type === 'def' && isPrimitive(node.type)) {
    const direct = knownAs(e, child, node.type)
    if (direct !== undefined) return after(direct, at)
  }
  if (child.type === 'long' && node.type === 'double') {
    const exact = exactLong(e, child)
    if (exact !== undefined) return after(exact.code, at)
  }
  // Elasticsearch folds conversions of constants between primitives, so they have no position.
  if (child.op === 'constant' && isPrimitive(node.type) && typeof child.value !== 'string')
    return convert(expression(e, child), child.type, node.type, node.explicit)
  // The conversion runs after the value, so its position overwrites that of the value, even if the conversion cannot
  // fail.
  const value =
    child.op === 'constant' || child.op === 'null'
      ? `(p=${at},${expression(e, child)})`
      : after(expression(e, child), at)
  return convert(value, child.type, node.type, node.explicit)
}

function binaryCode(e: Emitter, node: Extract<Ir, { op: 'binary' }>): string {
  constantValue(node)
  const { left, right, at, operator } = node
  if (node.operandType === 'def') {
    const typed = e.known(node)
    if (typed !== undefined) return `(p=${at},${boxed(typed.code, typed.type)})`
    const code = (side: Ir) => boxed(expression(e, side), side.type)
    return `(p=${at},${defOperation(operator)}(${code(left)},${code(right)}))`
  }
  const code = arithmetic(operator, node.operandType, expression(e, left), expression(e, right), node.shiftType)
  return `(p=${at},${code})`
}

/** The code of a def as a primitive, if its type is known and the conversion cannot fail. */
function knownAs(e: Emitter, node: Ir, to: string): string | undefined {
  const known = e.known(node)
  if (known === undefined) return undefined
  if (known.type === to) return known.code
  return widens(known.type, to) ? widened(known, to) : undefined
}

const widened = (known: KnownValue, to: string): string => known.as?.(to) ?? convert(known.code, known.type, to, false)

/** A long as a double: directly if it is exact as a number. */
const asDouble = (e: Emitter, node: Ir) => (to: string) => (to === 'double' ? exactLong(e, node)?.code : undefined)

const ARITHMETIC = ['+', '-', '*', '/', '%']

/** A def whose operand types follow from the mapping, from parameters or from constants. It needs no boxes. */
export function known(e: Emitter, node: Ir): KnownValue | undefined {
  const part = datePartOf(e, node)
  if (part !== undefined) {
    if (part.type === 'def') return undefined
    return { code: convert(part.code, 'int', part.type, false), type: part.type, as: asDouble(e, node) }
  }
  const typed = typedDocValue(e, node) ?? paramRead(e, node)
  if (typed !== undefined) return isPrimitive(typed.type) && typed.type !== 'boolean' ? typed : undefined
  if (node.op === 'cast' && node.type === 'def' && isPrimitive(node.child.type) && node.child.type !== 'boolean')
    return primitive(e, node.child)
  if (node.op !== 'binary' || node.operandType !== 'def') {
    return isPrimitive(node.type) && node.type !== 'boolean' && node.type !== 'void' ? primitive(e, node) : undefined
  }
  if (!ARITHMETIC.includes(node.operator)) return undefined
  const left = e.known(node.left)
  const right = left === undefined ? undefined : e.known(node.right)
  if (left === undefined || right === undefined) return undefined
  const type = ['double', 'float', 'long'].find((t) => left.type === t || right.type === t) ?? 'int'
  return {
    get code() {
      const code = arithmetic(node.operator, type, widened(left, type), widened(right, type))
      return `(p=${node.at},${code})`
    },
    type,
    as: asDouble(e, node),
  }
}

function primitive(e: Emitter, node: Ir): KnownValue {
  return {
    get code() {
      return expression(e, node)
    },
    type: node.type,
    as: asDouble(e, node),
  }
}

/** `doc['f'].value` and parts of it that are read without an object, as a def. */
function typedMember(e: Emitter, node: Ir): string | undefined {
  noticeDatePart(e, node)
  const part = datePartOf(e, node)
  if (part !== undefined) return part.type === 'long' ? convert(part.code, 'int', 'long', false) : part.code
  const typed = typedDocValue(e, node)
  return typed && boxed(typed.code, typed.type)
}

function comparisonCode(e: Emitter, node: Extract<Ir, { op: 'comparison' }>): string {
  const { left, right, at, operator } = node
  const nullSide = left.op === 'null' ? right : right.op === 'null' ? left : undefined
  if (nullSide !== undefined && !isPrimitive(nullSide.type)) {
    const js = operator.startsWith('!') ? '!==' : '==='
    if (!['<', '<=', '>', '>='].includes(operator)) return `(p=${at},${expression(e, nullSide)}${js}null)`
  }
  // Elasticsearch folds the identity comparison of two string constants to false.
  if (isStringConstant(left) && isStringConstant(right) && operator.length === 3)
    return `(p=${at},${operator === '!=='})`
  const isIdentity = operator === '===' || operator === '!=='
  if (node.operandType !== 'def') {
    const exact = node.operandType === 'long' && !isIdentity ? exactComparison(e, node) : undefined
    if (exact !== undefined) return exact
    return `(p=${at},${comparison(operator, node.operandType, expression(e, left), expression(e, right))})`
  }
  const a = e.known(left)
  const b = a === undefined ? undefined : e.known(right)
  if (a !== undefined && b !== undefined && !isIdentity) {
    const type = ['double', 'float', 'long'].find((t) => a.type === t || b.type === t) ?? 'int'
    const exact = type === 'long' ? exactComparison(e, node) : undefined
    if (exact !== undefined) return exact
    return `(p=${at},${comparison(operator, type, widened(a, type), widened(b, type))})`
  }
  const code = (side: Ir) => boxed(expression(e, side), side.type)
  if (operator === '==' || operator === '!=') {
    const site = e.constant(new DefEqualsSite(left.type, right.type))
    return `(p=${at},${operator === '!=' ? '!' : ''}${site}.equals(${code(left)},${code(right)}))`
  }
  return `(p=${at},${comparison(operator, 'def', code(left), code(right))})`
}

/** The comparison of two longs that are exact as numbers. */
function exactComparison(e: Emitter, { left, right, at, operator }: Extract<Ir, { op: 'comparison' }>) {
  const a = exactLong(e, left)
  const b = a && exactLong(e, right)
  return a && b && `(p=${at},${comparison(operator, 'double', a.code, b.code)})`
}

function isStringConstant(node: Ir): boolean {
  if (node.op === 'cast') return isStringConstant(node.child)
  return node.op === 'constant' && typeof node.value === 'string'
}

function unaryCode(e: Emitter, node: Extract<Ir, { op: 'unary' }>): string {
  const child = expression(e, node.child)
  if (node.operator === '!') return `!${child}`
  if (node.type === 'def') {
    const name = node.operator === '-' ? 'negate' : node.operator === '~' ? 'not' : 'plus'
    return `R.def_${name}(${child})`
  }
  if (node.operator === '+') return child
  if (node.operator === '~') return `~${child}`
  if (node.type === 'int') return `((-${child})|0)`
  return node.type === 'long' ? `R.asLong(64,-${child})` : `(-${child})`
}

function instanceofCode(e: Emitter, node: Extract<Ir, { op: 'instanceof' }>): string {
  const { child } = node
  return `R.isInstance(${boxed(expression(e, child), child.type)},${literal(node.tested)})`
}

/** The code of a part of a concatenation as a JavaScript string, or as a value that prints in the same way. */
function textCode(e: Emitter, part: Ir): string {
  const exact = part.type === 'long' || e.known(part)?.type === 'long' ? exactLong(e, part) : undefined
  if (exact !== undefined) return exact.code
  const code = expression(e, part)
  switch (part.type) {
    case 'double':
      return `R.doubleText(${code})`
    case 'float':
      return `R.floatText(${code})`
    case 'char':
      return `R.charText(${code})`
    case 'boolean':
    case 'byte':
    case 'short':
    case 'int':
    case 'long':
    case STRING:
      return code
    default:
      return `R.textOf(${code})`
  }
}

function readPlace(e: Emitter, node: Place): string {
  switch (node.op) {
    case 'local':
      return localCode(e, node)
    case 'element':
      return `R.elementAt(${expression(e, node.array)},${expression(e, node.index)},p=${node.at})`
    case 'listItem':
      return `R.listItem(${expression(e, node.list)},${expression(e, node.index)},p=${node.at})`
    case 'mapItem':
      return docRead(e, node) ?? paramCode(e, node) ?? mapItemCode(e, node)
    case 'defItem': {
      const index = boxed(expression(e, node.index), node.index.type)
      return `R.defItem(${expression(e, node.target)},${index},p,p=${node.at},${literal(node.index.type)})`
    }
    case 'defField': {
      const typed = typedMember(e, node)
      if (typed !== undefined) return typed
      return `${e.constant(new DefFieldSite(e.lookup, node.name))}.get(${expression(e, node.target)},p=${node.at})`
    }
    case 'accessor':
      return callCode(e, {
        op: 'call',
        target: node.target,
        method: node.getter!,
        args: [],
        nullSafe: false,
        type: node.getter!.returns,
        at: node.at,
      })
    case 'field':
      return `R.field(${expression(e, node.target)},${literal(node.field.name)},p=${node.at})`
  }
}

function localCode(e: Emitter, node: Extract<Place, { op: 'local' }>): string {
  const { variable } = node
  if (variable.context !== true) return nameOf(variable)
  if (variable.name === '_score') {
    e.observed.readsScore = true
    e.observed.deterministic = false
    const score = e.inBlock ? 'S[i]' : 'E.score()'
    return variable.type === 'double' ? score : `R.boxDouble(${score})`
  }
  e.needsDocument = true
  if (variable.name === 'doc' && variable.type === 'java.util.Map') e.observed.readsUnknownFields = true
  if (variable.name === 'params') noticeSource(e)
  return `E.${variable.name}`
}

/** Records that the script may read the source: `params` may be read with a computed name, which can be `_source`. */
function noticeSource(e: Emitter): void {
  if (e.context.variables.some((v) => v.name === 'doc')) e.observed.readsSource = true
}

/**
 * Whether the node converts a reference to def or Object. The conversion changes nothing, but an error that follows it
 * belongs to its value.
 */
export function isUpcast(node: Ir): boolean {
  if (node.op === 'conditional') return isUpcast(node.right)
  if (node.op !== 'cast' || (node.type !== 'def' && node.type !== OBJECT)) return false
  const { type, op } = node.child
  if (type === 'def') return isUpcast(node.child)
  return !isPrimitive(type) && op !== 'null' && type !== OBJECT
}

/** The code of a parameter. A parameter of known type is bound as a primitive. */
function paramCode(e: Emitter, node: Ir): string | undefined {
  const param = paramRead(e, node)
  return param && boxed(param.code, param.type)
}

function mapItemCode(e: Emitter, node: Extract<Place, { op: 'mapItem' }>): string {
  const map = expression(e, node.map)
  const key = expression(e, node.key)
  return isUpcast(node.key) ? `R.mapItem(${map},${key})` : `R.mapItem(${map},${key},p=${node.at})`
}

/** Code that writes to a place. `parts` has the code of the parts of the place; `at` sets the position of an error. */
/** `given` is the type of the value in the script. */
function writePlace(
  e: Emitter,
  node: Place,
  parts: readonly string[],
  value: string,
  at = `p=${node.at}`,
  given = 'def',
): string {
  switch (node.op) {
    case 'local':
      return node.variable.context === true
        ? `E.assign(${literal(node.variable.name)},${value})`
        : `${nameOf(node.variable)}=${value}`
    case 'element':
      return `R.setElement(${parts[0]},${parts[1]},${value},p=${node.at})`
    case 'listItem':
      return `R.setListItem(${parts[0]},${parts[1]},${value},${at})`
    case 'mapItem':
      return `R.setMapItem(${parts[0]},${parts[1]},${value},${at})`
    case 'defItem':
      return `R.setDefItem(${parts[0]},${parts[1]},${value},p=${node.at},${literal(node.index.type)},${literal(given)})`
    case 'defField':
      return `${e.constant(new DefFieldSite(e.lookup, node.name))}.set(${parts[0]},${value},p=${node.at})`
    case 'accessor':
      return `R.call1(R.nonNull(${parts[0]},p=${node.at}),${literal(`${node.setter!.name}_1`)},${value})`
    case 'field':
      return `R.setField(${parts[0]},${literal(node.field.name)},${value})`
  }
}

/** The sub-expressions of a place in order of evaluation. */
function partsOf(e: Emitter, node: Place): string[] {
  switch (node.op) {
    case 'local':
      return []
    case 'element':
      return [expression(e, node.array), expression(e, node.index)]
    case 'listItem':
      return [expression(e, node.list), expression(e, node.index)]
    case 'mapItem':
      return [expression(e, node.map), expression(e, node.key)]
    case 'defItem':
      return [expression(e, node.target), boxed(expression(e, node.index), node.index.type)]
    case 'defField':
    case 'accessor':
    case 'field':
      return [expression(e, node.target)]
  }
}

function storeCode(e: Emitter, node: Extract<Ir, { op: 'store' }>): string {
  const { place } = node
  const dynamic = place.op === 'defItem' || place.op === 'defField'
  const value = dynamic ? boxed(expression(e, node.value), node.value.type) : expression(e, node.value)
  const at = !node.read && isUpcast(node.value) ? 'p' : `p=${place.at}`
  return `(${writePlace(e, place, partsOf(e, place), value, at, node.value.type)})`
}

function compoundCode(e: Emitter, node: Extract<Ir, { op: 'compound' }>): string {
  const { place } = node
  const parts = partsOf(e, place)
  const names = parts.map(() => e.temporary())
  const assign = names.map((name, i) => `${name}=${parts[i]},`).join('')
  const old = e.temporary()
  const read = `${old}=${readAgain(e, place, names)}`
  const result = operation(e, node, old)
  const write = writePlace(e, place, names, result)
  const kept = node.read ? (node.postfix ? `,${old}` : '') : ''
  return `(p=${node.at},${assign}${read},${write}${kept})`
}

/** Reads a place whose parts are in temporaries. */
function readAgain(e: Emitter, node: Place, names: readonly string[]): string {
  switch (node.op) {
    case 'local':
      return localCode(e, node)
    case 'element':
      return `R.elementAt(${names[0]},${names[1]},p=${node.at})`
    case 'listItem':
      return `R.listItem(${names[0]},${names[1]},p=${node.at})`
    case 'mapItem':
      return `R.mapItem(${names[0]},${names[1]},p=${node.at})`
    case 'defItem':
      return `R.defItem(${names[0]},${names[1]},p,p=${node.at},${literal(node.index.type)})`
    case 'defField':
      return `${e.constant(new DefFieldSite(e.lookup, node.name))}.get(${names[0]},p=${node.at})`
    case 'accessor':
      return `R.call0(R.nonNull(${names[0]},p=${node.at}),${literal(`${node.getter!.name}_0`)})`
    case 'field':
      return `R.field(${names[0]},${literal(node.field.name)},p=${node.at})`
  }
}

function operation(e: Emitter, node: Extract<Ir, { op: 'compound' }>, old: string): string {
  const { place, compoundType, operator } = node
  if (compoundType === STRING) {
    const left = convert(old, place.type, STRING, false)
    return `R.checkedText(""+${left}+${textCode(e, node.value)})`
  }
  if (compoundType === 'def') {
    const value = expression(e, node.value)
    const left = boxed(old, place.type)
    if (place.type === 'def')
      return `R.castBack(${left},${defOperation(operator)}(${left},R.compoundValue(${left},${value})))`
    return convert(`${defOperation(operator)}(${left},${value})`, 'def', place.type, true)
  }
  const left = convert(old, place.type, compoundType, false)
  const code = arithmetic(operator, compoundType, left, expression(e, node.value), node.shiftType)
  return convert(code, compoundType, place.type, true)
}
