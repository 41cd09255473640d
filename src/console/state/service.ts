/** What views know about the service and the rail shows. */
import { signal } from '@preact/signals'

/** Uptime and memory, at the foot of the rail. */
export const serviceLine = signal('')
/** Numbers beside entries of the rail, by path. */
export const railCounts = signal<Readonly<Record<string, number>>>({})
