/**
 * What a plugin's options are made of. The table of a plugin validates the configuration, gives the create function its
 * types, and is the source of the manual's page, so that the three cannot drift apart.
 */
import type { Codec } from './codec-plugin.ts'

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

/** A value of a configuration file after environment variables were put in. */
export type ConfigValue = string | number | boolean | ConfigValue[] | ConfigHash
export interface ConfigHash {
  [name: string]: ConfigValue
}

export interface OptionSpec<T> {
  readonly kind: OptionKind
  readonly required: boolean
  readonly default: T | undefined
  /** The words of an enumeration. */
  readonly words?: readonly string[]
  /** Set for options Logstash once had: the advice that follows "is obsolete and is no longer available." */
  readonly obsolete?: string
  /** Set for options that still work, or that are taken and have no effect: what a warning at the start says of them. */
  readonly warning?: string
  /** Set for the old name of an option: the name its value is read under. */
  readonly renamedTo?: string
  /** What is wrong with a value of the right kind, or undefined. */
  check?(value: T): string | undefined
}

export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>

/** The values a plugin gets: one per option of its table. */
export type OptionValues<S extends OptionTable> = {
  readonly [K in keyof S]: S[K] extends OptionSpec<infer T> ? T : never
}

interface Settings<T> {
  default?: T
  required?: boolean
  check?: (value: T) => string | undefined
}

/** An option with a default or a duty always has a value; any other may be undefined. */
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
  /** Items keep their own kind: text, numbers, or nested values. */
  array: builder<ConfigValue[]>('array'),
  /** An array whose items are read as text. */
  strings: builder<string[]>('strings'),
  /** Names keep their order; a name given twice holds an array of its values. */
  hash: builder<Map<string, ConfigValue>>('hash'),
  /** Text that never appears in a log. */
  password: builder<string>('password'),
  /** Text naming a file that exists. */
  path: builder<string>('path'),
  /** A number of bytes, `10 MiB`, `64kb`. */
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
  /** An option that works, and that people should replace. */
  deprecated: <T>(spec: OptionSpec<T>, advice: string): OptionSpec<T> => ({
    ...spec,
    warning: `is deprecated and still works. ${advice}`,
  }),
  /** The old name of an option of the same table. */
  renamed: (to: string): OptionSpec<undefined> => ({
    kind: 'any',
    required: false,
    default: undefined,
    renamedTo: to,
    warning: `is deprecated and still works. Use \`${to}\` instead.`,
  }),
  /** An option of Logstash that makes no difference here; `reason` says why. */
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
