/** `sandpiper doctor`: checks every file of a data folder, reports problems, and repairs or salvages what it can. */
import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { examineSecurity } from '../security/store/security-store.ts'
import { Doctor, type FoundShard } from '../service/doctor/doctor.ts'
import type { Finding, Severity } from '../service/doctor/finding.ts'
import type { ExportCounts, ReadableDocument } from '../service/doctor/readable-documents.ts'
import { commandArguments } from './arguments/command-arguments.ts'
import { printedHelp } from './arguments/help.ts'
import { SettingsError } from './arguments/settings-error.ts'

const HELP = `sandpiper doctor: checks every file of a data folder and reports what is damaged or missing

Usage
  sandpiper doctor [--data FOLDER] [flags]

Flags
  --data FOLDER     the data folder of a node (default ./data, or SANDPIPER_DATA)
  --repair          repair what can be repaired without losing data; the node must be stopped
  --export FOLDER   write the readable documents of each index to FOLDER/NAME.ndjson, in the format of sandpiper export
  --json            one JSON object per line instead of text

The doctor checks the metadata (which indices exist), and for each shard the commit point, the checksums of all segments, the
log with its synced length, the views of points in time, and unused files. It also checks folders of indices that
the metadata does not name. Without --repair nothing is changed, and the node may be running.

Each finding is one of
  sound      not damaged
  note       not damaged, but worth knowing
  problem    damaged or missing, with a remedy
  repaired   was a problem until --repair fixed it

The exit status is 0 when no problem is left, 1 otherwise.

Examples
  sandpiper doctor --data /var/lib/sandpiper
  sandpiper doctor --repair
  sandpiper doctor --export saved && sandpiper import --in saved/books.ndjson --index books
`

const TEXT = { type: 'string' } as const
const SWITCH = { type: 'boolean' } as const
const WRITTEN_AT_ONCE_BYTES = 1024 * 1024

export async function doctor(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const { values } = commandArguments(args, HELP, {
    options: { data: TEXT, repair: SWITCH, export: TEXT, json: SWITCH },
  })
  const folder = values.data ?? process.env['SANDPIPER_DATA'] ?? './data'
  if (!existsSync(folder))
    throw new SettingsError(`there is no folder ${folder}; --data names the data folder of a node`)
  const print = values.json === true ? printJson : printText
  const examined = Doctor.open(folder)
  try {
    if (examined.isRunning && values.repair === true) {
      throw new SettingsError('a node works in this folder; stop it before --repair')
    }
    let problems = await examine(examined, values.repair === true, print)
    if (!examineUsers(folder, print)) problems++
    if (values.export !== undefined) exportAll(examined, values.export, print)
    if (values.json !== true) process.stdout.write(summary(problems, examined.isRunning))
    if (problems > 0) process.exitCode = 1
  } finally {
    examined.close()
  }
}

type Print = (finding: Pick<Finding, 'severity' | 'path' | 'text' | 'advice'>) => void

/** Returns the number of remaining problems. */
async function examine(examined: Doctor, repairs: boolean, print: Print): Promise<number> {
  let problems = 0
  for (const finding of examined.examine()) {
    if (finding.severity === 'problem' && finding.repair !== undefined && repairs) {
      print({ severity: 'repaired', path: finding.path, text: await finding.repair() })
      continue
    }
    if (finding.severity === 'problem') problems++
    print(finding)
  }
  return problems
}

/** Whether the users and keys can be read. */
function examineUsers(folder: string, print: Print): boolean {
  if (!existsSync(join(folder, 'security'))) return true
  const path = 'security/security'
  try {
    const found = examineSecurity(join(folder, 'security'))
    if (found === 'sound') print({ severity: 'sound', path, text: 'the users and keys are sound' })
    else print({ severity: 'note', path, text: 'the file of users and keys is not there' })
    return true
  } catch (error) {
    const advice = 'Bring the file back from a backup.'
    print({ severity: 'problem', path, text: (error as Error).message, advice })
    return false
  }
}

function exportAll(examined: Doctor, folder: string, print: Print): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The shards of an index share a file.
  const begun = new Set<string>()
  for (const shard of examined.shards) {
    const counts: ExportCounts = { documents: 0, unreadable: 0, damagedFiles: [], withoutCommitPoint: false }
    const file = join(folder, `${shard.index}${shard.isKnown ? '' : '.unknown'}.ndjson`)
    writeDocuments(examined.documents(shard, counts), shard, file, begun.has(file))
    begun.add(file)
    const parts = [`[${shard.index}][${shard.shard}] ${counts.documents} documents were written to ${file}`]
    if (counts.unreadable > 0) parts.push(`${counts.unreadable} documents could not be read`)
    if (counts.damagedFiles.length > 0) parts.push(`${counts.damagedFiles.join(', ')} could be read in part only`)
    if (counts.withoutCommitPoint) parts.push('documents that were deleted may be among them')
    print({ severity: 'note', path: shard.path, text: parts.join('; ') })
  }
}

function writeDocuments(
  documents: Iterable<ReadableDocument>,
  { index }: FoundShard,
  file: string,
  isBegun: boolean,
): void {
  const descriptor = openSync(file, isBegun ? 'a' : 'w', 0o600)
  let lines: string[] = []
  let bytes = 0
  const flush = () => {
    // The system may take fewer bytes than it is given.
    for (let rest = Buffer.from(lines.join('')); rest.length > 0; ) rest = rest.subarray(writeSync(descriptor, rest))
    lines = []
    bytes = 0
  }
  try {
    for (const { id, routing, source } of documents) {
      const routed = routing === undefined ? '' : `"_routing":${JSON.stringify(routing)},`
      const text = Buffer.from(source).toString().replaceAll('\n', ' ')
      lines.push(`{"_index":${JSON.stringify(index)},"_id":${JSON.stringify(id)},${routed}"_source":${text}}\n`)
      bytes += text.length
      if (bytes > WRITTEN_AT_ONCE_BYTES) flush()
    }
    flush()
  } finally {
    closeSync(descriptor)
  }
}

const SIGNS: Readonly<Record<Severity, string>> = {
  sound: 'sound   ',
  note: 'note    ',
  problem: 'PROBLEM ',
  repaired: 'repaired',
}

const printText: Print = ({ severity, path, text, advice }) => {
  process.stdout.write(`${SIGNS[severity]}  ${path === '' ? '.' : path}: ${text}\n`)
  if (advice !== undefined) process.stdout.write(`          ${advice}\n`)
}

const printJson: Print = ({ severity, path, text, advice }) => {
  process.stdout.write(`${JSON.stringify({ severity, path, text, advice })}\n`)
}

function summary(problems: number, isRunning: boolean): string {
  const beside = isRunning ? ' A node works in this folder; what it wrote meanwhile was not looked at.' : ''
  if (problems === 0) return `\nNo problem was found.${beside}\n`
  return `\n${problems} ${problems === 1 ? 'problem was' : 'problems were'} found.${beside}\n`
}
