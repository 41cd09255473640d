/**
 * V8's compiled code of the program, kept between starts in the user's cache folder. Compiling the service takes longer than
 * everything else it does at its start. V8 itself refuses code of another V8 version or of other flags; a digest detects damaged
 * files, which V8 would execute.
 */
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapCodeStatistics } from 'node:v8'
import type { Script } from 'node:vm'
import { readLargeFile } from './large-file.ts'

const DIGEST_BYTES = 20
/** The bytecode of the thread when the code was stored, as a 64-bit floating point number between the code and the digest. */
const SIZE_BYTES = 8
/** Storing takes longer than compiling the few functions that a start needs beyond those that are stored. */
const GROWTH_MIN = 1.05
const SUFFIX = '.code'

/** Files that were not written again for so long belong to versions that are no longer used. */
const MAX_AGE_MS = 30 * 24 * 3600 * 1000

/** Undefined if the environment names no folder that belongs to the user. A shared temporary folder would let other users prepare code. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = environment
  const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'))
  return caches ? join(caches, 'sandpiper') : undefined
}

/**
 * The file name of the code of one source text. `role` separates threads, which compile different functions of the same text.
 * `path` is the file of the text: V8 keeps it in the code, so code of another installation would show its paths in stack traces.
 */
export function cacheName(pack: string, hash: string, role: string, path: string): string {
  // V8's flags are part of the key: otherwise two programs with different flags would replace each other's files at every start.
  const settings = [path, process.versions.v8, process.arch, ...process.execArgv, process.env['NODE_OPTIONS'] ?? '']
  return `${pack}-${role}-${hash}-${sha1(settings.join('\0')).toString('hex').slice(0, 12)}${SUFFIX}`
}

export interface StoredCode {
  /** V8's form of the code. `release` frees it. */
  readonly code: Buffer
  /** The bytecode of the whole thread when this code was stored. */
  readonly threadBytecode: number
}

/** The stored code, or undefined if there is none or the file is damaged. */
export function readCode(folder: string, name: string): StoredCode | undefined {
  try {
    const path = join(folder, name)
    if (!isOwn(path)) return undefined
    const file = readLargeFile(path)
    const contents = file.subarray(0, -DIGEST_BYTES)
    if (!sha1(contents).equals(file.subarray(-DIGEST_BYTES))) return undefined
    // The code comes first, because V8 copies code whose address is not aligned.
    return {
      code: contents.subarray(0, -SIZE_BYTES),
      threadBytecode: contents.readDoubleLE(contents.length - SIZE_BYTES),
    }
  } catch {
    return undefined
  }
}

/** Whether only this user can have written the file: with `sudo -E` the folder is one of another user, whose code root would run. */
function isOwn(path: string): boolean {
  const { uid, mode } = statSync(path)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/**
 * Whether this start compiled functions that the stored code does not have. The first start of a version is often one without
 * data: it opens no shard and answers no search.
 */
export function hasGrown({ threadBytecode }: StoredCode): boolean {
  return bytecodeOfThread() > threadBytecode * GROWTH_MIN
}

function bytecodeOfThread(): number {
  return getHeapCodeStatistics().bytecode_and_metadata_size
}

/** Stores the functions of the script that were compiled so far. Without a writable folder the next start compiles them again. */
export function writeCode(folder: string, name: string, script: Script): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const size = Buffer.alloc(SIZE_BYTES)
    size.writeDoubleLE(bytecodeOfThread())
    const contents = Buffer.concat([script.createCachedData(), size])
    // Other processes may read or write the same file, so it appears complete or not at all.
    const draft = join(folder, `${name}.${process.pid}.${Date.now()}`)
    const file = openSync(draft, 'wx', 0o600)
    try {
      for (const part of [contents, sha1(contents)]) writeFileSync(file, part)
    } finally {
      closeSync(file)
    }
    renameSync(draft, join(folder, name))
    removeOldFiles(folder)
  } catch {
    // A cache that cannot be written costs time at the next start, nothing else.
  }
}

function removeOldFiles(folder: string): void {
  const oldest = Date.now() - MAX_AGE_MS
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.includes(SUFFIX) && statSync(path).mtimeMs < oldest) rmSync(path, { force: true })
  }
}

function sha1(bytes: Uint8Array | string): Buffer {
  return createHash('sha1').update(bytes).digest()
}
