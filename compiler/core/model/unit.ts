/** The result of parsing a file: its settings and its tree. */
import type { FileKind, SourceFile } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import type { Node, TagNode } from '../tree/ast.ts'
import { attached } from './attached.ts'
import type { Settings } from './settings.ts'

/** A template: the body of a file, or Liquid in a value of its front matter. */
export interface Template {
  readonly nodes: readonly Node[]
  readonly doc: DocBlock | null
  /** Whether the template has a syntax error. With `--keep-going`, it runs up to the first error. */
  readonly isBroken: boolean
  /** For a `background` block: the names of the passed variables, and where its tag starts. */
  readonly block?: { readonly passed: readonly string[]; readonly start: number }
}

/** A `doc` block: the typed signature of a partial. */
export interface DocBlock {
  readonly description: string
  readonly params: readonly DocParam[]
  readonly examples: readonly string[]
  readonly span: Span
  /** Lines that were meant to declare a parameter. They are still treated as declarations. */
  readonly mistakes: readonly DocMistake[]
}

/** A line that declares a parameter with invalid syntax. */
export interface DocMistake {
  readonly span: Span
  /** The corrected beginning of the line. */
  readonly corrected: string
}

export interface DocParam {
  readonly name: string
  /** The type as written between braces: `string`, `number[]`; null if there is none. */
  readonly type: string | null
  readonly required: boolean
  readonly description: string
  readonly span: Span
  readonly typeSpan: Span | null
}

/** A file after parsing. `settings` is the result of its settings reader. */
export interface Unit<Of extends Settings = Settings> {
  readonly file: SourceFile
  readonly settings: Of
  /** Set if the settings are incomplete because of an error. */
  readonly refused?: true
  readonly template: Template | null
  /**
   * Templates inside values of the front matter, by the path of the value (`metadata.title`, `redirectTo`), and the bodies of
   * `background` blocks (`background:1`).
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

/** Returns whether the template contains anything other than white space. */
export function hasBody(template: Template | null): boolean {
  if (template === null) return false
  const known = bodies.get(template)
  if (known !== undefined) return known
  const found = template.nodes.some((node) => node.kind !== 'text' || node.text.trim() !== '')
  bodies.set(template, found)
  return found
}

const bodies = attached<Template, boolean>()

/** Kinds of files that other files use only by name, settings, parameters and results. */
export const EDITABLE: ReadonlySet<FileKind> = new Set(['page', 'layout', 'partial'])

const BLOCK = 'background:'

/** Returns the name of the n-th `background` block as a template of its file. */
export function blockName(n: number): string {
  return `${BLOCK}${n}`
}

/** Returns whether a path of `inner` belongs to a block, not to a value. */
export function isBlock(inner: string | null): boolean {
  return inner?.startsWith(BLOCK) === true
}

/** Returns the names of the blocks of a file. */
export function blocksOf(unit: Unit): readonly string[] {
  return [...unit.inner.keys()].filter(isBlock)
}

/** Returns the key of the block of a `background` tag, which identifies its jobs: `<file>#background:<n>`. Returns null if there is none. */
export function jobKey(unit: Unit, { span, body }: TagNode): string | null {
  const found = [...unit.inner].filter(([inner, { block }]) => isBlock(inner) && block?.start === span.start)
  // In a setting whose text is not in the file as it is, all tags have one place.
  const [inner] = found.length > 1 ? (found.find(([, { nodes }]) => nodes === body) ?? []) : (found[0] ?? [])
  return inner === undefined ? null : `${unit.file.path}#${inner}`
}
