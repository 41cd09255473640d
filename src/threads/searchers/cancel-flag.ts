/** A flag in shared memory that stops a search in other threads. */
export interface CancelFlag {
  /** Shared by all threads; 1 stops the search. */
  readonly cancelled: Int32Array
  /** Must be called when the search is over, because the client's signal may outlive it. */
  ended(): void
}

/** A flag that is set when the client disconnects. */
export function cancelFlag(signal: AbortSignal): CancelFlag {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const cancel = () => void Atomics.store(cancelled, 0, 1)
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  return { cancelled, ended: () => signal.removeEventListener('abort', cancel) }
}
