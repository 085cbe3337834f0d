/** How a function declares its variables: with the types of what they are given, as a whole, by their fields, or as both. */
import {
  type Code,
  constant,
  declare,
  ident,
  invoke,
  type Statement,
  type TypeCode,
  typed,
} from '../../../core/model/code.ts'
import { FIELDS_VALUE, withoutNil, type ValueType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Imports } from '../imports.ts'
import type { Names } from '../names.ts'
import { typeCodeOf, valueOf } from '../value-types.ts'
import type { FaceInput } from './input.ts'
import { oldKeys } from './old-names.ts'
import type { VariableUse } from './variable-uses.ts'

/** A variable of the function. */
export interface Local {
  readonly code: Code
  /** The code of what may be read from it by its fields, where that stands in a constant. */
  readonly fields: Code | null
  /** It keeps nothing but what may be read from its values by fields. */
  readonly isFields: boolean
}

/** A variable to be declared. */
export interface Declaration {
  readonly name: string
  readonly how: 'const' | 'let'
  readonly value: Code
  /** Of all values that it is given. */
  readonly type: ValueType
  /** How it is read, where that is known. */
  readonly use: VariableUse | undefined
  readonly span: Span | null
  /** A loop's own, which hides what the name means around it. */
  readonly inLoop?: true
}

export class Locals {
  readonly #input: FaceInput
  readonly #names: Names

  constructor(input: FaceInput, names: Names) {
    this.#input = input
    this.#names = names
  }

  /** Declares a variable as it is used. Its statements go to `statements`. */
  declare({ name, how, value, type, use, span, inLoop }: Declaration, statements: Statement[]): Local {
    const { imports, face } = this.#input
    const js = this.#names.fresh(name)
    if (how === 'const' && isInferred(value) && withoutNil(valueOf(value)).kind === 'record') {
      statements.push(declare(how, js, value, span))
      const code = typed(ident(js), valueOf(value))
      return { code, fields: code, isFields: false }
    }
    const byFields =
      use !== undefined && face !== 'shared' && use.fieldReads > 0 && (inLoop === true || !this.#isOld(name))
    if (byFields && use.wholeReads === 0) {
      const annotation = how === 'let' || value.kind === 'object' ? this.#typeOf(FIELDS_VALUE) : null
      statements.push(declare(how, js, asFields(imports, value), span, annotation))
      const code = typed(ident(js), FIELDS_VALUE)
      return { code, fields: code, isFields: true }
    }
    const inferred = how === 'const' && isInferred(value)
    statements.push(declare(how, js, value, span, inferred ? null : this.#typeOf(type)))
    const code = typed(ident(js), type)
    if (type.kind === 'fields') return { code, fields: code, isFields: false }
    const besides = byFields && use.fieldReads > 1 && how === 'const'
    return { code, fields: besides ? this.#besides(name, code, statements) : null, isFields: false }
  }

  /** A parameter of the function. */
  parameter(name: string, js: string, type: ValueType, use: VariableUse | undefined, statements: Statement[]): Local {
    const code = typed(ident(js), type)
    if (type.kind === 'fields') return { code, fields: code, isFields: false }
    const { fieldReads, wholeReads } = use ?? { fieldReads: 0, wholeReads: 0 }
    const besides = !this.#isOld(name) && (fieldReads > 1 || (fieldReads > 0 && wholeReads === 0))
    return { code, fields: besides ? this.#besides(name, code, statements) : null, isFields: false }
  }

  /** Keeps a value in a constant, called like `hint`. */
  constant(hint: string, value: Code, span: Span, statements: Statement[]): Code {
    const js = this.#names.fresh(hint)
    const type = valueOf(value)
    statements.push(declare('const', js, value, span, isInferred(value) ? null : this.#typeOf(type)))
    return typed(ident(js), type)
  }

  /** A constant with what may be read from a value by its fields, beside the variable that keeps the value. */
  #besides(name: string, value: Code, statements: Statement[]): Code {
    const js = this.#names.fresh(`${name}Fields`)
    statements.push(constant(js, asFields(this.#input.imports, value)))
    return typed(ident(js), FIELDS_VALUE)
  }

  #isOld(name: string): boolean {
    return oldKeys(this.#input, name) !== null
  }

  #typeOf(type: ValueType): TypeCode {
    return typeCodeOf(type, (runtime) => this.#input.imports.type(runtime))
  }
}

/** The code that reads a variable. `field`: only one of its fields is read. */
export function readOf({ code, fields }: Local, field: boolean): Code {
  return field && fields !== null ? fields : code
}

/** What may be read from a value by its fields. */
export function asFields(imports: Imports, value: Code): Code {
  const { kind } = valueOf(value)
  return kind === 'fields' || kind === 'record' ? value : typed(invoke(imports.use('fields'), value), FIELDS_VALUE)
}

/** Whether TypeScript finds the type of a constant by itself. Of a literal it would take the value for the type. */
function isInferred(value: Code): boolean {
  return !LITERALS.has(value.kind) && valueOf(value).kind !== 'unknown'
}

const LITERALS: ReadonlySet<Code['kind']> = new Set([
  ...(['null', 'undefined', 'string', 'number', 'boolean', 'list', 'object'] as const),
])
