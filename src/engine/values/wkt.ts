/**
 * Parses well-known text: `POINT (4.2 52.1)`, `POLYGON ((…))`, `BBOX (minLon, maxLon, maxLat, minLat)`. Coordinates are
 * longitude, then latitude, then an optional height. Text after the geometry is ignored.
 */
import { illegalArgument, parseFailure } from '../../base/api-error.ts'
import { formatDouble } from '../../base/json/json-writer.ts'
import { tryParseDouble } from './java-number.ts'

/** Longitude, latitude and, if given, height. */
export type Position = readonly [lon: number, lat: number, height?: number]

/** Empty geometries have no coordinates. */
export type Geometry =
  | { type: 'Point'; coordinates: Position | undefined }
  | { type: 'MultiPoint' | 'LineString'; coordinates: readonly Position[] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: readonly (readonly Position[])[] }
  | { type: 'MultiPolygon'; coordinates: readonly (readonly (readonly Position[])[])[] }
  | { type: 'Envelope'; minLon: number; maxLon: number; maxLat: number; minLat: number }
  | { type: 'Circle'; center: Position; radiusMeters: number }
  | { type: 'GeometryCollection'; geometries: readonly Geometry[] }
  | { type: 'Empty'; of: 'Envelope' | 'Circle' }

export interface WktOptions {
  /** Heights are rejected unless this is set; then the caller drops them. */
  ignoreZValue?: boolean
}

/** A ring of a polygon has at least this many points; the last repeats the first. */
const RING_POINTS_MIN = 4

/** Throws parse_exception for bad syntax and illegal_argument_exception for impossible geometries. */
export function parseWkt(text: string, options: WktOptions = {}): Geometry {
  return new WktReader(text, options.ignoreZValue ?? true).geometry()
}

class WktReader {
  readonly #tokens: string[]
  readonly #ignoreZ: boolean
  #at = 0

  constructor(text: string, ignoreZ: boolean) {
    // Words contain letters, digits and the characters of numbers; `#` starts a comment; any other character is a token
    // of its own.
    this.#tokens = text.replace(/#[^\r\n]*/g, '').match(/[A-Za-z0-9+.\-\u00a0-\u00ff]+|[^\s]/g) ?? []
    this.#ignoreZ = ignoreZ
  }

