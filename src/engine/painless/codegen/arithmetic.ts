/** Code of operators on primitives. Operators with a def operand call the runtime library. */
const DEF_OPERATIONS: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'remainder',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shiftLeft',
  '>>': 'shiftRight',
  '>>>': 'shiftRightUnsigned',
}

export const defOperation = (op: string): string => `R.def_${DEF_OPERATIONS[op]}`

export function arithmetic(op: string, type: string, left: string, right: string, shiftType?: string): string {
  switch (type) {
    case 'int':
      return intOperation(op, left, shiftType === 'long' ? `R.longToInt(${right})` : right)
    case 'long':
      return longOperation(op, left, right, shiftType)
    case 'boolean':
      return op === '^' ? `(${left}!==${right})` : `!!(${left}${op}${right})`
    case 'float':
      return `R.fround(${left}${op}${right})`
    default:
      return `(${left}${op}${right})`
  }
}

function intOperation(op: string, left: string, right: string): string {
  switch (op) {
    case '*':
      return `R.imul(${left},${right})`
    case '/':
      return `R.intDivide(${left},${right})`
    case '%':
      return `R.intRemainder(${left},${right})`
    case '>>>':
      return `((${left}>>>${right})|0)`
    case '-':
      // A space keeps `a - -1` from becoming a decrement.
      return `((${left} - ${right})|0)`
    case '+':
      return `((${left}+${right})|0)`
    default:
      return `(${left}${op}${right})`
  }
}

function longOperation(op: string, left: string, right: string, shiftType: string | undefined): string {
  switch (op) {
    case '/':
      return `R.longDivide(${left},${right})`
    case '%':
      return `R.longRemainder(${left},${right})`
    case '&':
    case '|':
    case '^':
      return `(${left}${op}${right})`
    case '<<':
    case '>>':
    case '>>>': {
      const count = shiftType === 'long' ? `R.longToInt(${right})` : right
      const name = op === '<<' ? 'longShiftLeft' : op === '>>' ? 'longShiftRight' : 'longShiftRightUnsigned'
      return `R.${name}(${left},${count})`
    }
    default:
      return `R.asLong(64,${left} ${op} ${right})`
  }
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
}

export function comparison(op: string, type: string, left: string, right: string): string {
  const negated = op.startsWith('!')
  const identity = op === '===' || op === '!=='
  const not = negated ? '!' : ''
  switch (type) {
    case 'boolean':
    case 'int':
    case 'long':
    case 'float':
    case 'double': {
      const js = op === '==' || op === '===' ? '===' : negated ? '!==' : op
      return `(${left}${js}${right})`
    }
    case 'def':
      if (identity) return `(${not}R.same(${left},${right}))`
      return `R.def_${COMPARISONS[op]}(${left},${right})`
    default:
      return identity ? `(${not}R.same(${left},${right}))` : `(${not}R.equals(${left},${right}))`
  }
}
