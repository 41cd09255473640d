/** What was written: for each document the last acknowledged version, and versions whose outcome is unknown. */
export class Written {
  #documents = new Map()
  #indices = new Set()

  get indices() {
    return [...this.#indices]
  }

  get ids() {
    return [...this.#documents.keys()]
  }

  acknowledgeIndex(name) {
    this.#indices.add(name)
  }

  /** `value` is undefined for a deletion. */
  acknowledge(id, value) {
    this.#documents.set(id, new Set([value]))
  }

  /** The write may have happened. */
  doubt(id, value) {
    const possible = this.#documents.get(id) ?? new Set([undefined])
    this.#documents.set(id, possible.add(value))
  }

  /** The documents whose stored value is none of the possible ones. A value that was seen is the only possible one from then on. */
  compare(found) {
    const wrong = []
    for (const [id, possible] of this.#documents) {
      const value = found.get(id)
      if (possible.has(value)) this.#documents.set(id, new Set([value]))
      else
        wrong.push(
          `${id} is ${value ?? 'missing'} instead of ${[...possible].map((one) => one ?? 'missing').join(' or ')}`,
        )
    }
    return wrong
  }

  /** How many documents there are for certain, and at most. */
  get bounds() {
    let [least, most] = [0, 0]
    for (const possible of this.#documents.values()) {
      if (!possible.has(undefined)) least++
      if (possible.size > 1 || !possible.has(undefined)) most++
    }
    return { least, most }
  }
}
