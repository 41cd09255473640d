/**
 * All functions that generated code can call, under the names that the generator prints. Importing this module loads
 * the library.
 */
import './library.ts'
import * as arrays from './arrays.ts'
import * as boxing from './boxing.ts'
import { checkInstance, isInstance } from './class-of.ts'
import * as access from './collections/access.ts'
import * as literals from './collections/literals.ts'
import * as equality from './def/def-equality.ts'
import * as math from './def/def-math.ts'
import { equals } from './equality.ts'
import * as lambdas from './functions/lambdas.ts'
import * as invoke from './invoke.ts'
import * as text from './java-text.ts'
import { checkedText } from './lang/concat.ts'
import { charText } from './lang/strings.ts'
import { catches, locate, made, thrown } from './lang/throwables.ts'
import { enterFunction, leaveFunction, loopExhausted, resetLimits } from './limits.ts'
import * as numbers from './numbers.ts'
import { pattern, regexFind, regexMatches } from './regex/pattern.ts'
import * as dateParts from './script/date-parts.ts'
import { emittedText, missingValue } from './script/doc-values.ts'

/** Sets the position after a value was computed: `R.at(value, p = 12)`. */
const at = <T>(value: T, _position: number): T => value

const field = (target: { fieldValue(name: string): unknown }, name: string): unknown => target.fieldValue(name)

export const RUNTIME: Readonly<Record<string, unknown>> = Object.freeze(
  Object.assign(Object.create(null), {
    ...arrays,
    ...boxing,
    ...access,
    ...literals,
    ...equality,
    ...math,
    ...lambdas,
    ...invoke,
    ...text,
    ...numbers,
    ...dateParts,
    at,
    catches,
    charText,
    checkedText,
    checkInstance,
    enterFunction,
    equals,
    field,
    isInstance,
    leaveFunction,
    locate,
    loopExhausted,
    emittedText,
    made,
    missingValue,
    pattern,
    regexFind,
    regexMatches,
    resetLimits,
    thrown,
  }),
)
