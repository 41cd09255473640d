/**
 * Arithmetic on blocks of doubles, four values at a time. The loops of JavaScript take several times as long, and the choice between two
 * values is a jump there that the processor often predicts wrong.
 *
 * The kernel uses a memory of its thread, which consists of vectors of `VECTOR_VALUES` doubles. Operands and results are vectors, by
 * their addresses; an operand may also be a number.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { assemble, type KernelFunction, op } from './wasm-assembler.ts'

export type Arithmetic = '+' | '-' | '*' | '/'
export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='

/** The operations on two numbers. Results of comparisons are 1 and 0. */
export const OPERATIONS: Readonly<Record<Arithmetic | Comparison, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
}

/** The length of a vector. */
export const VECTOR_VALUES = 4096
/** The number of vectors. */
export const VECTORS = 24

const STEP_BYTES = 32
const VECTOR_BYTES = VECTOR_VALUES * Float64Array.BYTES_PER_ELEMENT
/** Of the operands that are numbers: each is repeated for one step. */
const NUMBERS_BYTES = 128

const ARITHMETIC: Readonly<Record<Arithmetic, readonly number[]>> = {
  '+': op.f64x2Add,
  '-': op.f64x2Sub,
  '*': op.f64x2Mul,
  '/': op.f64x2Div,
}

const COMPARISONS: Readonly<Record<Comparison, readonly number[]>> = {
  '<': op.f64x2Lt,
  '<=': op.f64x2Le,
  '>': op.f64x2Gt,
  '>=': op.f64x2Ge,
  '==': op.f64x2Eq,
  '!=': op.f64x2Ne,
}

export const isComparison = (operator: string): operator is Comparison => Object.hasOwn(COMPARISONS, operator)

/**
 * A function of as many operands as `compute` takes from the stack. Its parameters are the address and the step of each operand, and the
 * first and the last address of the result.
 */
