/**
 * Tables of `_cat`: text for people, JSON or YAML for programs.
 *
 *   h=name,alias,doc*   selects columns by name, alias or wildcard; unknown ones are dropped
 *   s=name:desc         sorts by columns
 *   v, help             adds a header line; shows the list of columns in place of the table
 *   bytes=kb, time=s    one unit for all sizes and times, without its name
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { formatByteSize } from '../../../base/byte-size.ts'
import { formatDuration } from '../../../base/duration.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { HttpResponse } from '../../response.ts'

export interface Column {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly about: string
  readonly alignRight?: boolean
  /** Shown only if requested by name. */
  readonly hidden?: boolean
}

/** A size or time that is formatted later, in the unit that the request selects. */
export class Bytes {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

export class Milliseconds {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Undefined is an empty cell. */
export type Cell = string | number | boolean | Bytes | Milliseconds | undefined
export type Row = Readonly<Record<string, Cell>>

/**
 * A table: its columns, and the conversion of a request to rows. `read` parses the parameters; the function it returns
 * does the work.
 */
export interface CatTable {
  readonly paths: readonly string[]
  readonly columns: readonly Column[]
  /** The columns of a request that shows others than `columns`. */
  columnsFor?(request: HttpRequest): readonly Column[]
  read(request: HttpRequest, node: SandpiperNode): () => Promise<readonly Row[]> | readonly Row[]
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1024 ** 4,
  p: 1024 ** 5,
  pb: 1024 ** 5,
}
const TIME_UNITS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  micros: 1e-3,
  nanos: 1e-6,
}

/** The requested layout of a table. It reads the common parameters, so it must be created while the handler reads. */
export class TableStyle {
  readonly help: boolean
  readonly #asJson: boolean
  readonly #verbose: boolean
  readonly #columns: readonly string[] | undefined
  readonly #sort: readonly string[]
  readonly #byteUnit: number | undefined
  readonly #timeUnit: number | undefined

  constructor({ query, accepted }: HttpRequest) {
    this.help = query.boolean('help', false)
    this.#verbose = query.boolean('v', false)
    this.#columns = query.list('h')
    this.#sort = query.list('s', [])
    this.#byteUnit = unit(query.string('bytes'), BYTE_UNITS)
    this.#timeUnit = unit(query.string('time'), TIME_UNITS)
    this.#asJson = accepted !== undefined
    query.accept('master_timeout', 'local', 'size', 'ts', 'pri')
  }

