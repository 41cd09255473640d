/** A problem that the person at the keyboard can solve: shown as one line, without a stack. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SettingsError'
  }
}
