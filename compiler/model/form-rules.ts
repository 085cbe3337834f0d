/** The validations that a form's fields can have, as the running site knows them. */
import { validatorOptions } from '../../runtime/forms/validators/index.ts'

/** Options by the names of the validations; what each option takes. */
export const RULES = validatorOptions

export const RULE_NAMES: readonly string[] = Object.keys(validatorOptions)
