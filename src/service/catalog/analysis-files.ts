/**
 * Files that analysis settings name (`stopwords_path`, `synonyms_path`): lists of words in the folder `config` of the data
 * folder.
 *
 * What a file holds is kept with the settings of the index, under names nobody sees. So every thread has it, an index opens
 * after its file is gone, and a changed file counts when the index is opened again, as it does with Elasticsearch.
 */
import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import {
  deniedAnalysisFile,
  undecodableAnalysisFile,
  unreadableAnalysisFile,
} from '../../base/errors/analysis-errors.ts'
import { ANALYSIS_FILES } from '../../engine/analysis/registry/analysis-settings.ts'
import type { FlatSettings, SettingValue } from '../metadata/metadata.ts'
import { textOf } from '../settings/flat-settings.ts'

const PATH_SETTING = /^index\.analysis\.(?:analyzer|tokenizer|filter|char_filter)\..+\.(\w+_path)$/

export class AnalysisFiles {
  readonly #folder: string | undefined

  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** The settings with the contents of the files they name, read now. */
  load(settings: FlatSettings): FlatSettings {
    const found: Record<string, SettingValue> = {}
    for (const [key, value] of Object.entries(settings)) {
      const setting = PATH_SETTING.exec(key)?.[1]
      if (setting !== undefined) found[`index.${ANALYSIS_FILES}${textOf(value)}`] = this.#lines(setting, textOf(value))
    }
    if (Object.keys(found).length === 0) return settings
    const others = Object.entries(settings).filter(([key]) => !key.startsWith(`index.${ANALYSIS_FILES}`))
    return { ...Object.fromEntries(others), ...found }
  }

  #lines(setting: string, path: string): string[] {
    if (this.#folder === undefined) throw unreadableAnalysisFile(setting, path)
    const file = resolve(this.#folder, path)
    const inside = relative(this.#folder, file)
    if (inside.startsWith('..') || isAbsolute(inside)) throw deniedAnalysisFile(setting, join(this.#folder, path))
    const bytes = readBytes(setting, file)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(/\r?\n/)
    } catch {
      throw undecodableAnalysisFile(setting, file)
    }
  }
}

function readBytes(setting: string, file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw unreadableAnalysisFile(setting, file, (error as NodeJS.ErrnoException).code)
  }
}
