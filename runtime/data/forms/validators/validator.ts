/** The interface of a validation. Each kind is one file, registered in `index.ts`. */
import type { FieldDef } from '../../../page/site.ts'
import type { ValidationProblem } from '../messages.ts'
import type { ValidationHost } from '../model.ts'

/** The kind of an option. `date` is a time or a phrase for one; `fields` is a field name or a list of them. */
export type OptionKind = 'number' | 'boolean' | 'list' | 'regex' | 'date' | 'fields' | 'text'

export interface OptionDef {
  readonly takes: OptionKind
  /** A description for authors of forms, in one sentence. */
  readonly description: string
}

/** A value to validate with a rule. */
export interface Check {
  readonly field: FieldDef
  /** The path of the field from the root of the form: `profiles.developer.properties.title`. */
  readonly path: string
  /** The path of the field up to its name: `profiles.developer.properties.`. */
  readonly prefix: string
  /** The options, after rendering Liquid. */
  readonly options: Readonly<Record<string, unknown>>
  readonly host: ValidationHost
  /** Returns the value of another field of the same resource, by name or as `properties.name`; null when there is none. */
  valueOfSibling(name: string): unknown
  /** Returns the full path of another field of the same resource. */
  pathOf(name: string): string
  /** Whether the value was sent. Otherwise it is only stored. */
  readonly isSent: boolean
}

export type Problems = readonly ValidationProblem[]

export interface Validator {
  /** A description for authors of forms, in one sentence. */
  readonly description: string
  /** The options that only this validation has. The compiler checks them. */
  readonly options: Readonly<Record<string, OptionDef>>
  /**
   * Returns the problems of a sent or stored value. The value is nil when nothing was sent and nothing is stored.
   * @throws LiquidFault for an invalid computed option
   */
  check(value: unknown, check: Check): Problems | Promise<Problems>
}

export const NO_PROBLEMS: Problems = []

/** Creates the result of a single problem. */
export function problemOf(key: string, count?: number | string): Problems {
  return [count === undefined ? { key } : { key, count }]
}
