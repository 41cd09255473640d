/** A flag in shared memory that tells other threads to stop a search. */
export interface CancelFlag {
  /** Shared by all threads; 1 when the search is to stop. */
  readonly cancelled: Int32Array
  /** Call when the search is over: the client's signal may outlive it. */
  ended(): void
}

/** A flag that is set when the client goes away. */
export function cancelFlag(signal: AbortSignal): CancelFlag {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const cancel = () => void Atomics.store(cancelled, 0, 1)
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  return { cancelled, ended: () => signal.removeEventListener('abort', cancel) }
}
