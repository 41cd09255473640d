/** State of the service that views share with the rail. */
import { signal } from '@preact/signals'

/** Uptime and memory, shown at the bottom of the rail. */
export const serviceLine = signal('')
/** Numbers next to entries of the rail, by path. */
export const railCounts = signal<Readonly<Record<string, number>>>({})
