/** Brackets and shortcuts on lists, maps and def. */

import { NUMBER, OBJECT, UNBOX, widens } from '../../analysis/types.ts'
import { isPrimitive } from '../../api/lookup.ts'
import { classCast, illegalArgument, nullPointer, wrongMethodType } from '../../errors/java-throwable.ts'
import { elementAt, setElement } from '../arrays.ts'
import { toDef } from '../boxing.ts'
import { classOf, isInstance } from '../class-of.ts'
import { asPrimitive, handleText } from '../def/def-convert.ts'
import { JArray } from '../java-object.ts'
import { JList } from './list.ts'
import { JMap } from './map.ts'

const nullTarget = (call: string) => nullPointer(`Cannot invoke "${call}" because "<local1>" is null`)

/** Negative indices count from the end. */
export function listItem(list: JList | null, index: number, _position?: number): unknown {
  if (list === null) throw nullTarget('java.util.List.get(int)')
  return list.get_1(index < 0 ? index + list.size_0() : index)
}

export function setListItem(list: JList | null, index: number, value: unknown, _position?: number): unknown {
  if (list === null) throw nullTarget('java.util.List.set(int, Object)')
  list.set_2(index < 0 ? index + list.size_0() : index, value)
  return value
}

export function mapItem(map: JMap | null, key: unknown, _position?: number): unknown {
  if (map === null) throw nullTarget('java.util.Map.get(Object)')
  return map.get_1(key)
}

export function setMapItem(map: JMap | null, key: unknown, value: unknown, _position?: number): unknown {
  if (map === null) throw nullTarget('java.util.Map.put(Object, Object)')
  map.put_2(key, value)
  return value
}

/** The index of a def bracket. The static type of the index decides which error a wrong type causes. */
function indexOf(target: JList | JArray, index: unknown, type: string): number {
  if (type !== 'def' && type !== 'int') {
    const receiver = target instanceof JArray ? target.$class : 'List'
    throw wrongMethodType(
      `cannot convert MethodHandle${handleText(receiver, ['int'], 'int')} to ${handleText('Object', [type], type)}`,
    )
  }
  return asPrimitive(index, 'int') as number
}

const notIndexable = (target: unknown) =>
  target === null || target === undefined
    ? nullPointer('cannot access method/field [normalizeIndex] from a null def reference')
    : illegalArgument(
        `Attempting to address a non-array-like type [${classOf(target).replaceAll('$', '.')}] as an array.`,
      )

/**
 * Reads `target[index]` on def. A wrong index is reported at `before`, the position of the expression before the
 * brackets.
 */
export function defItem(target: unknown, index: unknown, before: number, _position: number, type: string): unknown {
  if (target instanceof JMap) return target.get_1(index)
  if (target instanceof JList) return listItem(target, locatedIndex(target, index, type, before))
  if (target instanceof JArray)
    return toDef(elementAt(target, locatedIndex(target, index, type, before)), target.element)
  throw Object.assign(notIndexable(target), { offset: before })
}

function locatedIndex(target: JList | JArray, index: unknown, type: string, before: number): number {
  if (typeof index === 'number' && (type === 'int' || type === 'def')) return index
  try {
    return indexOf(target, index, type)
  } catch (e) {
    throw Object.assign(e as Error, { offset: before })
  }
}

export function setDefItem(
  target: unknown,
  index: unknown,
  value: unknown,
  _position: number,
  type: string,
  given: string,
): unknown {
  if (target instanceof JMap) return setMapItem(target, index, value)
  if (target instanceof JList) return setListItem(target, indexOf(target, index, type), value)
  if (target instanceof JArray) {
    const { element } = target
    const at = indexOf(target, index, type)
    setElement(target, at, elementFor(element, value, given, type))
    return value
  }
  throw notIndexable(target)
}

/** The value for an element of an array. The static type of the value decides which error a wrong type causes. */
function elementFor(element: string, value: unknown, given: string, index: string): unknown {
  if (element === 'def' || element === OBJECT) return value
  if (given !== 'def' && given !== OBJECT && given !== element) {
    const from = UNBOX[given] ?? given
    const to = UNBOX[element] ?? element
    const fits = isPrimitive(from) || isPrimitive(to) ? from === to || (to === element && widens(from, to)) : true
    const boxes = element === OBJECT || (element === NUMBER && from !== 'boolean' && from !== 'char')
    if (!fits && !(isPrimitive(given) && boxes))
      throw wrongMethodType(
        `cannot convert MethodHandle${handleText(`${element}[]`, ['int', element], 'void')} to ${handleText('Object', [index, given], 'void')}`,
      )
  }
  if (isPrimitive(element)) return asPrimitive(value, element)
  if (value === null || isInstance(value, element)) return value
  throw classCast(`Cannot cast ${classOf(value)} to ${element}`)
}
