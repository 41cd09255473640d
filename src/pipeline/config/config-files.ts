/**
 * Finds and reads the files of a configuration: a file, a folder or a pattern. The sections of all files are combined.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expandGlob } from '../../base/files/glob.ts'
import { ConfigError } from './config-error.ts'
import { type ParseOptions, parseConfig } from './parser.ts'
import type { Section } from './syntax-tree.ts'

export interface ConfigFile {
  readonly path: string
  readonly text: string
}

/** The files that `path.config` names, sorted. `skipped` lists editor backups. */
export function findConfigFiles(pattern: string): { paths: string[]; skipped: string[] } {
  const path = resolve(pattern.replace(/^file:\/\//, ''))
  const candidates = isFolder(path) ? readdirSync(path).map((name) => join(path, name)) : expandGlob(path)
  const files = candidates.filter(isFile).sort()
  return { paths: files.filter((file) => !file.endsWith('~')), skipped: files.filter((file) => file.endsWith('~')) }
}

export function readConfigFile(path: string): ConfigFile {
  const bytes = readFileSync(path)
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    throw new ConfigError([{ message: `The configuration file ${path} is not valid UTF-8` }])
  }
}

/**
 * Parses every file separately, so that positions are relative to the file. The problems of all files are reported
 * together.
 */
export function parseConfigFiles(files: readonly ConfigFile[], options: ParseOptions): Section[] {
  const problems = []
  const sections: Section[] = []
  for (const { path, text } of files) {
    try {
      sections.push(...parseConfig(text, path, options))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return sections
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
