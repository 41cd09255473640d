/** Runs `work` for every item, at most `count` at a time. Rejects with the first error, after those under way have ended. */
export async function atMost<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const failures: unknown[] = []
  const run = async () => {
    while (next < items.length && failures.length === 0) {
      try {
        await work(items[next++]!)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, run))
  if (failures.length > 0) throw failures[0]
}
