/** May end a search before it has seen everything. Called once per window. */
export interface SearchGuard {
  /**
   * Whether the timeout is over: the hits found so far are returned. Throws if the search was cancelled. `steps` is the
   * work since the last call, in windows.
   */
  isOver(steps?: number): boolean
}
