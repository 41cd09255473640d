/**
 * Commands that inputs run in a shell. They have a process group of their own: a signal to the shell alone would leave
 * the programs that it has started, and these keep the pipe open that the input reads.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

export type ShellCommand = ChildProcessByStdio<null, Readable, null>

const HAS_GROUPS = process.platform !== 'win32'

export function startInShell(command: string): ShellCommand {
  return spawn(command, { shell: true, detached: HAS_GROUPS, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Ends the shell and everything that it has started. */
export function endCommand(running: ShellCommand | undefined): void {
  if (running?.pid === undefined || running.stdout.closed) return
  try {
    if (HAS_GROUPS) process.kill(-running.pid)
    else running.kill()
  } catch (error) {
    // All of them have just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
