/** Declares the variables of a function with the types of their values: as a whole, by their fields, or as both. */
import {
  type Code,
  constant,
  declare,
  ident,
  invoke,
  type Statement,
  type TypeCode,
  typed,
  typeList,
  typeNamed,
} from '../../../core/model/code.ts'
import { FIELDS_VALUE, withoutNil, type ValueType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Imports } from '../imports.ts'
import type { Names } from '../names.ts'
import { partsOf } from '../code-parts.ts'
import { typeCodeOf, valueOf } from '../value-types.ts'
import type { Draft } from './draft.ts'
import type { EntryPointInput } from './input.ts'
import { oldKeys } from './old-names.ts'
import type { VariableUse } from './variable-uses.ts'

/** A variable of the function. */
export interface Local {
  readonly code: Code
  /** The code that reads the variable's fields, if a separate constant contains them. */
  readonly fields: Code | null
  /** Whether the local stores only the readable fields of its values. */
  readonly isFields: boolean
}

/** A variable to declare. */
export interface Declaration {
  readonly name: string
  readonly keyword: 'const' | 'let'
  readonly value: Code
  /** The joined type of all values of the variable. */
  readonly type: ValueType
  /** How the variable is used, if known. */
  readonly use: VariableUse | undefined
  readonly span: Span | null
  /** Whether this is a loop variable, which hides outer variables of the same name. */
  readonly inLoop?: true
}

export class Locals {
  readonly #input: EntryPointInput
  readonly #draft: Draft
  readonly #names: Names
  /** The variables and parameters that are set more than once, by their names in JavaScript. */
  readonly #changing = new Set<string>()

  constructor(input: EntryPointInput, draft: Draft, names: Names) {
    this.#input = input
    this.#draft = draft
    this.#names = names
  }

  /** Declares a variable in the form that suits its use. Appends its declaration to `statements`. */
  declare({ name, keyword, value, type, use, span, inLoop }: Declaration, statements: Statement[]): Local {
    const { imports, entryPoint } = this.#input
    // A captured text needs no second variable.
    if (keyword === 'const' && value.kind === 'name' && this.#draft.finalTexts.has(value.name))
      return { code: value, fields: null, isFields: false }
    const js = this.#names.fresh(name)
    if (keyword === 'let') this.#changing.add(js)
    if (keyword === 'const' && this.#isTypeInferred(value) && withoutNil(valueOf(value)).kind === 'record') {
      statements.push(declare(keyword, js, value, span))
      const code = typed(ident(js), valueOf(value))
      return { code, fields: code, isFields: false }
    }
    const isReadByFields =
      use !== undefined && entryPoint !== 'shared' && use.fieldReads > 0 && (inLoop === true || !this.#isOld(name))
    if (isReadByFields && use.wholeReads === 0) {
      const annotation = keyword === 'let' || value.kind === 'object' ? this.#typeOf(FIELDS_VALUE) : null
      statements.push(declare(keyword, js, asFields(imports, value), span, annotation))
      const code = typed(ident(js), FIELDS_VALUE)
      return { code, fields: code, isFields: true }
    }
    const hasInferredType = keyword === 'const' && this.#isTypeInferred(value)
    // The template may add to a list that it begins.
    const declared = keyword === 'const' && value.kind === 'list' ? MUTABLE_LIST : this.#typeOf(type)
    statements.push(declare(keyword, js, value, span, hasInferredType ? null : declared))
    const code = typed(ident(js), type)
    if (type.kind === 'fields') return { code, fields: code, isFields: false }
    const hasFieldsLocal = isReadByFields && use.fieldReads > 1 && keyword === 'const'
    return { code, fields: hasFieldsLocal ? this.#declareFields(name, code, statements) : null, isFields: false }
  }

  /** Returns a parameter of the function, and declares its fields if they are read often enough. */
  parameter(name: string, js: string, type: ValueType, use: VariableUse | undefined, statements: Statement[]): Local {
    const code = typed(ident(js), type)
    if (use === undefined) this.#changing.add(js)
    if (type.kind === 'fields') return { code, fields: code, isFields: false }
    const { fieldReads, wholeReads } = use ?? { fieldReads: 0, wholeReads: 0 }
    const hasFieldsLocal = !this.#isOld(name) && (fieldReads > 1 || (fieldReads > 0 && wholeReads === 0))
    return { code, fields: hasFieldsLocal ? this.#declareFields(name, code, statements) : null, isFields: false }
  }

  /** Stores a value in a constant with a name similar to `hint`. */
  constant(hint: string, value: Code, span: Span, statements: Statement[]): Code {
    const js = this.#names.fresh(hint)
    const type = valueOf(value)
    statements.push(declare('const', js, value, span, this.#isTypeInferred(value) ? null : this.#typeOf(type)))
    return typed(ident(js), type)
  }

  /** Declares a constant with the readable fields of a value, in addition to its variable. */
  #declareFields(name: string, value: Code, statements: Statement[]): Code {
    const js = this.#names.fresh(`${name}Fields`)
    statements.push(constant(js, asFields(this.#input.imports, value)))
    return typed(ident(js), FIELDS_VALUE)
  }

  /**
   * Returns whether TypeScript infers the right type for a constant. For a literal, it would infer the literal type. In a loop, it cannot
   * infer what depends on a variable that a later assignment narrows.
   */
  #isTypeInferred(value: Code): boolean {
    const type = valueOf(value)
    const isInferred = !LITERALS.has(value.kind) || (type.kind === 'list' && type.element !== undefined)
    return isInferred && !(this.#draft.loopDepth > 0 && this.#readsNarrowed(value))
  }

  #readsNarrowed(code: Code): boolean {
    if (code.kind === 'name') return this.#changing.has(code.name) && NARROWED.has(valueOf(code).kind)
    return partsOf(code).some((part) => this.#readsNarrowed(part))
  }

  #isOld(name: string): boolean {
    return oldKeys(this.#input, name) !== null
  }

  #typeOf(type: ValueType): TypeCode {
    return typeCodeOf(type, (runtime) => this.#input.imports.type(runtime))
  }
}

/** Returns the code that reads a variable. `field`: only one of its fields is read. */
export function readOf({ code, fields }: Local, field: boolean): Code {
  return field && fields !== null ? fields : code
}

/** Returns the code for reads of the fields of a value. */
export function asFields(imports: Imports, value: Code): Code {
  const { kind } = valueOf(value)
  return kind === 'fields' || kind === 'record' ? value : typed(invoke(imports.use('fields'), value), FIELDS_VALUE)
}

const LITERALS: ReadonlySet<Code['kind']> = new Set([
  ...(['null', 'undefined', 'string', 'number', 'boolean', 'list', 'object'] as const),
])

/** Kinds of types that TypeScript narrows to the type of the last assigned value. */
const NARROWED: ReadonlySet<ValueType['kind']> = new Set(['unknown', 'optional', 'integer', 'number'])

const MUTABLE_LIST = typeList(typeNamed('unknown'), true)
