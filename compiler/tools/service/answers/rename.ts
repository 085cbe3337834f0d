/** Renames the symbol at an offset in the whole site. */
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { writtenChange } from '../../../core/source/template-values.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import type { SiteAnalysis, Workspace } from '../workspace.ts'
import { type NamedSymbol, findSymbolAt, findPlaces, type Places } from './symbols.ts'

/** An edit of the text as its author wrote it. */
export interface TextEdit {
  readonly span: Span
  readonly text: string
}

interface FileMove {
  readonly from: string
  readonly to: string
}

export interface Renaming {
  readonly edits: readonly TextEdit[]
  readonly moves: readonly FileMove[]
  /** Places where a computed name may mean the symbol. They are not edited. */
  readonly possible: readonly Span[]
}

/** Thrown with the reason why something cannot be renamed. */
export class RenameError extends Error {}

const WORD = /^[A-Za-z_][\w-]*$/
const PATH = /^[\w-][\w./-]*$/

/**
 * Returns the range and the current name of the symbol at an offset. Offsets are in the text with substituted values.
 * @throws RenameError */
export function findRenamable(workspace: Workspace, path: string, offset: number): TextEdit {
  const { siteAnalysis, symbol } = findSymbolToRename(workspace, path, offset)
  const place = placesToRename(siteAnalysis, symbol).places.find(
    ({ span }) => span.file === path && span.start <= offset && offset <= span.end,
  )
  if (place === undefined) throw new RenameError('There is nothing to rename here.')
  return { span: place.span, text: siteAnalysis.files.get(path)?.text.slice(place.span.start, place.span.end) ?? '' }
}

/** Returns the edits that rename the symbol at an offset. @throws RenameError with the reason, if it cannot be renamed */
export function renameAt(workspace: Workspace, path: string, offset: number, to: string): Renaming {
  const { siteAnalysis, symbol } = findSymbolToRename(workspace, path, offset)
  const isFile = symbol.kind === 'partial' || symbol.kind === 'query'
  if (!(isFile || symbol.kind === 'form' ? PATH : WORD).test(to))
    throw new RenameError(`\`${to}\` is not a valid name here.`)
  const { places, possible } = placesToRename(siteAnalysis, symbol)
  const moves = isFile ? [fileMove(siteAnalysis.analysis.site, symbol.kind, symbol.name, to)] : []
  requireFreeName(siteAnalysis.analysis.site, symbol, to)
  const { edits, moduleValueSpans } = editsOf(siteAnalysis, places, to)
  if (moduleValueSpans.length > 0)
    throw new RenameError(
      `Module values contain this name: ${[...new Set(moduleValueSpans.map(({ file }) => file))].join(', ')}.`,
    )
  return { edits, moves, possible }
}

/** Returns the edits for moved files: callers use the new names. */
export function editsForMoves({ siteAnalysis }: Workspace, moves: readonly FileMove[]): Renaming {
  const edits: TextEdit[] = []
  const possible: Span[] = []
  if (siteAnalysis === null) return { edits, moves: [], possible }
  const { site } = siteAnalysis.analysis
  for (const { from, to } of moves) {
    const file = site.byFile.get(from)?.file
    if (file === undefined) continue
    const kind = file.kind === 'graphql' ? 'query' : file.kind === 'partial' ? 'partial' : null
    const name = kind === null ? null : movedName(from, to, file.name)
    if (kind === null || name === null) continue
    const found = findPlaces(siteAnalysis, { kind, name: file.name })
    const named = editsOf(siteAnalysis, found.places, name)
    edits.push(...named.edits)
    possible.push(...found.possible, ...named.moduleValueSpans)
  }
  return { edits: uniqueEdits(edits), moves: [], possible }
}

function findSymbolToRename(
  workspace: Workspace,
  path: string,
  offset: number,
): { siteAnalysis: SiteAnalysis; symbol: NamedSymbol } {
  const { siteAnalysis } = workspace
  const unit = siteAnalysis?.analysis.site.byFile.get(path)
  if (siteAnalysis === null || unit === undefined)
    throw new RenameError('The site is being analysed: try again in a moment.')
  const symbol = findSymbolAt(siteAnalysis, unit, offset)
  if (symbol === null || symbol.kind === 'asset') throw new RenameError('There is nothing to rename here.')
  if (symbol.kind === 'property' && symbol.selections !== undefined && symbol.selections.length > 0)
    throw new RenameError('The query chooses this name: change it there.')
  return { siteAnalysis, symbol }
}

