/**
 * The progress of a transfer, stored in a file next to it, so that an interrupted run can continue. The file is
 * replaced atomically.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'

export class Checkpoint<T extends object> {
  readonly path: string

  constructor(file: string) {
    this.path = `${file}.checkpoint`
  }

  read(): T | undefined {
    return existsSync(this.path) ? (JSON.parse(readFileSync(this.path, 'utf8')) as T) : undefined
  }

  write(state: T): void {
    const temporary = `${this.path}.tmp`
    const descriptor = openSync(temporary, 'w')
    writeSync(descriptor, JSON.stringify(state))
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(temporary, this.path)
  }

  delete(): void {
    rmSync(this.path, { force: true })
  }
}
