/** Everything that emitted code may import, and what a host needs to run it. */

export * from './page/bytes.ts'
export * from './page/calls.ts'
export * as decode from './page/decode.ts'
export type { Answer } from './page/decode.ts'
export * from './page/fault.ts'
export { clean, cleanAttribute } from './page/filters/web/clean.ts'
export * as filters from './page/filters/index.ts'
export { formParts } from './page/form-object.ts'
export * from './page/loops.ts'
export { withoutOldNames } from './page/old-names.ts'
export * from './page/operations.ts'
export * from './page/render.ts'
export * from './page/limits.ts'
export type { Data, GivenLimits } from './page/renderer/entry-render.ts'
export { createRenderer, type Renderer, type RendererOptions } from './page/renderer/renderer.ts'
export { byteLength, limitsExceeded } from './page/value-size.ts'
export * from './page/services.ts'
export * from './page/site.ts'
export * from './page/tags.ts'
export type { Encoded } from './page/values/bytes.ts'
export { at, atLiquid, fields, get, hostFields, grow, push, step, writeKey } from './page/values/access.ts'
export { suppliedCopy } from './page/values/copy.ts'
export { contains, eq, eqBlank, eqEmpty, eqText, ge, gt, le, lt } from './page/values/compare.ts'
export {
  declareReadable,
  forgetViews,
  hosted,
  isPlainObject,
  isPromise,
  promisesMet,
} from './page/values/host-values.ts'
export { iterate } from './page/values/items.ts'
export { joinTexts } from './page/values/value-limits.ts'
export type { HashValue } from './page/values/hash.ts'
export type { Moment } from './page/values/moment.ts'
export { Float, type Numeral, numberText } from './page/values/number.ts'
export { range } from './page/values/range.ts'
export { atDefined, atLiquidDefined, defined, definedPart, getDefined } from './page/values/strict-reads.ts'
export {
  concat as liquidText,
  esc,
  escapeHtml,
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
