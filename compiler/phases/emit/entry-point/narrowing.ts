/**
 * Finds comparisons with literals that TypeScript rejects. After `a === 'x'`, TypeScript narrows `a` to this text, and rejects a comparison
 * with another text. In a template, `if a == 'x' and a == 'y'` is valid, although it is never true.
 */
import type { BinaryOperator, Branch, Code, Statement } from '../../../core/model/code.ts'
import { branchStatements, codesOf, mapBodies, partsOf } from '../code-parts.ts'

/** The possible literals of a value, by the path that it is read by. */
type Literals = ReadonlyMap<string, ReadonlySet<string>>

const NONE: Literals = new Map()
const NO_PATHS: ReadonlySet<string> = new Set()

/**
 * Records the comparisons of one function with literals. The comparisons that TypeScript rejects are known only after the whole function is
 * emitted.
 */
export class Comparisons {
  readonly #refusedPaths: ReadonlySet<string>
  /** The first literal that each path is compared with. */
  readonly #firstLiterals = new Map<string, string>()
  /** Whether a path is compared with two literals. Otherwise, no comparison is rejected. */
  #comparesSeveral = false

  /** @param refusedPaths the result of `findRefusedPaths` for an earlier pass over the function */
  constructor(refusedPaths: ReadonlySet<string> = NO_PATHS) {
    this.#refusedPaths = refusedPaths
  }

  /** Records a comparison, and returns whether it may be emitted as `===`. */
  record(one: Code, other: Code): boolean {
    const path = comparedPath(one) ?? comparedPath(other)
    const literal = comparedLiteral(other) ?? comparedLiteral(one)
    if (path === null || literal === null) return true
    if (this.#refusedPaths.has(path)) return false
    const first = this.#firstLiterals.get(path)
    if (first === undefined) this.#firstLiterals.set(path, literal)
    else if (first !== literal) this.#comparesSeveral = true
    return true
  }

  /** Returns the paths that are compared with a literal which TypeScript has already ruled out. */
  findRefusedPaths(statements: readonly Statement[]): ReadonlySet<string> {
    if (!this.#comparesSeveral) return NO_PATHS
    const refusedPaths = new Set<string>()
    new Narrowing(refusedPaths).statements(statements, NONE)
    return refusedPaths
  }
}

/** Returns the path of a variable or of one of its fields (`a`, `a.b`); null for code that TypeScript does not narrow. */
function comparedPath(code: Code): string | null {
  if (code.kind === 'name') return code.name
  if (code.kind !== 'member') return null
  const path = comparedPath(code.object)
  return path === null ? null : `${path}.${code.name}`
}

/** Returns a literal as a unique text; null for other code. */
function comparedLiteral(code: Code): string | null {
  if (code.kind === 'string') return JSON.stringify(code.value)
  return code.kind === 'number' ? String(code.value) : null
}

/**
 * Tracks the narrowing of paths through a function. It may narrow more than TypeScript, because an unnecessary change of the comparison
 * does not affect the result.
 */
class Narrowing {
  readonly #refusedPaths: Set<string>

  constructor(refusedPaths: Set<string>) {
    this.#refusedPaths = refusedPaths
  }

  statements(list: readonly Statement[], knownLiterals: Literals): void {
    let current = knownLiterals
    for (const each of list) current = this.#statement(each, current)
  }

  /** Returns the known literals after the statement. */
  #statement(statement: Statement, knownLiterals: Literals): Literals {
    if (statement.kind === 'if') return this.#branches(statement.branches, knownLiterals)
    for (const code of codesOf(statement)) this.#code(code, knownLiterals)
    mapBodies(statement, (body) => {
      this.statements(body, knownLiterals)
      return body
    })
    return statement.kind === 'run' && statement.code.kind === 'assign'
      ? withoutPath(knownLiterals, statement.code.target)
      : knownLiterals
  }

  #branches(branches: readonly Branch[], knownLiterals: Literals): Literals {
    let remaining = knownLiterals
    let after = knownLiterals
    for (const { test, body } of branches) {
      const statements = branchStatements(body)
      let within = remaining
      if (test !== null) {
        this.#code(test, remaining)
        within = joinLiterals(remaining, factsOf(test, true))
        remaining = joinLiterals(remaining, factsOf(test, false))
      }
      this.statements(statements, within)
      const last = statements.at(-1)?.kind
      // The code after the statement only runs if this branch did not.
      if (last === 'return' || last === 'break' || last === 'continue') after = joinLiterals(after, remaining)
    }
    return after
  }

  #code(code: Code, knownLiterals: Literals): void {
    switch (code.kind) {
      case 'binary':
        this.#code(code.left, knownLiterals)
        if (code.operator === '&&') return this.#code(code.right, joinLiterals(knownLiterals, factsOf(code.left, true)))
        if (code.operator === '||')
          return this.#code(code.right, joinLiterals(knownLiterals, factsOf(code.left, false)))
        this.#code(code.right, knownLiterals)
        return this.#comparison(code.operator, code.left, code.right, knownLiterals)
      case 'choice':
        this.#code(code.test, knownLiterals)
        this.#code(code.yes, joinLiterals(knownLiterals, factsOf(code.test, true)))
        return this.#code(code.no, joinLiterals(knownLiterals, factsOf(code.test, false)))
      case 'arrow':
        if ('kind' in code.body) return this.#code(code.body, knownLiterals)
        return this.statements(code.body, knownLiterals)
      default:
        for (const part of partsOf(code)) this.#code(part, knownLiterals)
    }
  }

  #comparison(operator: BinaryOperator, left: Code, right: Code, knownLiterals: Literals): void {
    if (operator !== '===' && operator !== '!==') return
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const path = comparedPath(one)
      const literal = comparedLiteral(other)
      const literals = path === null ? undefined : knownLiterals.get(path)
      if (path !== null && literal !== null && literals !== undefined && !literals.has(literal))
        this.#refusedPaths.add(path)
    }
  }
}

/** Returns the known literals if a condition is true (`holds`) or false. */
function factsOf(code: Code, holds: boolean): Literals {
  if (code.kind === 'not') return factsOf(code.value, !holds)
  if (code.kind !== 'binary') return NONE
  const { operator, left, right } = code
  if (operator === '&&' || operator === '||') {
    const [one, other] = [factsOf(left, holds), factsOf(right, holds)]
    return joinLiterals(one, other)
  }
  if (operator !== (holds ? '===' : '!==')) return NONE
  const path = comparedPath(left) ?? comparedPath(right)
  const literal = comparedLiteral(right) ?? comparedLiteral(left)
  return path === null || literal === null ? NONE : new Map([[path, new Set([literal])]])
}

function joinLiterals(one: Literals, other: Literals): Literals {
  if (other.size === 0) return one
  if (one.size === 0) return other
  const joined = new Map(one)
  for (const [path, literals] of other) joined.set(path, new Set([...(one.get(path) ?? []), ...literals]))
  return joined
}

/** Returns the literals without those of an assigned variable and its fields. */
function withoutPath(knownLiterals: Literals, target: Code): Literals {
  const path = comparedPath(target)
  if (path === null || knownLiterals.size === 0) return knownLiterals
  return new Map([...knownLiterals].filter(([each]) => each !== path && !each.startsWith(`${path}.`)))
}
