/**
 * What TypeScript makes of comparisons with literals. Behind `a === 'x'` it takes `a` for that one text, and refuses to compare it
 * with another one, although a template may ask so: `if a == 'x' and a == 'y'` is never true, and nothing is wrong with it.
 */
import type { BinaryOperator, Branch, Code, Statement } from '../../../core/model/code.ts'

/** The literals that a value may be, by the path that it is read by. */
type Literals = ReadonlyMap<string, ReadonlySet<string>>

const NONE: Literals = new Map()
const NO_PATHS: ReadonlySet<string> = new Set()

/** The comparisons of one function with literals: which of them TypeScript would refuse is known when the whole function is. */
export class Comparisons {
  readonly #refused: ReadonlySet<string>
  /** The first literal that each path is compared with. */
  readonly #firsts = new Map<string, string>()
  /** Only a path that is compared with two literals can be refused. */
  #comparesSeveral = false

  /** @param refused what `refusedIn` gave for the function's earlier writing. */
  constructor(refused: ReadonlySet<string> = NO_PATHS) {
    this.#refused = refused
  }

  /** Notes a comparison, and tells whether it may be written as `===`. */
  take(one: Code, other: Code): boolean {
    const path = comparedPath(one) ?? comparedPath(other)
    const literal = comparedLiteral(other) ?? comparedLiteral(one)
    if (path === null || literal === null) return true
    if (this.#refused.has(path)) return false
    const first = this.#firsts.get(path)
    if (first === undefined) this.#firsts.set(path, literal)
    else if (first !== literal) this.#comparesSeveral = true
    return true
  }

  /** Paths that the function's statements compare with a literal which TypeScript knows that they are not. */
  refusedIn(statements: readonly Statement[]): ReadonlySet<string> {
    if (!this.#comparesSeveral) return NO_PATHS
    const found = new Set<string>()
    new Narrowing(found).statements(statements, NONE)
    return found
  }
}

/** The path of a variable, or of its part: `a`, `a.b`; null for what TypeScript does not follow. */
function comparedPath(code: Code): string | null {
  if (code.kind === 'name') return code.name
  if (code.kind !== 'member') return null
  const path = comparedPath(code.object)
  return path === null ? null : `${path}.${code.name}`
}

/** A literal as a text that no other one has; null for other code. */
function comparedLiteral(code: Code): string | null {
  if (code.kind === 'string') return JSON.stringify(code.value)
  return code.kind === 'number' ? String(code.value) : null
}

/**
 * Follows what is known of the paths through a function. More may be taken for known than TypeScript does: what is compared in
 * another way than needed is compared rightly all the same.
 */
class Narrowing {
  readonly #found: Set<string>

  constructor(found: Set<string>) {
    this.#found = found
  }

  statements(list: readonly Statement[], known: Literals): void {
    let now = known
    for (const each of list) now = this.#statement(each, now)
  }

  /** Gives what is known behind it. */
  #statement(statement: Statement, known: Literals): Literals {
    switch (statement.kind) {
      case 'run':
        this.#code(statement.code, known)
        return statement.code.kind === 'assign' ? without(known, statement.code.target) : known
      case 'declare':
        for (const { value } of statement.variables) if (value !== undefined) this.#code(value, known)
        return known
      case 'take':
        this.#code(statement.from, known)
        return known
      case 'return':
        if (statement.value !== null) this.#code(statement.value, known)
        return known
      case 'for':
        for (const part of [statement.test, statement.step]) this.#code(part, known)
        this.statements(statement.body, known)
        return known
      case 'for-of':
        this.#code(statement.of, known)
        this.statements(statement.body, known)
        return known
      case 'label':
      case 'function':
        this.statements(statement.body, known)
        return known
      case 'try':
        this.statements(statement.body, known)
        this.statements(statement.handler.body, known)
        if (statement.last !== null) this.statements(statement.last.body, known)
        return known
      case 'if':
        return this.#branches(statement.branches, known)
      default:
        return known
    }
  }

  #branches(branches: readonly Branch[], known: Literals): Literals {
    let before = known
    let behind = known
    for (const { test, body } of branches) {
      const list = isList(body) ? body : [body]
      let within = before
      if (test !== null) {
        this.#code(test, before)
        within = both(before, factsOf(test, true))
        before = both(before, factsOf(test, false))
      }
      this.statements(list, within)
      const last = list.at(-1)?.kind
      // What follows runs where the branch did not.
      if (last === 'return' || last === 'break' || last === 'continue') behind = both(behind, before)
    }
    return behind
  }

  #code(code: Code, known: Literals): void {
    switch (code.kind) {
      case 'binary':
        this.#code(code.left, known)
        if (code.operator === '&&') return this.#code(code.right, both(known, factsOf(code.left, true)))
        if (code.operator === '||') return this.#code(code.right, both(known, factsOf(code.left, false)))
        this.#code(code.right, known)
        return this.#comparison(code.operator, code.left, code.right, known)
      case 'choice':
        this.#code(code.test, known)
        this.#code(code.yes, both(known, factsOf(code.test, true)))
        return this.#code(code.no, both(known, factsOf(code.test, false)))
      case 'arrow':
        if (isList(code.body)) return this.statements(code.body, known)
        return this.#code(code.body, known)
      default:
        for (const part of partsOf(code)) this.#code(part, known)
    }
  }

  #comparison(operator: BinaryOperator, left: Code, right: Code, known: Literals): void {
    if (operator !== '===' && operator !== '!==') return
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const path = comparedPath(one)
      const literal = comparedLiteral(other)
      const literals = path === null ? undefined : known.get(path)
      if (path !== null && literal !== null && literals !== undefined && !literals.has(literal)) this.#found.add(path)
    }
  }
}

/** What is known where a condition holds, or where it does not. */
function factsOf(code: Code, holds: boolean): Literals {
  if (code.kind === 'not') return factsOf(code.value, !holds)
  if (code.kind !== 'binary') return NONE
  const { operator, left, right } = code
  if (operator === '&&' || operator === '||') {
    const [one, other] = [factsOf(left, holds), factsOf(right, holds)]
    return both(one, other)
  }
  if (operator !== (holds ? '===' : '!==')) return NONE
  const path = comparedPath(left) ?? comparedPath(right)
  const literal = comparedLiteral(right) ?? comparedLiteral(left)
  return path === null || literal === null ? NONE : new Map([[path, new Set([literal])]])
}

function both(one: Literals, other: Literals): Literals {
  if (other.size === 0) return one
  if (one.size === 0) return other
  const joined = new Map(one)
  for (const [path, literals] of other) joined.set(path, new Set([...(one.get(path) ?? []), ...literals]))
  return joined
}

/** Without what is known of a variable that is set anew, and of its parts. */
function without(known: Literals, target: Code): Literals {
  const path = comparedPath(target)
  if (path === null || known.size === 0) return known
  return new Map([...known].filter(([each]) => each !== path && !each.startsWith(`${path}.`)))
}

function partsOf(code: Code): readonly Code[] {
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
    default:
      return []
  }
}

function isList(body: readonly Statement[] | Statement | Code): body is readonly Statement[] {
  return Array.isArray(body)
}
