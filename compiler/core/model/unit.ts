/** What parsing gives for one file: its settings and its tree. */
import type { FileKind, SourceFile } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import type { Node } from './ast.ts'
import type { Settings } from './settings.ts'

/** A template: one file's body, or Liquid inside a value of its front matter. */
export interface Template {
  readonly nodes: readonly Node[]
  readonly doc: DocBlock | null
  /** The template could not be read to its end: it runs up to the first error when built with `--keep-going`. */
  readonly broken: boolean
  /** Names that a block of `background` is passed. */
  readonly passed?: readonly string[]
}

/** A `doc` block: a typed signature of a partial. */
export interface DocBlock {
  readonly description: string
  readonly params: readonly DocParam[]
  readonly examples: readonly string[]
  readonly span: Span
  /** Lines that were meant to declare a parameter: it is one all the same. */
  readonly slips: readonly DocSlip[]
}

/** A line that declares a parameter in another way than the dialect has. */
export interface DocSlip {
  readonly span: Span
  /** The beginning of the line as it was meant. */
  readonly meant: string
}

export interface DocParam {
  readonly name: string
  /** As written between braces: `string`, `number[]`; null without one. */
  readonly type: string | null
  readonly required: boolean
  readonly description: string
  readonly span: Span
  readonly typeSpan: Span | null
}

/** One file after parsing. `settings` is what the kind's room in `settings/` made of the front matter or the YAML. */
export interface Unit<Of extends Settings = Settings> {
  readonly file: SourceFile
  readonly settings: Of
  /** An error in the settings: what they say is not the whole of it. */
  readonly refused?: true
  readonly template: Template | null
  /**
   * Templates inside values of the front matter, by the path of the value (`metadata.title`, `redirectTo`), and the bodies of
   * `background` (`background:1`).
   */
  readonly inner: ReadonlyMap<string, Template>
}

/** The settings of a kind of file. */
export type SettingsOfKind<Kind extends FileKind, Of extends Settings = Settings> = Of extends Settings
  ? Kind extends Of['kind']
    ? Of
    : never
  : never

/** Returns whether the unit is a file of this kind, which decides the type of its settings. */
export function isOfKind<Kind extends FileKind>(unit: Unit, kind: Kind): unit is Unit<SettingsOfKind<Kind>> {
  return unit.settings.kind === kind
}

/** Whether there is more than white space in the template. */
export function hasBody(template: Template | null): boolean {
  return template?.nodes.some((node) => node.kind !== 'text' || node.text.trim() !== '') === true
}

/** Kinds of files of which others know nothing but their names and settings, and what their templates take and give. */
export const EDITABLE: ReadonlySet<FileKind> = new Set(['page', 'layout', 'partial'])

const BLOCK = 'background:'

/** The name under which the n-th block of `background` is a template of its file. */
export function blockName(n: number): string {
  return `${BLOCK}${n}`
}

/** Whether a path of `inner` is that of a block, not of a value. */
export function isBlock(inner: string | null): boolean {
  return inner?.startsWith(BLOCK) === true
}

/** The names of a file's blocks. */
export function blocksOf(unit: Unit): readonly string[] {
  return [...unit.inner.keys()].filter(isBlock)
}

/** The key of the block with this body: `<file>#background:<n>`, by which a job names it. Null for no such block. */
export function jobKey(unit: Unit, body: readonly Node[]): string | null {
  for (const [inner, { nodes }] of unit.inner) if (nodes === body && isBlock(inner)) return `${unit.file.path}#${inner}`
  return null
}
