/** A problem the user can fix. It is shown as one line without a stack. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SettingsError'
  }
}
