/**
 * The dictionary of the translate filter: from the configuration, or from a file that is reread when it changes.
 */
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type { Log } from '../../base/log.ts'
import { parseCsvLine } from '../codecs/csv-line.ts'
import { type FieldValue, toFieldValue } from '../event/fields.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export type Dictionary = ReadonlyMap<string, FieldValue>

export interface DictionarySettings {
  readonly refreshMs: number
  readonly merges: boolean
  readonly log: Log
  readonly nowMs: number
  /** YAML files with more code points are rejected. */
  readonly yamlCharactersMax: number
}

/** Checks the file every `refreshMs`, and only on a lookup. */
export class FileDictionary {
  readonly #path: string
  readonly #refreshMs: number
  readonly #merges: boolean
  readonly #log: Log
  readonly #yamlCharactersMax: number
  #words: Map<string, FieldValue>
  #modifiedMs: number
  #checkedMs: number

  constructor(path: string, settings: DictionarySettings) {
    this.#path = path
    this.#yamlCharactersMax = settings.yamlCharactersMax
    this.#refreshMs = settings.refreshMs
    this.#merges = settings.merges
    this.#log = settings.log
    this.#checkedMs = settings.nowMs
    try {
      this.#modifiedMs = statSync(path).mtimeMs
      this.#words = readWords(path, settings.yamlCharactersMax)
    } catch (error) {
      throw new PluginOptionError(`${(error as Error).message} when loading dictionary file at ${path}`)
    }
  }

  words(nowMs: number): Dictionary {
    if (this.#refreshMs > 0 && nowMs - this.#checkedMs >= this.#refreshMs) {
      this.#checkedMs = nowMs
      this.#refresh()
    }
    return this.#words
  }

  /** An unreadable file keeps the previous dictionary. */
  #refresh(): void {
    try {
      const modifiedMs = statSync(this.#path).mtimeMs
      if (modifiedMs === this.#modifiedMs) return
      const words = readWords(this.#path, this.#yamlCharactersMax)
      this.#words = this.#merges ? new Map([...this.#words, ...words]) : words
      this.#modifiedMs = modifiedMs
    } catch (error) {
      this.#log.warn(
        `${(error as Error).message} when loading dictionary file at ${this.#path}, continuing with old dictionary`,
      )
    }
  }
}

function readWords(path: string, yamlCharactersMax: number): Map<string, FieldValue> {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  switch (extname(path)) {
    case '.json':
      return text.trim() === '' ? new Map() : toWords(JSON.parse(text))
    case '.csv':
      return new Map(
        text
          .split(/\r?\n/)
          .filter((line) => line !== '')
          .map((line) => parseCsvLine(line, ',', '"')!)
          .map(([word, meaning]) => [word ?? '', meaning ?? '']),
      )
    case '.yml':
    case '.yaml': {
      const { length } = [...text]
      if (length > yamlCharactersMax) {
        throw new Error(`The incoming YAML document exceeds the limit: ${yamlCharactersMax} code points.`)
      }
      const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
      // A word that is there twice has its last meaning, as in Logstash.
      return toWords(parse(text, { uniqueKeys: false }) ?? {})
    }
    default:
      throw new Error('the file must end in .yml, .yaml, .json or .csv')
  }
}

function toWords(value: unknown): Map<string, FieldValue> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Error('the file holds no dictionary')
  return new Map(Object.entries(value).map(([word, meaning]) => [word, toFieldValue(meaning)]))
}
