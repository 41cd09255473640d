/**
 * Cosine, arc sine and great-circle distance by tables, as in Lucene. The results are accurate to far less than a
 * millimetre, but differ from exact ones in the last digits, and sort values and distances are compared to the last
 * digit.
 */

/** Mean radius of the earth (WGS 84), in metres. */
const EARTH_RADIUS_METERS = 6_371_008.7714
const EARTH_DIAMETER_METERS = 2 * EARTH_RADIUS_METERS

/** Pi/2 in two parts whose sum is more precise than a double. */
const PIO2_HI = 1.5707963267341256
const PIO2_LO = 6.077100506506192e-11
const TWOPI_HI = 4 * PIO2_HI
const TWOPI_LO = 4 * PIO2_LO

const COS_TABLE_SIZE = (1 << 11) + 1
const COS_DELTA_HI = TWOPI_HI / (COS_TABLE_SIZE - 1)
const COS_DELTA_LO = TWOPI_LO / (COS_TABLE_SIZE - 1)
const COS_INDEXER = 1 / (COS_DELTA_HI + COS_DELTA_LO)
const COS_VALUE_MAX = (((2 ** 31 - 1) >> 9) / COS_INDEXER) * 0.99

const cosines = new Float64Array(COS_TABLE_SIZE)
const sines = new Float64Array(COS_TABLE_SIZE)

/** The end of the table; beyond it the curve is too steep. */
const ASIN_VALUE_MAX = Math.sin((73 / 180) * Math.PI)
const ASIN_TABLE_SIZE = (1 << 13) + 1
const ASIN_DELTA = ASIN_VALUE_MAX / (ASIN_TABLE_SIZE - 1)
const ASIN_INDEXER = 1 / ASIN_DELTA

const arcSines = new Float64Array(ASIN_TABLE_SIZE)
/** First to fourth derivative, each divided by the factorial of its order. */
const derivatives = [1, 2, 3, 4].map(() => new Float64Array(ASIN_TABLE_SIZE)) as [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
]

for (let i = 0; i < COS_TABLE_SIZE; i++) {
  const angle = i * COS_DELTA_HI + i * COS_DELTA_LO
  cosines[i] = Math.cos(angle)
  sines[i] = Math.sin(angle)
}
// The zeros are set exactly, without rounding errors.
const quarterTurn = (COS_TABLE_SIZE - 1) / 4
cosines[quarterTurn] = 0
sines[2 * quarterTurn] = 0
cosines[3 * quarterTurn] = 0
sines[4 * quarterTurn] = 0

for (let i = 0; i < ASIN_TABLE_SIZE; i++) {
  const x = i * ASIN_DELTA
  const inverse = 1 / (1 - x * x)
  const half = Math.sqrt(inverse)
  const oneAndHalf = half * inverse
  const twoAndHalf = oneAndHalf * inverse
  const threeAndHalf = twoAndHalf * inverse
  arcSines[i] = Math.asin(x)
  derivatives[0][i] = half
  derivatives[1][i] = x * oneAndHalf * (1 / 2)
  derivatives[2][i] = (1 + 2 * x * x) * twoAndHalf * (1 / 6)
  derivatives[3][i] = (5 + 2 * x * (2 + x * (5 - 2 * x))) * threeAndHalf * (1 / 24)
}

export function sloppyCos(angle: number): number {
  const a = Math.abs(angle)
  if (!(a <= COS_VALUE_MAX)) return Math.cos(a)
  const nearest = (a * COS_INDEXER + 0.5) | 0
  const delta = a - nearest * COS_DELTA_HI - nearest * COS_DELTA_LO
  const index = nearest & (COS_TABLE_SIZE - 2)
  const cos = cosines[index]!
  const sin = sines[index]!
  return cos + delta * (-sin + delta * (-cos * (1 / 2) + delta * (sin * (1 / 6) + delta * cos * (1 / 24))))
}

export function sloppyAsin(value: number): number {
  const a = Math.abs(value)
  const result = a <= ASIN_VALUE_MAX ? asinByTable(a) : asinNearOne(a)
  return value < 0 ? -result : result
}

function asinByTable(a: number): number {
  const index = (a * ASIN_INDEXER + 0.5) | 0
  const delta = a - index * ASIN_DELTA
  const [first, second, third, fourth] = derivatives
  const inner = second[index]! + delta * (third[index]! + delta * fourth[index]!)
  return arcSines[index]! + delta * (first[index]! + delta * inner)
}

/** The rational approximation of fdlibm for the end of the range. */
function asinNearOne(a: number): number {
  if (!(a < 1)) return a === 1 ? Math.PI / 2 : Number.NaN
  const t = (1 - a) * 0.5
  const p =
    t *
    (0.16666666666666666 +
      t *
        (-0.3255658186224009 +
          t *
            (0.20121253213486293 + t * (-0.04005553450067941 + t * (7.915349942898145e-4 + t * 3.479331075960212e-5)))))
  const q =
    1 + t * (-2.403394911734414 + t * (2.0209457602335057 + t * (-0.6882839716054533 + t * 0.07703815055590194)))
  const s = Math.sqrt(t)
  const z = s + s * (p / q)
  return PIO2_HI - (z + z - PIO2_LO)
}

const BITS = new DataView(new ArrayBuffer(8))

/**
 * Increases with the distance and is cheaper, for comparisons. The lowest bits are cleared, so that rounding errors do
 * not break ties.
 */
function haversineSortKey(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const x1 = toRadians(lat1)
  const x2 = toRadians(lat2)
  const h1 = 1 - sloppyCos(x1 - x2)
  const h2 = 1 - sloppyCos(toRadians(lon1 - lon2))
  BITS.setFloat64(0, h1 + sloppyCos(x1) * sloppyCos(x2) * h2)
  BITS.setUint8(7, BITS.getUint8(7) & 0xf8)
  return BITS.getFloat64(0)
}

/** Great-circle distance in metres. */
export function haversineMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  return sortKeyToMeters(haversineSortKey(lat1, lon1, lat2, lon2))
}

function sortKeyToMeters(sortKey: number): number {
  return EARTH_DIAMETER_METERS * sloppyAsin(Math.min(1, Math.sqrt(sortKey * 0.5)))
}

/** A single multiplication by this constant, as on the JVM. */
export function toRadians(degrees: number): number {
  return degrees * 0.017453292519943295
}

/** Distance on a flat map: fast, but inaccurate for distant points or near a pole. */
export function planeMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const x = toRadians(lon2 - lon1) * Math.cos(toRadians((lat1 + lat2) / 2))
  const y = toRadians(lat2 - lat1)
  return Math.sqrt(x * x + y * y) * EARTH_RADIUS_METERS
}