function vectorFunction(name: string, operands: number, compute: (load: (n: number) => number[]) => number[]) {
  const out = operands * 2
  const end = out + 1
  const compute2 = (offset: number) => [
    ...op.get(out),
    ...compute((operand) => [...op.get(operand * 2), ...op.v128Load(offset)]),
    ...op.v128StoreAt(offset),
  ]
  const advance = (local: number, by: readonly number[]) => [...op.get(local), ...by, ...op.i32Add, ...op.set(local)]
  const body = [
    [...op.loop, ...compute2(0), ...compute2(STEP_BYTES / 2)],
    ...Array.from({ length: operands }, (_, operand) => advance(operand * 2, op.get(operand * 2 + 1))),
    advance(out, op.i32Const(STEP_BYTES)),
    [...op.get(out), ...op.get(end), ...op.i32LtU, ...op.brIf(0), ...op.end],
  ]
  return { name, params: end + 1, integers: 0, vectors: 0, body } satisfies KernelFunction
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECOND_MS = 1000

/** The number of whole intervals before each of some whole numbers. It is exact for the safe integers, because no quotient is rounded up to the next one. */
const wholes = (values: readonly number[], interval: number) => [
  ...values,
  ...op.f64x2Const(interval),
  ...op.f64x2Div,
  ...op.f64x2Floor,
]

/** The number of the interval that epoch milliseconds are in, among the `count` intervals that another unit has. */
const partOfTime = (values: readonly number[], interval: number, count: number) => [
  ...wholes(values, interval),
  ...wholes(values, interval * count),
  ...op.f64x2Const(count),
  ...op.f64x2Mul,
  ...op.f64x2Sub,
]

/** Functions of one whole or any number. */
const CALLS = {
  sqrt: (value: readonly number[]) => [...value, ...op.f64x2Sqrt],
  abs: (value: readonly number[]) => [...value, ...op.f64x2Abs],
  /** Parts of a time in UTC, from its epoch milliseconds. */
  hour: (value: readonly number[]) => partOfTime(value, HOUR_MS, 24),
  minute: (value: readonly number[]) => partOfTime(value, MINUTE_MS, 60),
  second: (value: readonly number[]) => partOfTime(value, SECOND_MS, 60),
  epochSecond: (value: readonly number[]) => wholes(value, SECOND_MS),
} satisfies Readonly<Record<string, (value: readonly number[]) => readonly number[]>>

export type VectorCall = keyof typeof CALLS

const entriesOf = <K extends string, V>(record: Readonly<Record<K, V>>) => Object.entries(record) as [K, V][]

function allFunctions(): KernelFunction[] {
  return [
    ...entriesOf(ARITHMETIC).map(([name, code]) =>
      vectorFunction(name, 2, (load) => [...load(0), ...load(1), ...code]),
    ),
    ...entriesOf(COMPARISONS).flatMap(([name, code]) => {
      const compare = (load: (n: number) => number[]) => [...load(0), ...load(1), ...code]
      return [
        vectorFunction(name, 2, (load) => [...compare(load), ...op.f64x2Const(1), ...op.v128And]),
        vectorFunction(`?${name}`, 4, (load) => [...load(2), ...load(3), ...compare(load), ...op.v128Bitselect]),
      ]
    }),
    vectorFunction('scale', 3, (load) => [...load(0), ...load(1), ...op.f64x2Mul, ...load(2), ...op.f64x2Add]),
    ...entriesOf(CALLS).map(([name, code]) => vectorFunction(name, 1, (load) => [...code(load(0))])),
  ]
}

type Run = (...addresses: number[]) => void

/** A number, or the vector at an address. */
export type Operand = number | Vector

export interface Vector {
  readonly address: number
  readonly values: Float64Array
}

let kernel: VectorKernel | undefined

/** The kernel of the thread. */
export function vectorKernel(): VectorKernel {
  kernel ??= new VectorKernel()
  return kernel
}

class VectorKernel {
  readonly vectors: readonly Vector[]
  readonly #numbers: Float64Array
  readonly #functions: Readonly<Record<string, Run>>
  readonly #addresses: number[] = []

  constructor() {
    const { memory, address: start } = takeKernelMemory(NUMBERS_BYTES + VECTORS * VECTOR_BYTES)
    const module = new WebAssembly.Module(assemble(allFunctions(), 'thread'))
    this.#functions = new WebAssembly.Instance(module, { env: { memory } }).exports as Record<string, Run>
    this.#numbers = new Float64Array(memory.buffer, start, NUMBERS_BYTES / Float64Array.BYTES_PER_ELEMENT)
    this.vectors = Array.from({ length: VECTORS }, (_, i) => {
      const address = start + NUMBERS_BYTES + i * VECTOR_BYTES
      return { address, values: new Float64Array(memory.buffer, address, VECTOR_VALUES) }
    })
  }

  /** `a op b`; results of comparisons are 1 and 0. The result may be an operand. */
  combine(operator: Arithmetic | Comparison, a: Operand, b: Operand, count: number, out: Vector): void {
    this.#run(operator, count, out, a, b)
  }

  /** `a` where `left op right`, otherwise `b`. */
  select(operator: Comparison, left: Vector, right: number, a: Operand, b: Operand, count: number, out: Vector): void {
    this.#run(`?${operator}`, count, out, left, right, a, b)
  }

  /** `a * factor + summand`, rounded after each operation. */
  scale(a: Vector, factor: number, summand: number, count: number, out: Vector): void {
    this.#run('scale', count, out, a, factor, summand)
  }

  apply(name: VectorCall, a: Vector, count: number, out: Vector): void {
    this.#run(name, count, out, a)
  }

  #run(name: string, count: number, out: Vector, ...operands: Operand[]): void {
    if (count === 0) return
    const addresses = this.#addresses
    addresses.length = 0
    let numbers = 0
    for (const operand of operands) {
      if (typeof operand === 'number') {
        const at = numbers++ * (STEP_BYTES / Float64Array.BYTES_PER_ELEMENT)
        this.#numbers.fill(operand, at, at + STEP_BYTES / Float64Array.BYTES_PER_ELEMENT)
        addresses.push(this.#numbers.byteOffset + at * Float64Array.BYTES_PER_ELEMENT, 0)
      } else addresses.push(operand.address, STEP_BYTES)
    }
    this.#functions[name]!(...addresses, out.address, out.address + count * Float64Array.BYTES_PER_ELEMENT)
  }
}
