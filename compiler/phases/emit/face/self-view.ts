/**
 * Base Liquid's `self`, the variables that a template sees as a value. A function that reads it shows its variables through getters,
 * which see them as they are: those of the frame are declared at the function's top, those of loops are kept there while a loop runs.
 */
import {
  assign,
  binary,
  choice,
  type Code,
  constant,
  getter,
  ident,
  member,
  method,
  object,
  run,
  type Statement,
  typeNamed,
  UNDEFINED,
  variable,
} from '../../../core/model/code.ts'
import type { Imports } from '../imports.ts'
import { type Names, variableKey } from '../names.ts'

export class SelfView {
  readonly #names: Names
  readonly #js: string
  /** Where variables of loops are kept, by their names, the innermost last. */
  readonly #kept = new Map<string, Code[]>()
  readonly #declared: Statement[] = []

  constructor(names: Names) {
    this.#names = names
    this.#js = names.fresh('view')
  }

  /** `self`. */
  get self(): Code {
    return member(ident(this.#js), 'self')
  }

  /** Keeps the value of a loop's variable; gives what does so, and what ends it. */
  keep(name: string, value: Code): { readonly begin: Statement; readonly end: Statement } {
    const js = this.#names.fresh(`${name}Seen`)
    const kept = ident(js)
    this.#declared.push(variable(js, UNDEFINED, null, typeNamed('unknown')))
    this.#kept.set(name, [...(this.#kept.get(name) ?? []), kept])
    return { begin: assign(kept, value), end: assign(kept, UNDEFINED) }
  }

  /** What the function's head declares, behind the variables of the frame. */
  head(
    frame: ReadonlyMap<string, Code>,
    registers: Code,
    carrier: readonly Code[],
    imports: Imports,
  ): readonly Statement[] {
    const names = [...new Set([...frame.keys(), ...this.#kept.keys()])]
    const shown = names.map((name) =>
      getter(
        variableKey(name),
        (this.#kept.get(name) ?? []).reduce(
          (behind, kept) => choice(binary(kept, '===', UNDEFINED), behind, kept),
          frame.get(name) ?? UNDEFINED,
        ),
      ),
    )
    const js = this.#names.fresh('visible')
    const view = method(registers, 'view', ident('r'), ident(js), ...carrier)
    return [...this.#declared, constant(js, object(shown), null, imports.type('Scope')), constant(this.#js, view)]
  }

  /** Behind a call that shows variables of its own. */
  again(registers: Code): Statement {
    return run(method(registers, 'show', ident(this.#js)))
  }
}