/** Returns the places that have the name of a symbol. Keys of query results are other names. */
function placesToRename(siteAnalysis: SiteAnalysis, symbol: NamedSymbol): Places {
  const { places, possible } = findPlaces(siteAnalysis, symbol)
  return { places: places.filter(({ isResultKey }) => isResultKey !== true), possible }
}

interface NamedEdits {
  readonly edits: readonly TextEdit[]
  /** Places where a substituted module value contains the name, which a rename would not change. */
  readonly moduleValueSpans: readonly Span[]
}

/** Returns the edits of the name at all places. */
function editsOf({ files }: SiteAnalysis, places: readonly { readonly span: Span }[], to: string): NamedEdits {
  const edits: TextEdit[] = []
  const moduleValueSpans: Span[] = []
  for (const { span } of places) {
    const file = files.get(span.file)
    const edit = { span, text: to }
    const change = file?.writtenText === undefined ? edit : writtenChange(file.writtenText, file.text, edit)
    if (change === null) moduleValueSpans.push(span)
    else edits.push(change)
  }
  return { edits: uniqueEdits(edits), moduleValueSpans }
}

/** Returns the file move for a renamed partial or query. @throws RenameError */
function fileMove({ partials, graphql }: Site, kind: 'partial' | 'query', name: string, to: string): FileMove {
  const unit = (kind === 'partial' ? partials : graphql).get(name)
  if (unit === undefined) throw new RenameError(`There is no file named \`${name}\`.`)
  const { path } = unit.file
  const own = unit.file.name
  const at = path.lastIndexOf(own)
  const bareName = unit.file.module === null ? own : own.slice(`modules/${unit.file.module}/`.length)
  const from = at < 0 ? path.lastIndexOf(bareName) : at
  const prefix = at < 0 ? `modules/${unit.file.module}/` : ''
  if (from < 0 || (prefix !== '' && !to.startsWith(prefix)))
    throw new RenameError(`The file of \`${name}\` belongs to a module: its name must begin with \`${prefix}\`.`)
  const writtenText = at < 0 ? bareName : own
  return { from: path, to: `${path.slice(0, from)}${to.slice(prefix.length)}${path.slice(from + writtenText.length)}` }
}

/** Returns the new name of a file moved within the folder of its kind; null if it leaves the folder. */
function movedName(from: string, to: string, name: string): string | null {
  const at = from.lastIndexOf(name)
  if (at < 0) return null
  const textBefore = from.slice(0, at)
  const behind = from.slice(at + name.length)
  return to.startsWith(textBefore) && to.endsWith(behind)
    ? to.slice(textBefore.length, to.length - behind.length)
    : null
}

/** Checks that the new name is free. @throws RenameError if the name is already in use */
function requireFreeName(site: Site, symbol: NamedSymbol, to: string): void {
  const isTaken =
    (symbol.kind === 'partial' && site.partials.has(to)) ||
    (symbol.kind === 'query' && site.graphql.has(to)) ||
    (symbol.kind === 'form' && site.forms.has(to)) ||
    (symbol.kind === 'translation' &&
      [...site.translations.values()].some((tree) => translationAt(tree, siblingKey(symbol.name, to)) !== null)) ||
    (symbol.kind === 'table' && site.data.tables.some(({ name }) => name === to)) ||
    (symbol.kind === 'property' &&
      site.data.tables.some(
        ({ name, properties }) => name === symbol.table && properties.some((each) => each.name === to),
      ))
  if (isTaken) throw new RenameError(`\`${to}\` already exists.`)
}

/** Returns the key that has another last part. */
function siblingKey(name: string, to: string): string {
  return name.replace(/[^./]*$/, () => to)
}

function uniqueEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  return [...new Map(edits.map((edit) => [`${edit.span.file} ${edit.span.start}`, edit])).values()]
}
