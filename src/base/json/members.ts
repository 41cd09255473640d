/**
 * Objects whose members have names that clients choose. A plain object answers for `toString` and `constructor` although
 * nobody put them there, and an assignment to `__proto__` gets lost: such names are ordinary names of fields,
 * aggregations and pipelines. A spread (`{ ...members }`) makes a plain object of the finished members, in which names
 * of clients are looked up by `memberOf`.
 */

/** An object without inherited members, in which every name can be assigned. */
export function newMembers<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>
}

/** The member that an object itself has. */
export function memberOf<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}

/** A copy with the members of several objects, in which every name can be assigned. The last one wins. */
export function copyMembers<T>(...objects: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> {
  return Object.assign(newMembers<T>(), ...objects) as Record<string, T>
}

/** Assigns a member of a plain object, where many objects are made. */
export function setMember<T>(object: Record<string, T>, name: string, value: T): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
