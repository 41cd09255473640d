/** What may end a search before it has seen everything. Asked once per window. */
export interface SearchGuard {
  /**
   * Whether the time is up: what was found so far is the answer. Throws when nobody wants the answer any more. `steps` is the work since
   * it was last asked, in windows that are looked at.
   */
  isOver(steps?: number): boolean
}
