/** `rank_feature`: scores by the number of a feature. */
import { type ApiError, illegalArgument, xContentParse } from '../../../base/api-error.ts'
import { rankFeaturePlace } from '../../mapping/feature-place.ts'
import { ACCEPTS_NUMBER, ACCEPTS_OBJECT, ACCEPTS_STRING, type RequestReader } from '../../request/request-reader.ts'
import { matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { type ClauseOptions, commonMembers, newOptions, type QueryClause } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import {
  type FeatureFunction,
  featureQuery,
  LINEAR,
  logarithm,
  meanFeature,
  saturation,
  sigmoid,
} from './feature-query.ts'

type GivenFunction =
  | { readonly kind: 'saturation'; readonly pivot: number | undefined }
  | { readonly kind: 'log'; readonly scaling: number }
  | { readonly kind: 'sigmoid'; readonly pivot: number; readonly exponent: number }
  | { readonly kind: 'linear' }

class RankFeatureQuery extends QueryNode {
  override readonly kind = 'rank_feature'
  readonly field: string
  readonly given: GivenFunction

  constructor(field: string, given: GivenFunction, options: ClauseOptions) {
    super(options)
    this.field = field
    this.given = given
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const place = rankFeaturePlace(context.mapping, this.field)
    if (place === undefined) return matchNothing('')
    const { given } = this
    let chosen: FeatureFunction
    if (given.kind === 'linear') chosen = LINEAR
    else if (given.kind === 'sigmoid') chosen = sigmoid(given.pivot, given.exponent)
    else if (given.kind === 'saturation') chosen = saturation(given.pivot ?? meanFeature(context, place))
    else if (place.raises) chosen = logarithm(given.scaling)
    else {
      throw illegalArgument(
        'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
      )
    }
    return featureQuery(place, chosen, boost)
  }
}

export const rankFeatureClause: QueryClause = {
  name: 'rank_feature',
  parse(reader) {
    const options = newOptions()
    const functions: GivenFunction[] = []
    let field: string | undefined
    const member = (read: () => GivenFunction) => ({
      accepts: ACCEPTS_OBJECT,
      parse: () => void functions.push(read()),
    })
    reader.parseObject('feature', [
      {
        field: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            field = reader.text()
          },
        },
        log: member(() => ({ kind: 'log', scaling: readNumbers(reader, 'log', ['scaling_factor'])[0]! })),
        saturation: member(() => ({ kind: 'saturation', pivot: readNumbers(reader, 'saturation', [], ['pivot'])[0] })),
        sigmoid: member(() => {
          const [pivot, exponent] = readNumbers(reader, 'sigmoid', ['pivot', 'exponent'])
          return { kind: 'sigmoid', pivot: pivot!, exponent: exponent! }
        }),
        linear: member(() => {
          readNumbers(reader, 'linear', [])
          return { kind: 'linear' }
        }),
      },
      commonMembers(reader, options),
    ])
    if (field === undefined) throw illegalArgument('Required [field]')
    if (functions.length > 1) {
      const causedBy = illegalArgument('Can only specify one of [log], [saturation], [sigmoid] and [linear]')
      throw xContentParse('Failed to build [feature] after last required field arrived', { causedBy })
    }
    return new RankFeatureQuery(field, functions[0] ?? { kind: 'saturation', pivot: undefined }, options)
  },
}

/** The numbers of an object by the order of their names. */
function readNumbers(
  reader: RequestReader,
  name: string,
  required: readonly string[],
  optional: readonly string[] = [],
): (number | undefined)[] {
  const names = [...required, ...optional]
  const numbers: (number | undefined)[] = names.map(() => undefined)
  const table = Object.fromEntries(
    names.map((member, i) => [
      member,
      {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          numbers[i] = Math.fround(reader.float())
        },
      },
    ]),
  )
  reader.parseObject(name, table)
  const missing: readonly string[] = required.filter((_, i) => numbers[i] === undefined)
  if (missing.length > 0) throw requiredMembers(missing)
  return numbers
}

const requiredMembers = (missing: readonly string[]): ApiError => illegalArgument(`Required [${missing.join(', ')}]`)
