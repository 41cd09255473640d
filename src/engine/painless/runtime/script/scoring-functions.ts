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
import type { Temporal } from '../time/temporal.ts'
import type { Environment } from './environment.ts'
import type { GeoPoint } from './geo-point.ts'
import { VECTOR_FUNCTIONS } from './vectors/vector-functions.ts'

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
  ...VECTOR_FUNCTIONS,
}
