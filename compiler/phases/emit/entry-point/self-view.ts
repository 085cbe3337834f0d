/**
 * Base Liquid's `self`: the visible variables of a template as a value. A function that reads it provides its variables through getters,
 * which return the current values. Variables of the frame are declared at the start of the function. Each loop variable is copied to a
 * local at the start of the function, which is valid while the loop runs.
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
  /** The locals for loop variables, by name, with the innermost loop last. */
  readonly #loopValues = new Map<string, Code[]>()
  readonly #declarations: Statement[] = []

  constructor(names: Names) {
    this.#names = names
    this.#js = names.fresh('view')
  }

  /** The code of `self`. */
  get self(): Code {
    return member(ident(this.#js), 'self')
  }

  /** Declares a local for a loop variable. Returns the statements that set and reset it. */
  keep(name: string, value: Code): { readonly begin: Statement; readonly end: Statement } {
    const js = this.#names.fresh(`${name}Seen`)
    const loopValue = ident(js)
    this.#declarations.push(variable(js, UNDEFINED, null, typeNamed('unknown')))
    this.#loopValues.set(name, [...(this.#loopValues.get(name) ?? []), loopValue])
    return { begin: assign(loopValue, value), end: assign(loopValue, UNDEFINED) }
  }

  /** Returns the declarations for the start of the function, after the variables of the frame. */
  head(
    frame: ReadonlyMap<string, Code>,
    registers: Code,
    carrier: readonly Code[],
    imports: Imports,
  ): readonly Statement[] {
    const names = [...new Set([...frame.keys(), ...this.#loopValues.keys()])]
    const getters = names.map((name) =>
      getter(
        variableKey(name),
        (this.#loopValues.get(name) ?? []).reduce(
          (fallback, loopValue) => choice(binary(loopValue, '===', UNDEFINED), fallback, loopValue),
          frame.get(name) ?? UNDEFINED,
        ),
      ),
    )
    const shown = this.#names.fresh('visible')
    const view = method(registers, 'view', ident('r'), ident(shown), ...carrier)
    return [
      ...this.#declarations,
      constant(shown, object(getters), null, imports.type('Scope')),
      constant(this.#js, view),
    ]
  }

  /** Returns the statement that restores this view after a call of a function that sets its own view. */
  showAgain(registers: Code): Statement {
    return run(method(registers, 'show', ident(this.#js)))
  }
}
