/** Checks which parameters may be combined with a script that computes a field's values. */
import { illegalArgument } from '../../../base/api-error.ts'
import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import type { LeafMapper } from '../leaf-mapper.ts'

/** Parameters about values in documents. A field with a script has no such values. */
const ABOUT_GIVEN_VALUES = ['null_value', 'ignore_malformed', 'coerce']

export function checkScriptRules(leaf: LeafMapper): void {
  if (!leaf.isGiven('script')) {
    if (leaf.isGiven('on_script_error')) {
      throw illegalArgument('Field [on_script_error] requires field [script] to be configured')
    }
    return
  }
  for (const name of ABOUT_GIVEN_VALUES) {
    if (leaf.isGiven(name)) throw illegalArgument(`Field [${name}] cannot be set in conjunction with field [script]`)
  }
  if (leaf.copyTo.length > 0) throw mapperParsing('Cannot define copy_to parameter on a field with a script')
  if (leaf.subFields.size > 0) throw mapperParsing('Cannot define multifields on a field with a script')
  if (!leaf.flag('index') && !leaf.flag('doc_values')) {
    throw mapperParsing('Cannot define script on field with index:false and doc_values:false')
  }
}
