/** The progress of a transfer, in a file beside it, from which an interrupted run continues. It is replaced atomically. */
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
