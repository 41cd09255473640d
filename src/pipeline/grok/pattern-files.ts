/** Pattern files of the user: lines of a name, blanks and an expression. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findConfigFiles } from '../config/config-files.ts'

/** All patterns of some folders (or patterns of folders), later files winning. */
export function readPatternFolders(folders: readonly string[], fileGlob: string): Map<string, string> {
  const patterns = new Map<string, string>()
  for (const folder of folders) {
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    const files = isFolder ? filesIn(folder, fileGlob) : findConfigFiles(folder).paths
    for (const file of files) {
      for (const [name, pattern] of parsePatternFile(readFileSync(file, 'utf8'))) patterns.set(name, pattern)
    }
  }
  return patterns
}

function filesIn(folder: string, fileGlob: string): string[] {
  if (fileGlob !== '*') return findConfigFiles(join(folder, fileGlob)).paths
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}

export function parsePatternFile(text: string): Map<string, string> {
  const patterns = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    // A name with nothing behind it is an empty pattern.
    const match = /^\s*(?!#)(\S+)(?:\s+(.*))?$/.exec(line)
    if (match !== null) patterns.set(match[1]!, match[2] ?? '')
  }
  return patterns
}
