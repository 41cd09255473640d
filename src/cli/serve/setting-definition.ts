/** What a setting is called, and how its text becomes a value. */
export interface Definition<T> {
  readonly name: string
  readonly placeholder: string
  readonly standard: string
  readonly about: string
  read(text: string, name: string): T
}

export function define<T>(definition: Definition<T>): Definition<T> {
  return definition
}
