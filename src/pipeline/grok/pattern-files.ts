/** Reads pattern files: lines of a name, white space and an expression. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findConfigFiles } from '../config/config-files.ts'

/** All patterns of some folders (or glob patterns of folders). Later files override earlier ones. */
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
    // A name without an expression is an empty pattern.
    const match = /^\s*(?!#)(\S+)(?:\s+(.*))?$/.exec(line)
    if (match !== null) patterns.set(match[1]!, match[2] ?? '')
  }
  return patterns
}
