/** Code of statements. */
import type { BlockIr, Ir, StatementIr } from '../analysis/ir.ts'
import { convert, defaultValue } from './conversions.ts'
import { expression } from './expressions.ts'
import { type Emitter, literal, nameOf } from './generator-base.ts'

export function block(e: Emitter, ir: BlockIr): string {
  return ir.statements.map((statement) => statementCode(e, statement)).join('')
}

const TURN = (at: number) => `if(--b<=0){p=${at};R.loopExhausted()}`

function statementCode(e: Emitter, node: StatementIr): string {
  switch (node.op) {
    case 'expression':
      return `${expression(e, node.value)};`
    case 'declare':
      return node.variables
        .map(({ variable, value }) => {
          const code = value === undefined ? defaultValue(variable.type) : expression(e, value)
          return `let ${nameOf(variable)}=${code};`
        })
        .join('')
    case 'return':
      if (e.inBlock && !e.nested)
        return node.value === undefined ? 'continue L;' : `{O[i]=${expression(e, node.value)};continue L;}`
      return node.value === undefined ? 'return;' : `return ${expression(e, node.value)};`
    case 'throw':
      return `throw R.thrown(${expression(e, node.value)});`
    case 'break':
      return 'break;'
    case 'continue':
      return 'continue;'
    case 'if': {
      const otherwise = node.whenFalse === undefined ? '' : `else{${block(e, node.whenFalse)}}`
      return `if(${expression(e, node.condition)}){${block(e, node.whenTrue)}}${otherwise}`
    }
    case 'try':
      return tryCode(e, node)
    default:
      e.loops = true
      return loopCode(e, node)
  }
}

type Loop = Extract<StatementIr, { op: 'while' | 'do' | 'for' | 'each' }>

function loopCode(e: Emitter, node: Loop): string {
  switch (node.op) {
    case 'while':
      return `while(${conditionCode(e, node.condition)}){${TURN(node.at)}${bodyCode(e, node.body)}}`
    case 'do':
      return `do{${TURN(node.at)}${bodyCode(e, node.body)}}while(${conditionCode(e, node.condition)});`
    case 'for': {
      const initializer = node.initializer === undefined ? '' : statementCode(e, node.initializer)
      const condition = conditionCode(e, node.condition)
      const afterthought = node.afterthought === undefined ? '' : expression(e, node.afterthought)
      // The variables of the head are declared outside of the loop. A JavaScript `for` would copy them in every
      // iteration.
      return `{${initializer}for(;${condition};${afterthought}){${TURN(node.at)}${bodyCode(e, node.body)}}}`
    }
    case 'each':
      return eachCode(e, node)
  }
}

const conditionCode = (e: Emitter, condition: Ir | undefined) =>
  condition === undefined ? 'true' : expression(e, condition)

const bodyCode = (e: Emitter, body: BlockIr | undefined) => (body === undefined ? '' : block(e, body))

function eachCode(e: Emitter, node: Extract<StatementIr, { op: 'each' }>): string {
  const iterator = e.temporary()
  const position = e.temporary()
  const name = nameOf(node.variable)
  const array = node.iterable.type.endsWith('[]')
  const { from } = node.elementCast
  const start = array ? 'R.arrayIterator' : 'R.iteratorOf'
  const item = convert(`${iterator}.next_0()`, from, node.variable.type, true)
  return (
    `${iterator}=${start}(${expression(e, node.iterable)});${position}=p;` +
    `while((p=${position},${iterator}.hasNext_0())){${TURN(node.at)}p=${position};let ${name}=${item};${block(e, node.body)}}`
  )
}

function tryCode(e: Emitter, node: Extract<StatementIr, { op: 'try' }>): string {
  const arms = node.catches.map(({ type, variable, body }, i) => {
    const code = body === undefined ? '' : block(e, body)
    return `${i === 0 ? '' : 'else '}if(R.catches(x,${literal(type)})){let ${nameOf(variable)}=x;${code}}`
  })
  return `try{${block(e, node.body)}}catch(x){x=R.locate(x,p);${arms.join('')}else throw x;}`
}
