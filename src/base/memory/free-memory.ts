/**
 * Frees the memory of buffers at once. V8 counts memory outside of its heap, and marks the whole heap when a few megabytes
 * were added, although a much cheaper collection of the youngest objects would free them: the chunks of request bodies
 * alone would make it mark all the time.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'

let nowhere: MessagePort | undefined

/** The buffers are empty afterwards. Each costs a few microseconds, so short ones are not worth it. */
export function freeMemory(buffers: readonly ArrayBuffer[]): void {
  if (nowhere === undefined) {
    nowhere = new MessageChannel().port1
    nowhere.close()
  }
  // Transferred buffers leave this thread even if nobody receives them.
  nowhere.postMessage(undefined, buffers)
}
