/**
 * Files that analysis settings refer to (`stopwords_path`, `synonyms_path`): word lists in the folder `config` of the
 * data folder.
 *
 * The contents of a file are stored with the settings of the index under hidden names. Every thread thus has them, an
 * index opens even after its file was removed, and a changed file takes effect when the index is reopened, as in
 * Elasticsearch.
 */

import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import {
  deniedAnalysisFile,
  undecodableAnalysisFile,
  unreadableAnalysisFile,
} from '../../base/errors/analysis-errors.ts'
import { newMembers } from '../../base/json/members.ts'
import { ANALYSIS_FILES } from '../../engine/analysis/registry/analysis-settings.ts'
import type { FlatSettings, SettingValue } from '../metadata/metadata.ts'
import { textOf } from '../settings/flat-settings.ts'

const PATH_SETTING = /^index\.analysis\.(?:analyzer|tokenizer|filter|char_filter)\..+\.(\w+_path)$/

export class AnalysisFiles {
  readonly #folder: string | undefined

  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** The settings with the current contents of the files they refer to. */
  load(settings: FlatSettings): FlatSettings {
    const found: Record<string, SettingValue> = newMembers()
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
