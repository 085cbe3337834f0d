/** The validations by name, with their options, which the compiler checks. */
import * as registry from './validators/index.ts'
import type { OptionDef, Validator } from './validators/validator.ts'

/** The validators by every name that configurations may use, including old names. */
export const validators: ReadonlyMap<string, Validator> = new Map(Object.entries(registry))

/** The options of each kind, in addition to the common ones: `message`, `if`, `allow_nil`, `allow_blank` and `on`. */
export const validatorOptions: Readonly<Record<string, Readonly<Record<string, OptionDef>>>> = Object.fromEntries(
  Array.from(validators, ([kind, validator]) => [kind, validator.options]),
)
