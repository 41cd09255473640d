/** Lambdas and function references passed to def calls. Their interface is known only when the method is found. */
import type { Lookup } from '../../api/lookup.ts'
import type { JFunction } from '../java-object.ts'

export abstract class Deferred {
  abstract bind(type: string, lookup: Lookup): JFunction
}
