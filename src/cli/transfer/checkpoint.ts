/**
 * The progress of a transfer, stored in a file next to it, so that an interrupted run can continue. The file is
 * replaced atomically.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { SettingsError } from '../arguments/settings-error.ts'

export class Checkpoint<T extends object> {
  readonly path: string

  constructor(file: string) {
    this.path = `${file}.checkpoint`
  }

  read(): T | undefined {
    if (!existsSync(this.path)) return undefined
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as T
    } catch (error) {
      throw new SettingsError(`${this.path} cannot be read (${(error as Error).message}); --restart starts over`)
    }
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
