/** All that emitted code may import, and what a host needs to run it. */

import * as loops from './loops.ts'
import type { Scope } from './site.ts'
import * as access from './values/access.ts'

/** A value of a template whose shape the compiler does not know. */
// biome-ignore lint/suspicious/noExplicitAny: reading a property of an unknown value is what Liquid allows and TypeScript does not
export type Liquid = any

export * from './bytes.ts'
export * from './calls.ts'
export * from './fault.ts'
export { clean, cleanAttribute } from './filters/web/clean.ts'
export * as filters from './filters/index.ts'
export * from './loops.ts'
export { withoutOldNames } from './old-names.ts'
export * from './operations.ts'
export * from './render.ts'
export * from './services.ts'
export * from './site.ts'
export * from './tags.ts'
export { grow, push, step, writeKey } from './values/access.ts'
// What is read from a value is read from again: to emitted code it is a value of any shape.
export const at: (v: unknown, index: unknown) => Liquid = access.at
export const atLiquid: (v: unknown, index: unknown) => Liquid = access.atLiquid
export const get: (v: unknown, key: string) => Liquid = access.get
export const variableNamed: (scope: Scope, name: unknown) => Liquid = loops.variableNamed
export { suppliedCopy } from './values/copy.ts'
export { contains, eq, eqBlank, eqEmpty, ge, gt, le, lt } from './values/compare.ts'
export { iterate } from './values/items.ts'
export { Float } from './values/number.ts'
export { range } from './values/range.ts'
export {
  concat as liquidText,
  esc,
  escAttribute,
  inspected,
  Json,
  plain,
  printed,
  Safe,
  str,
  xml,
} from './values/text.ts'
export { truthy } from './values/truth.ts'
