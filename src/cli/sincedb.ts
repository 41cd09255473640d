/** `sandpiper sincedb`: shows and changes the read positions of file inputs. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { silentLog } from '../base/log.ts'
import { identityOf, Sincedb } from '../pipeline/inputs/watching/sincedb.ts'
import { lockDataFolder } from '../pipeline/runner/data-lock.ts'
import { commandArguments } from './arguments/command-arguments.ts'
import { standardPipelineFolder } from './arguments/data-folder.ts'
import { printedHelp } from './arguments/help.ts'
import { SettingsError } from './arguments/settings-error.ts'
import { readSubcommand } from './arguments/subcommand.ts'

const HELP = `sandpiper sincedb: how far the file inputs of pipelines have read their files

Usage
  sandpiper sincedb [list]               every file with a position, and the bytes that are left to read
  sandpiper sincedb set FILE POSITION    read FILE from this byte on at the next start; "end" is its end
  sandpiper sincedb forget FILE          treat FILE as new at the next start

Flags
  --path.data FOLDER     the data folder of the pipeline tool (default pipeline-data)
  --sincedb_path FILE    the position file of an input that has the option sincedb_path

Stop the pipeline tool before changing positions: a running tool would overwrite the changes.
`

const COMMANDS = { list: [], set: ['FILE', 'POSITION'], forget: ['FILE'] }

export async function sincedb(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const { values, positionals } = commandArguments(args, HELP, {
    options: { 'path.data': { type: 'string' }, sincedb_path: { type: 'string' } },
    allowPositionals: true,
  })
  const { command, words } = readSubcommand(HELP, positionals.length === 0 ? ['list'] : positionals, COMMANDS)
  const [file = '', position] = words
  const dataFolder = resolve(values['path.data'] ?? standardPipelineFolder())
  const files = values.sincedb_path === undefined ? sincedbFiles(dataFolder) : [resolve(values.sincedb_path)]
  if (command === 'list') return list(files, dataFolder)
  const unlock = existsSync(dataFolder) ? lockDataFolder(dataFolder) : undefined
  try {
    await change(files, resolve(file), position)
  } finally {
    unlock?.()
  }
}

function sincedbFiles(dataFolder: string): string[] {
  const folder = join(dataFolder, 'plugins', 'inputs', 'file')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\.sincedb_[0-9a-f]+$/.test(name))
    .map((name) => join(folder, name))
}

function open(path: string): Sincedb {
  const keepMs = Number.POSITIVE_INFINITY
  const positions = new Sincedb({ path, keepMs, saveMs: 1_000_000_000, log: silentLog })
  positions.load(Date.now())
  if (positions.isLost) throw new SettingsError(`${path} is damaged; it was moved to a file beside it`)
  return positions
}

function list(files: readonly string[], dataFolder: string): void {
  if (files.length === 0) {
    if (!existsSync(dataFolder)) {
      throw new SettingsError(
        `there is no folder ${dataFolder}; --path.data names the data folder of the pipeline tool`,
      )
    }
    process.stdout.write(`no positions in ${dataFolder}\n`)
  }
  for (const path of files) {
    process.stdout.write(`${path}\n`)
    for (const [identity, { position, activeMs, path: name }] of open(path).entries()) {
      const status = name === undefined ? undefined : statSync(name, { bigint: true, throwIfNoEntry: false })
      const isSame = status !== undefined && identityOf(status) === identity
      const left = isSame ? `${Math.max(0, Number(status.size) - position)} bytes left` : 'not there any more'
      const time = new Date(activeMs).toISOString()
      process.stdout.write(`  ${String(position).padStart(12)}  ${left.padEnd(22)} ${time}  ${name ?? identity}\n`)
    }
  }
}

async function change(files: readonly string[], file: string, position: string | undefined): Promise<void> {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false })
  for (const path of files) {
    const positions = open(path)
    const identity = status === undefined ? undefined : identityOf(status)
    const known = [...positions.entries()].filter(([own, { path: name }]) => own === identity || name === file)
    for (const [own] of known) {
      if (position === undefined) positions.delete(own)
      else positions.set(own, byteOf(position, Number(status?.size ?? 0)), file, Date.now())
    }
    await positions.close(Date.now())
    if (known.length === 0) continue
    process.stdout.write(`${path}: ${position === undefined ? 'forgot' : `set to ${position}:`} ${file}\n`)
    return
  }
  throw new SettingsError(`${file} is not remembered; sandpiper sincedb list shows what is`)
}

function byteOf(position: string, size: number): number {
  if (position === 'end') return size
  if (!/^\d+$/.test(position)) throw new SettingsError(`"${position}" is no position; give a number of bytes, or end`)
  return Number(position)
}
