/** How far a transfer got, beside its file: what a killed one goes on from. Replaced whole, so that it is always whole. */
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
