/** A check that the settings enable. */
import type { SourceType } from '../messages.ts'
import type { Parser } from './parser.ts'

export interface CheckDefinition {
  readonly meta: Readonly<Record<string, unknown>> & { readonly code: string }
  readonly create: (context: object) => unknown
}

export interface EnabledCheck {
  readonly definition: CheckDefinition
  readonly code: string
  /** The index of its module in the request. */
  readonly module: number
  /** Null for a type that no file of a site has, such as JSON. */
  readonly type: SourceType | null
  readonly severity: 0 | 1 | 2
  /** The values of its settings, with their defaults. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly ignores: (path: string) => boolean
  /** The parser for templates; null if no check of its module needs it. */
  readonly parser: Parser | null
}
