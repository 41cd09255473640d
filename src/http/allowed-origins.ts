/** Origins whose pages may read responses and write: pages of this machine where the service is reached from it alone, and configured ones. */
const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

export class AllowedOrigins {
  readonly #tests: readonly ((origin: string) => boolean)[]

  /** `configured` are origins, `*` for all of them, or a regular expression between slashes. */
  constructor(configured: readonly string[], allowsLoopback: boolean) {
    this.#tests = [
      ...(allowsLoopback ? [(origin: string) => LOOPBACK_ORIGIN.test(origin)] : []),
      ...configured.map(testOf),
    ]
  }

  has(origin: string): boolean {
    return this.#tests.some((test) => test(origin))
  }
}

function testOf(configured: string): (origin: string) => boolean {
  if (configured === '*') return () => true
  if (!configured.startsWith('/') || !configured.endsWith('/')) return (origin) => origin === configured
  const expression = new RegExp(`^(?:${configured.slice(1, -1)})$`)
  return (origin) => expression.test(origin)
}
