/** What may end a search before it has seen everything. Asked once per window. */
export interface SearchGuard {
  /** Whether the time is up: what was found so far is the answer. Throws when nobody wants the answer any more. */
  isOver(): boolean
}
