/** java.lang.System: the clock and copies of arrays. */
import { arrayIndexOutOfBounds, nullPointer, throwable } from '../../errors/java-throwable.ts'
import { classOf } from '../class-of.ts'
import { JArray } from '../java-object.ts'
import { spendSteps } from '../limits.ts'
import { registerStatics } from '../registry.ts'

const ORIGIN = performance.now()

const notAnArray = (what: string, value: unknown) =>
  throwable('java.lang.ArrayStoreException', `arraycopy: ${what} type ${classOf(value)} is not an array`)

function copyItems(from: unknown, start: number, to: unknown, place: number, count: number): void {
  if (from === null || to === null) throw nullPointer()
  if (!(from instanceof JArray)) throw notAnArray('source', from)
  if (!(to instanceof JArray)) throw notAnArray('destination', to)
  if (from.element !== to.element && /^[a-z]+$/.test(`${from.element}${to.element}`)) {
    throw throwable(
      'java.lang.ArrayStoreException',
      `arraycopy: type mismatch: can not copy ${from.type} into ${to.type}`,
    )
  }
  for (const [what, array, at] of [
    ['source', from, start],
    ['destination', to, place],
  ] as const) {
    const { length } = array.items
    const shown = /^[a-z]+\[\]$/.test(array.type) ? array.type.replace('[]', `[${length}]`) : `object array[${length}]`
    if (at < 0) throw arrayIndexOutOfBounds(`arraycopy: ${what} index ${at} out of bounds for ${shown}`)
    if (count >= 0 && at + count > length) {
      const last = what === 'source' ? 'last source index' : 'last destination index'
      throw arrayIndexOutOfBounds(`arraycopy: ${last} ${at + count} out of bounds for ${shown}`)
    }
  }
  if (count < 0) throw arrayIndexOutOfBounds(`arraycopy: length ${count} is negative`)
  spendSteps(count)
  // Copied first: the arrays may be the same.
  const items = from.items.slice(start, start + count)
  for (let i = 0; i < count; i++) to.items[place + i] = items[i]
}

registerStatics('java.lang.System', {
  currentTimeMillis_0: () => BigInt(Date.now()),
  nanoTime_0: () => BigInt(Math.round((performance.now() - ORIGIN) * 1e6)),
  arraycopy_5: copyItems,
})
