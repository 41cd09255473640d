/** What may end a search before it has seen everything. Asked once per window. */
export interface SearchGuard {
  /**
   * Whether the timeout is over: the hits found so far are the answer. Throws when the search was cancelled. `steps` is the work
   * since the last call, in windows.
   */
  isOver(steps?: number): boolean
}