  geometry(): Geometry {
    const type = this.#word().toLowerCase()
    switch (type) {
      case 'point':
        return { type: 'Point', coordinates: this.#emptyOrOpen() ? undefined : this.#closed(() => this.#position()) }
      case 'multipoint':
        return { type: 'MultiPoint', coordinates: this.#positions() }
      case 'linestring':
        return { type: 'LineString', coordinates: this.#line() }
      case 'multilinestring':
        return { type: 'MultiLineString', coordinates: this.#list(() => this.#line()) }
      case 'polygon':
        return { type: 'Polygon', coordinates: this.#list(() => this.#ring()) }
      case 'multipolygon':
        return { type: 'MultiPolygon', coordinates: this.#list(() => this.#list(() => this.#ring())) }
      case 'bbox':
        return this.#box()
      case 'circle':
        return this.#circle()
      case 'geometrycollection':
        return { type: 'GeometryCollection', geometries: this.#list(() => this.geometry()) }
      default:
        throw illegalArgument(`Unknown geometry type: ${type}`)
    }
  }

  #line(): readonly Position[] {
    const positions = this.#positions()
    if (positions.length === 1) throw illegalArgument('at least two points in the line is required')
    return positions
  }

  #ring(): readonly Position[] {
    const positions = this.#line()
    const first = positions[0]
    const last = positions.at(-1)
    if (first === undefined || last === undefined) return positions
    if (first[0] !== last[0] || first[1] !== last[1]) {
      const end = positions.length - 1
      throw illegalArgument(
        'first and last points of the linear ring must be the same (it must close itself):' +
          ` x[0]=${formatDouble(first[0])} x[${end}]=${formatDouble(last[0])}` +
          ` y[0]=${formatDouble(first[1])} y[${end}]=${formatDouble(last[1])}`,
      )
    }
    if (positions.length < RING_POINTS_MIN) throw illegalArgument('at least 4 polygon points required')
    return positions
  }

  #box(): Geometry {
    if (this.#emptyOrOpen()) return { type: 'Empty', of: 'Envelope' }
    return this.#closed(() => {
      const minLon = this.#longitude()
      this.#expect(',')
      const maxLon = this.#longitude()
      this.#expect(',')
      const maxLat = this.#latitude()
      this.#expect(',')
      const minLat = this.#latitude()
      if (maxLat < minLat) throw illegalArgument('max y cannot be less than min y')
      return { type: 'Envelope', minLon, maxLon, maxLat, minLat }
    })
  }

  #circle(): Geometry {
    if (this.#emptyOrOpen()) return { type: 'Empty', of: 'Circle' }
    return this.#closed(() => {
      const lon = this.#longitude()
      const lat = this.#latitude()
      const radiusMeters = this.#number()
      const height = this.#isNumberNext() ? this.#height() : undefined
      return { type: 'Circle', center: height === undefined ? [lon, lat] : [lon, lat, height], radiusMeters }
    })
  }

  #positions(): Position[] {
    let dimensions = 0
    return this.#list(() => {
      const position = this.#position()
      if (dimensions > 0 && position.length !== dimensions) {
        throw parseFailure(`coordinate dimensions do not match: ${shown(this.#tokens[this.#at])}`)
      }
      dimensions = position.length
      return position
    })
  }

  #position(): Position {
    const lon = this.#longitude()
    const lat = this.#latitude()
    return this.#isNumberNext() ? [lon, lat, this.#height()] : [lon, lat]
  }

  #longitude(): number {
    return inRange(this.#number(), 'longitude', 180)
  }

  #latitude(): number {
    return inRange(this.#number(), 'latitude', 90)
  }

  #height(): number {
    const height = this.#number()
    if (!this.#ignoreZ) throw zValueFound(height)
    return height
  }

  /** `EMPTY`, or `(` item `,` item … `)`. */
  #list<T>(item: () => T): T[] {
    if (this.#emptyOrOpen()) return []
    const items = [item()]
    for (;;) {
      const separator = this.#word()
      if (separator === ')') return items
      if (separator !== ',') throw parseFailure(`expected , or ) but found: ${shown(separator)}`)
      items.push(item())
    }
  }

  #emptyOrOpen(): boolean {
    const word = this.#word()
    if (word.toUpperCase() === 'EMPTY') return true
    if (word === '(') return false
    throw parseFailure(`expected EMPTY or ( but found: ${shown(word)}`)
  }

  #closed<T>(content: () => T): T {
    const read = content()
    this.#expect(')')
    return read
  }

  #expect(wanted: string): void {
    const word = this.#word()
    if (word !== wanted) throw parseFailure(`expected ${wanted} but found: ${shown(word)}`)
  }

  #word(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined || (!isWord(token) && !'(),'.includes(token))) {
      throw parseFailure(`expected word but found: ${shown(token)}`)
    }
    return token
  }

  #isNumberNext(): boolean {
    const token = this.#tokens[this.#at]
    return token !== undefined && isWord(token)
  }

  #number(): number {
    const token = this.#tokens[this.#at++]
    if (token === undefined || !isWord(token)) throw parseFailure(`expected number but found: ${shown(token)}`)
    if (token.toLowerCase() === 'nan') return Number.NaN
    const number = tryParseDouble(token)
    if (number === undefined) throw parseFailure(`invalid number found: ${token}`)
    return number
  }
}

/** The error for an unexpected height. */
function zValueFound(height: number) {
  return illegalArgument(`found Z value [${formatDouble(height)}] but [ignore_z_value] parameter is [false]`)
}

function inRange(degrees: number, name: string, limit: number): number {
  if (Math.abs(degrees) <= limit) return degrees
  throw illegalArgument(
    `invalid ${name} ${Number.isNaN(degrees) ? 'NaN' : formatDouble(degrees)}; must be between -${limit}.0 and ${limit}.0`,
  )
}

function isWord(token: string): boolean {
  return /^[A-Za-z0-9+.\-\u00a0-\u00ff]/.test(token)
}

function shown(token: string | undefined): string {
  if (token === undefined) return 'END-OF-STREAM'
  return isWord(token) ? token : `'${token}'`
}
