/** Exports for compiled custom tags: the tag contract, functions that build code, and their types. */
export { type AnyTag, type CheckKit, type EmitKit, type Tag, tag as defineTag } from '../../language/tags/tag.ts'
export * as code from '../../core/model/code.ts'
export type { Expression, NamedArgument, TagNode } from '../../core/tree/ast.ts'
export type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