  /** The list of columns: name, aliases, description. */
  helpAnswer(columns: readonly Column[]): HttpResponse {
    const names = columns.map(({ name }) => name)
    const aliases = columns.map((column) => (column.aliases ?? []).join(','))
    const width = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length))
    const [nameWidth, aliasWidth] = [width(names), width(aliases)]
    const aboutWidth = width(columns.map(({ about }) => about))
    const lines = columns.map(
      ({ about }, i) =>
        `${names[i]!.padEnd(nameWidth)} | ${aliases[i]!.padEnd(aliasWidth)} | ${about.padEnd(aboutWidth)}\n`,
    )
    return { status: 200, text: lines.join('') }
  }

  answer(columns: readonly Column[], rows: readonly Row[]): HttpResponse {
    const shown = this.#shownColumns(columns)
    const sorted = this.#sorted(columns, rows)
    if (this.#asJson) {
      const body = sorted.map((row) =>
        Object.fromEntries(shown.map(({ column, title }) => [title, this.#print(row[column.name]) ?? null])),
      )
      return { status: 200, body }
    }
    return { status: 200, text: this.#text(shown, sorted) }
  }

  #text(shown: readonly Shown[], rows: readonly Row[]): string {
    const cells = rows.map((row) => shown.map(({ column }) => this.#print(row[column.name]) ?? ''))
    if (this.#verbose) cells.unshift(shown.map(({ title }) => title))
    const widths = shown.map((_, i) => Math.max(0, ...cells.map((line) => line[i]!.length)))
    return cells.map((line) => `${layOut(line, shown, widths)}\n`).join('')
  }

  #shownColumns(columns: readonly Column[]): Shown[] {
    if (this.#columns === undefined) {
      return columns.filter(({ hidden }) => hidden !== true).map((column) => ({ column, title: column.name }))
    }
    const shown: Shown[] = []
    for (const asked of this.#columns) {
      if (asked.includes('*')) {
        const pattern = wildcard(asked)
        for (const column of columns) if (pattern.test(column.name)) shown.push({ column, title: column.name })
      } else {
        const column = findColumn(columns, asked)
        if (column !== undefined) shown.push({ column, title: asked })
      }
    }
    return shown
  }

  #sorted(columns: readonly Column[], rows: readonly Row[]): readonly Row[] {
    if (this.#sort.length === 0) return rows
    const keys = this.#sort.map((text) => {
      const descending = text.endsWith(':desc')
      const name = text.replace(/:(asc|desc)$/, '')
      const column = findColumn(columns, name)
      if (column === undefined) throw illegalArgument(`Unable to sort by unknown sort key \`${name}\``)
      return { name: column.name, sign: descending ? -1 : 1 }
    })
    return [...rows].sort((a, b) => {
      for (const { name, sign } of keys) {
        const order = compareCells(a[name], b[name]) * sign
        if (order !== 0) return order
      }
      return 0
    })
  }

  #print(cell: Cell): string | undefined {
    if (cell === undefined) return undefined
    if (cell instanceof Bytes) {
      return this.#byteUnit === undefined ? formatByteSize(cell.value) : String(Math.floor(cell.value / this.#byteUnit))
    }
    if (cell instanceof Milliseconds) {
      return this.#timeUnit === undefined ? formatDuration(cell.value) : String(Math.floor(cell.value / this.#timeUnit))
    }
    return String(cell)
  }
}

/** Whether a request shows or sorts by one of these hidden columns, which may be expensive to fill in. */
export function asksForColumns({ query }: HttpRequest, columns: readonly Column[]): boolean {
  const sorts = query.list('s', []).map((text) => text.replace(/:(asc|desc)$/, ''))
  return [...query.list('h', []), ...sorts].some((asked) =>
    asked.includes('*')
      ? columns.some((column) => wildcard(asked).test(column.name))
      : findColumn(columns, asked) !== undefined,
  )
}

interface Shown {
  readonly column: Column
  /** The name as the request spelled it. */
  readonly title: string
}

function layOut(line: readonly string[], shown: readonly Shown[], widths: readonly number[]): string {
  return line
    .map((text, i) => {
      if (shown[i]!.column.alignRight === true) return text.padStart(widths[i]!)
      return i === line.length - 1 ? text : text.padEnd(widths[i]!)
    })
    .join(' ')
}

function findColumn(columns: readonly Column[], name: string): Column | undefined {
  return columns.find((column) => column.name === name) ?? columns.find((column) => column.aliases?.includes(name))
}

/** Empty cells sort first; numbers, sizes and times sort by value. */
function compareCells(a: Cell, b: Cell): number {
  const [left, right] = [sortKey(a), sortKey(b)]
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [leftText, rightText] = [String(left), String(right)]
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0
}

function sortKey(cell: Cell): string | number | undefined {
  if (cell instanceof Bytes || cell instanceof Milliseconds) return cell.value
  return typeof cell === 'boolean' ? String(cell) : cell
}

/** An unknown unit leaves sizes and times in readable form. */
function unit(name: string | undefined, units: Readonly<Record<string, number>>): number | undefined {
  return name !== undefined && Object.hasOwn(units, name) ? units[name] : undefined
}

const wildcard = (text: string) => new RegExp(`^${text.split('*').map(escapeRegExp).join('.*')}$`)

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
