/** The validations by name, and the options of each kind, which the compiler checks configurations against. */
import * as registry from './validators/index.ts'
import type { OptionDef, Validator } from './validators/validator.ts'

/** By every name that a configuration may use. */
export const validators: ReadonlyMap<string, Validator> = new Map(Object.entries(registry))

/** The options of each kind, beside `message`, `if`, `allow_nil`, `allow_blank` and `on`, which all have. */
export const validatorOptions: Readonly<Record<string, Readonly<Record<string, OptionDef>>>> = Object.fromEntries(
  Array.from(validators, ([kind, validator]) => [kind, validator.options]),
)
