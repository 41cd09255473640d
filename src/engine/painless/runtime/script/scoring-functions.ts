/**
 * The functions of score scripts. Functions with constant arguments cache what they compute from them, under the number
 * of the call.
 */

import { parseDuration } from '../../../../base/duration.ts'
import { murmur3OfUtf16 } from '../../../../base/murmur3.ts'
import { compileDateFormat } from '../../../time/format/date-format.ts'
import { parseDistance } from '../../../values/distance-unit.ts'
import { parseGeoPoint, QUERY_POINT } from '../../../values/geo-point.ts'
import { haversineMeters } from '../../../values/sloppy-math.ts'
import { illegalArgument } from '../../errors/java-throwable.ts'
import { defTo_double } from '../boxing.ts'
import { JList } from '../collections/list.ts'
import type { Temporal } from '../time/temporal.ts'
import type { Environment } from './environment.ts'
import type { GeoPoint } from './geo-point.ts'

// biome-ignore lint/suspicious/noExplicitAny: signatures are those of the context's functions
type Scoring = (env: Environment, kept: Map<number, unknown>, ...args: any[]) => number

function keep<T>(kept: Map<number, unknown>, call: number, make: () => T): T {
  let value = kept.get(call) as T | undefined
  if (value === undefined) {
    value = make()
    kept.set(call, value)
  }
  return value
}

type Shape = (distance: number, scale: number) => number

/** The decay functions. `scaled` computes the parameter with which the value at the scale is `decay`. */
const SHAPES: Readonly<Record<string, { scaled(scale: number, decay: number): number; value: Shape }>> = {
  Linear: { scaled: (scale, decay) => scale / (1 - decay), value: (d, scale) => Math.max(0, (scale - d) / scale) },
  Exp: { scaled: (scale, decay) => Math.log(decay) / scale, value: (d, scale) => Math.exp(scale * d) },
  Gauss: {
    scaled: (scale, decay) => (0.5 * scale ** 2) / Math.log(decay),
    value: (d, scale) => Math.exp((0.5 * d ** 2) / scale),
  },
}

function decays(shape: string): Record<string, Scoring> {
  const { scaled, value } = SHAPES[shape]!
  return {
    [`decayNumeric${shape}_5`]: (
      _env,
      kept,
      call: number,
      origin: number,
      scale: number,
      offset: number,
      decay: number,
      x: number,
    ) => {
      const own = keep(kept, call, () => scaled(scale, decay))
      return value(Math.max(0, Math.abs(x - origin) - offset), own)
    },
    [`decayDate${shape}_5`]: (
      _env,
      kept,
      call: number,
      origin: string,
      scale: string,
      offset: string,
      decay: number,
      date: Temporal,
    ) => {
      const own = keep(kept, call, () => ({
        origin: compileDateFormat('strict_date_optional_time').parse(origin).ms,
        scale: scaled(duration(scale), decay),
        offset: duration(offset),
      }))
      const distance = Math.max(0, Math.abs(Number(date.toEpochMilli_0()) - own.origin) - own.offset)
      return value(distance, own.scale)
    },
    [`decayGeo${shape}_5`]: (
      _env,
      kept,
      call: number,
      origin: string,
      scale: string,
      offset: string,
      decay: number,
      point: GeoPoint,
    ) => {
      const own = keep(kept, call, () => ({
        origin: parseGeoPoint(origin, QUERY_POINT),
        scale: scaled(parseDistance(scale), decay),
        offset: parseDistance(offset),
      }))
      const distance = haversineMeters(own.origin.lat, own.origin.lon, point.lat, point.lon)
      return value(Math.max(0, distance - own.offset), own.scale)
    },
  }
}

const duration = (text: string): number => (text === '0' ? 0 : parseDuration(text, 'decay'))

function vectors(env: Environment, kept: Map<number, unknown>, call: number, query: unknown, field: string) {
  const own = keep(kept, call, () => queryVector(query))
  const document = env.bindings.vector?.(field)
  if (document === undefined) throw illegalArgument("A document doesn't have a value for a vector field!")
  if (document.length !== own.length)
    throw illegalArgument(
      `The query vector has a different number of dimensions [${own.length}] than the document vectors [${document.length}].`,
    )
  return { own, document }
}

function queryVector(query: unknown): Float32Array {
  if (!(query instanceof JList))
    throw illegalArgument(
      `Cannot use vector functions with a query of class [${query === null ? 'null' : typeof query}]`,
    )
  return Float32Array.from(query.items, (value) => defTo_double(value, true))
}

const sum = (a: Float32Array, b: Float32Array, term: (x: number, y: number) => number) =>
  a.reduce((total, x, i) => total + term(x, b[i]!), 0)

const dot = (a: Float32Array, b: Float32Array) => sum(a, b, (x, y) => x * y)

const vectorFunction =
  (value: (a: Float32Array, b: Float32Array) => number): Scoring =>
  (env, kept, call: number, query: unknown, field: string) => {
    const { own, document } = vectors(env, kept, call, query, field)
    return value(own, document)
  }

/** A number in [0, 1) that depends on the seed and the document. */
function randomScore(env: Environment, seed: number, field: string | undefined): number {
  const salt = murmurOf(`${env.bindings.indexName ?? ''}`) * 31 + (env.bindings.shardId ?? 0)
  const value =
    field === undefined
      ? String(env.document + (env.bindings.docBase ?? 0))
      : String(env.docMap?.field(field).getValue_0() ?? '')
  const hash = murmurOf(`${value}`) ^ Math.imul(seed ^ salt, 0x9e3779b1)
  return (murmurOf(String(hash)) & 0x00ffffff) / 0x1000000
}

const murmurOf = (text: string): number => murmur3OfUtf16(text)

export const SCORING_FUNCTIONS: Readonly<Record<string, Scoring>> = {
  saturation_2: (_env, _kept, value: number, k: number) => value / (k + value),
  sigmoid_3: (_env, _kept, value: number, k: number, a: number) => value ** a / (k ** a + value ** a),
  randomScore_1: (env, _kept, _call: number, seed: number) => randomScore(env, seed, undefined),
  randomScore_2: (env, _kept, _call: number, seed: number, field: string) => randomScore(env, seed, field),
  ...decays('Linear'),
  ...decays('Exp'),
  ...decays('Gauss'),
  cosineSimilarity_2: vectorFunction((a, b) => dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b)))),
  dotProduct_2: vectorFunction(dot),
  l1norm_2: vectorFunction((a, b) => sum(a, b, (x, y) => Math.abs(x - y))),
  l2norm_2: vectorFunction((a, b) => Math.sqrt(sum(a, b, (x, y) => (x - y) ** 2))),
  hamming_2: vectorFunction((a, b) => sum(a, b, (x, y) => ((x ^ y) & 0xff).toString(2).replaceAll('0', '').length)),
}
