/**
 * Option declarations of plugins. A plugin's table validates the configuration, types the argument of its create
 * function and generates its manual page, so that the three always agree.
 */
import type { Codec } from './codec-plugin.ts'
import type { Touches } from './touches.ts'

export type OptionKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'array'
  | 'strings'
  | 'hash'
  | 'password'
  | 'path'
  | 'bytes'
  | 'enumeration'
  | 'codec'
  | 'field'
  | 'any'

/** A configuration value after substitution of environment variables. */
export type ConfigValue = string | number | boolean | ConfigValue[] | ConfigHash
export interface ConfigHash {
  [name: string]: ConfigValue
}

export interface OptionSpec<T> {
  readonly kind: OptionKind
  readonly required: boolean
  readonly default: T | undefined
  /** The allowed words of an enumeration. */
  readonly words?: readonly string[]
  /** Set for removed options of Logstash: the advice after "is obsolete and is no longer available." */
  readonly obsolete?: string
  /** Set for options that are deprecated or have no effect: the warning at startup. */
  readonly warning?: string
  /** Set for the old name of an option: its current name. */
  readonly renamedTo?: string
  /** Set for an old name whose values were others: the current value of each. */
  readonly renamedValues?: Readonly<Record<string, string>>
  /** Set for options that make the plugin reach beyond its events. */
  readonly touches?: Touches
  /** Returns the problem of a value of the right type, or undefined. */
  check?(value: T): string | undefined
}

export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>

/** The values a plugin receives: one per option of its table. */
export type OptionValues<S extends OptionTable> = {
  readonly [K in keyof S]: S[K] extends OptionSpec<infer T> ? T : never
}

interface Settings<T> {
  default?: T
  required?: boolean
  check?: (value: T) => string | undefined
}

/** An option that is required or has a default always has a value; others may be undefined. */
interface Builder<T> {
  (settings: { default: T; check?: (value: T) => string | undefined }): OptionSpec<T>
  (settings: { required: true; check?: (value: T) => string | undefined }): OptionSpec<T>
  (settings?: { check?: (value: T) => string | undefined }): OptionSpec<T | undefined>
}

function builder<T>(kind: OptionKind): Builder<T> {
  return ((settings: Settings<T> = {}) => ({
    kind,
    required: settings.required === true,
    default: settings.default,
    ...(kind === 'path' ? { touches: 'files' } : {}),
    ...(settings.check === undefined ? {} : { check: settings.check }),
  })) as Builder<T>
}

/** One of a few words. */
interface WordsBuilder {
  <const W extends string>(words: readonly W[], settings: { default: W } | { required: true }): OptionSpec<W>
  <const W extends string>(words: readonly W[]): OptionSpec<W | undefined>
}

export const option = {
  string: builder<string>('string'),
  number: builder<number>('number'),
  boolean: builder<boolean>('boolean'),
  /** Elements keep their type: strings, numbers, or nested values. */
  array: builder<ConfigValue[]>('array'),
  /** An array whose elements are converted to strings. */
  strings: builder<string[]>('strings'),
  /** Keeps the order of names. A repeated name has an array of its values. */
  hash: builder<Map<string, ConfigValue>>('hash'),
  /** A string that is never logged. */
  password: builder<string>('password'),
  /** The path of an existing file. */
  path: builder<string>('path'),
  /** A byte size: a number, `10 MiB`, `64kb`. */
  bytes: builder<number>('bytes'),
  field: builder<string>('field'),
  any: builder<ConfigValue>('any'),
  /** The default is the name of a codec. */
  codec: (settings: { default: string }): OptionSpec<Codec> =>
    ({ kind: 'codec', required: false, default: settings.default }) as unknown as OptionSpec<Codec>,
  words: ((words: readonly string[], settings: { default?: string; required?: boolean } = {}) => ({
    kind: 'enumeration',
    required: settings.required === true,
    default: settings.default,
    words,
  })) as WordsBuilder,
  /** An option that makes the plugin reach beyond its events. An option of the kind `path` does so by itself. */
  touching: <T>(touches: Touches, spec: OptionSpec<T>): OptionSpec<T> => ({ ...spec, touches }),
  /** An option that works but should be replaced. */
  deprecated: <T>(spec: OptionSpec<T>, advice: string): OptionSpec<T> => ({
    ...spec,
    warning: `is deprecated and still works. ${advice}`,
  }),
  /** The old name of an option of the same table, and what its values are now if they were others. */
  renamed: (to: string, values?: Readonly<Record<string, string>>): OptionSpec<undefined> => ({
    kind: 'any',
    required: false,
    default: undefined,
    renamedTo: to,
    ...(values === undefined ? {} : { renamedValues: values }),
    warning: `is deprecated and still works. Use \`${to}\` instead.`,
  }),
  /** An option of Logstash that has no effect in this implementation; `reason` says why. */
  ignored: (reason: string): OptionSpec<ConfigValue | undefined> => ({
    kind: 'any',
    required: false,
    default: undefined,
    warning: `has no effect. ${reason}`,
  }),
  obsolete: (advice: string): OptionSpec<undefined> => ({
    kind: 'any',
    required: false,
    default: undefined,
    obsolete: advice,
  }),
} as const
