/** What tags against the contract of the language's own are written with: the contract, the functions that make code, and their types. */
export { type AnyTag, type CheckKit, type EmitKit, type Tag, tag as defineTag } from '../tags/tag.ts'
export * as code from '../model/code.ts'
export type { Expression, NamedArgument, TagNode } from '../model/ast.ts'
export type { Diagnostic } from '../diagnostics/diagnostic.ts'
