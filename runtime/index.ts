/** All that emitted code may import, and what a host needs to run it. */

import * as loops from './page/loops.ts'
import type { Scope } from './page/site.ts'
import * as access from './page/values/access.ts'

/** A value of a template whose shape the compiler does not know. */
// biome-ignore lint/suspicious/noExplicitAny: reading a property of an unknown value is what Liquid allows and TypeScript does not
export type Liquid = any

export * from './page/bytes.ts'
export * from './page/calls.ts'
export * from './page/fault.ts'
export { clean, cleanAttribute } from './page/filters/web/clean.ts'
export * as filters from './page/filters/index.ts'
export * from './page/loops.ts'
export { withoutOldNames } from './page/old-names.ts'
export * from './page/operations.ts'
export * from './page/render.ts'
export * from './page/services.ts'
export * from './page/site.ts'
export * from './page/tags.ts'
export { grow, push, step, writeKey } from './page/values/access.ts'
// What is read from a value is read from again: to emitted code it is a value of any shape.
export const at: (v: unknown, index: unknown) => Liquid = access.at
export const atLiquid: (v: unknown, index: unknown) => Liquid = access.atLiquid
export const get: (v: unknown, key: string) => Liquid = access.get
export const variableNamed: (scope: Scope, name: unknown) => Liquid = loops.variableNamed
export { suppliedCopy } from './page/values/copy.ts'
export { contains, eq, eqBlank, eqEmpty, ge, gt, le, lt } from './page/values/compare.ts'
export { iterate } from './page/values/items.ts'
export { Float } from './page/values/number.ts'
export { range } from './page/values/range.ts'
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
} from './page/values/text.ts'
export { truthy } from './page/values/truth.ts'
