/** The parts of expressions and statements in emitted code. */
import type { Branch, Code, Statement } from '../../core/model/code.ts'

/** Returns the expressions that an expression consists of. The body of a function and the target of an assignment are not part of it. */
export function partsOf(code: Code): readonly Code[] {
  switch (code.kind) {
    case 'template':
      return code.parts.filter((part) => typeof part !== 'string')
    case 'list':
      return code.items
    case 'object':
      return code.entries.map(({ value }) => value)
    case 'member':
      return [code.object]
    case 'element':
      return [code.object, code.index]
    case 'call':
    case 'new':
      return [code.callee, ...code.arguments]
    case 'spread':
    case 'not':
    case 'await':
      return [code.value]
    case 'assign':
      return [code.value]
    case 'binary':
      return [code.left, code.right]
    case 'choice':
      return [code.test, code.yes, code.no]
    case 'increment':
      return [code.target]
    default:
      return []
  }
}

/** Returns the expressions of a statement, without those in the statements in it. */
export function codesOf(statement: Statement): readonly Code[] {
  switch (statement.kind) {
    case 'run':
      return [statement.code]
    case 'declare':
      return statement.variables.flatMap(({ value }) => value ?? [])
    case 'take':
      return [statement.from]
    case 'return':
      return statement.value === null ? [] : [statement.value]
    case 'if':
      return statement.branches.flatMap(({ test }) => test ?? [])
    case 'for':
      return [...statement.variables.flatMap(({ value }) => value ?? []), statement.test, statement.step]
    case 'for-of':
      return [statement.iterable]
    default:
      return []
  }
}

/** Returns the statement with other statements in it. */
export function mapBodies(statement: Statement, map: (body: readonly Statement[]) => readonly Statement[]): Statement {
  switch (statement.kind) {
    case 'if':
      return {
        ...statement,
        branches: statement.branches.map((each) => ({ ...each, body: map(branchStatements(each.body)) })),
      }
    case 'for':
    case 'for-of':
    case 'label':
    case 'function':
      return { ...statement, body: map(statement.body) }
    case 'try': {
      const { body, handler, last } = statement
      return {
        ...statement,
        body: map(body),
        handler: { ...handler, body: map(handler.body) },
        last: last && { ...last, body: map(last.body) },
      }
    }
    default:
      return statement
  }
}

/** Returns the body of a branch as a list. */
export function branchStatements(body: Branch['body']): readonly Statement[] {
  return 'kind' in body ? [body] : body
}
