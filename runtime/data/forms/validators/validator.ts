/** The contract of a validation: one kind a file, registered in `index.ts`. */
import type { FieldDef } from '../../../page/site.ts'
import type { ValidationProblem } from '../messages.ts'
import type { ValidationHost } from '../model.ts'

/** What an option holds. `date` is a time or a phrase that names one, `fields` a name or a list of names of fields. */
export type OptionKind = 'number' | 'boolean' | 'list' | 'regex' | 'date' | 'fields' | 'text'

export interface OptionDef {
  readonly takes: OptionKind
  /** What it does, in a sentence for the author of a form. */
  readonly says: string
}

/** One value under one rule. */
export interface Check {
  readonly field: FieldDef
  /** Of the field, from the form's root: `profiles.developer.properties.title`. */
  readonly path: string
  /** Where the field stands: its path without its name. */
  readonly prefix: string
  /** As configured, Liquid rendered. */
  readonly options: Readonly<Record<string, unknown>>
  readonly checking: ValidationHost
  /** The value of another field of the same resource, by name or as `properties.name`; null when there is none. */
  readonly beside: (name: string) => unknown
  /** The full path of another field of the same resource. */
  readonly pathOf: (name: string) => string
  /** Whether the value was sent now, or only stored before. */
  readonly sent: boolean
}

export type Problems = readonly ValidationProblem[]

export interface Validator {
  /** What it demands, in a sentence for the author of a form. */
  readonly says: string
  /** Its options beside those that every rule has, for the compiler. */
  readonly options: Readonly<Record<string, OptionDef>>
  /**
   * What is wrong with the value, as it was sent or is stored; nil for none.
   * @throws LiquidFault where a computed option cannot be used
   */
  check(value: unknown, at: Check): Problems | Promise<Problems>
}

export const PASSED: Problems = []

/** The verdict of one problem. */
export function wrong(key: string, count?: number | string): Problems {
  return [count === undefined ? { key } : { key, count }]
}
