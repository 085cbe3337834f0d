/**
 * Removes what a function does not use: variables that nothing reads, and parameters. An emitter learns that a variable is not used only after
 * it has emitted the whole function.
 */
import { type Code, type FunctionStatement, type Parameter, run, type Statement } from '../../core/model/code.ts'
import { codesOf, mapBodies, partsOf } from './code-parts.ts'

/** Maximum number of rounds. In each round, values become unused that only variables of the round before have read. */
const MAX_ROUNDS = 50

/** Returns the function without unused variables and parameters. */
export function withoutUnused(statement: FunctionStatement): FunctionStatement {
  let { body } = statement
  let reads = readsOf(statement.parameters, body)
  for (let round = 0; round < MAX_ROUNDS && reads.unused.size > 0; round++) {
    body = new Pruning(reads.unused).statements(body)
    reads = readsOf(statement.parameters, body)
  }
  return { ...statement, parameters: usedParameters(statement.parameters, reads), body }
}

function readsOf(parameters: readonly Parameter[], body: readonly Statement[]): Reads {
  const reads = new Reads(body)
  for (const { name, ifUnused } of parameters)
    if (ifUnused !== undefined && reads.assigned.has(name)) reads.declared.add(name)
  return reads
}

function usedParameters(parameters: readonly Parameter[], reads: Reads): readonly Parameter[] {
  const isUnused = ({ name, ifUnused }: Parameter) => ifUnused !== undefined && !reads.names.has(name)
  const last = parameters.findLastIndex((each) => !isUnused(each) || each.ifUnused !== 'nothing')
  return parameters.slice(0, last + 1).map((each) => (isUnused(each) ? { ...each, name: `_${each.name}` } : each))
}

/** The names that statements declare and read. */
class Reads {
  readonly names = new Set<string>()
  readonly declared = new Set<string>()
  /** The names that are set after their declaration. */
  readonly assigned = new Set<string>()

  constructor(body: readonly Statement[]) {
    this.#statements(body)
  }

  get unused(): ReadonlySet<string> {
    return new Set([...this.declared].filter((name) => !this.names.has(name)))
  }

  #statements(list: readonly Statement[]): void {
    for (const each of list) this.#statement(each)
  }

  #statement(statement: Statement): void {
    if (statement.kind === 'declare') for (const { name } of statement.variables) this.declared.add(name)
    if (statement.kind === 'for-of' && !statement.name.startsWith('_')) this.declared.add(statement.name)
    for (const code of codesOf(statement)) this.#code(code)
    mapBodies(statement, (body) => {
      this.#statements(body)
      return body
    })
  }

  #code(code: Code): void {
    if (code.kind === 'name') this.names.add(code.name)
    else if (code.kind === 'arrow') {
      if ('kind' in code.body) this.#code(code.body)
      else this.#statements(code.body)
    } else {
      // A plain assignment does not read its target.
      if (code.kind === 'assign') {
        if (code.target.kind === 'name') this.assigned.add(code.target.name)
        else this.#code(code.target)
      }
      for (const part of partsOf(code)) this.#code(part)
    }
  }
}

/** Removes the declarations and assignments of variables that nothing reads. Values with effects stay. */
class Pruning {
  readonly #unused: ReadonlySet<string>

  constructor(unused: ReadonlySet<string>) {
    this.#unused = unused
  }

  statements(list: readonly Statement[]): readonly Statement[] {
    return list.flatMap((each) => this.#statement(each))
  }

  #statement(statement: Statement): readonly Statement[] {
    if (statement.kind === 'run') {
      const { code, span } = statement
      if (code.kind === 'assign' && code.target.kind === 'name' && this.#unused.has(code.target.name))
        return effectsOf(code.value, span)
      return [{ ...statement, code: this.#code(code) }]
    }
    if (statement.kind === 'declare') {
      const [variable] = statement.variables
      if (variable === undefined || !this.#unused.has(variable.name))
        return [{ ...statement, variables: statement.variables.map((each) => this.#variable(each)) }]
      return variable.value === undefined ? [] : effectsOf(this.#code(variable.value), statement.span)
    }
    const mapped = mapBodies(statement, (body) => this.statements(body))
    const isUnused = mapped.kind === 'for-of' && this.#unused.has(mapped.name)
    return [isUnused ? { ...mapped, name: `_${mapped.name}` } : mapped]
  }

  #variable<Each extends { readonly value?: Code }>(variable: Each): Each {
    return variable.value === undefined ? variable : { ...variable, value: this.#code(variable.value) }
  }

  /** Functions within the function are values of variables, or arguments. */
  #code(code: Code): Code {
    if (code.kind !== 'arrow' || 'kind' in code.body) return code
    return { ...code, body: this.statements(code.body) }
  }
}

/** Returns the statement that evaluates a value; none if that has no effect. */
function effectsOf(value: Code, span: Extract<Statement, { kind: 'run' }>['span']): readonly Statement[] {
  return hasEffects(value) ? [run(value, span)] : []
}

function hasEffects(code: Code): boolean {
  if (code.kind === 'call' && code.callee.kind === 'name' && code.callee.name === 'fields')
    return code.arguments.some(hasEffects)
  if (code.kind === 'call' || code.kind === 'new' || code.kind === 'increment' || code.kind === 'assign') return true
  return code.kind !== 'arrow' && partsOf(code).some(hasEffects)
}
