/** Creating a kernel takes a thread about as long as the plain loop takes for this many values. */
const VALUES_WORTH = 1 << 16

/**
 * The kernel of the thread, for a loop over the given number of values. It is created when the loops so far had so many values that
 * creating it would not have taken longer; undefined before that.
 */
export function threadKernel<K>(create: () => K): (values: number) => K | undefined {
  let kernel: K | undefined
  let values = 0
  return (count) => {
    if (kernel !== undefined) return kernel
    values += count
    if (values >= VALUES_WORTH) kernel = create()
    return kernel
  }
}
