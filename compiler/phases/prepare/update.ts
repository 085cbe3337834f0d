/**
 * Updates a site after edits of template bodies only. The edited files are parsed again and replace the old units. The rest of the site is
 * reused.
 */
import { outlineUnit } from '../analyze/outlines.ts'
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { LANGUAGE, type Language } from '../../language/language.ts'
import { findDocuments } from '../link/documents.ts'
import type { LinkOptions } from '../link/link.ts'
import type { Outline } from '../../core/model/outline.ts'
import { areSame, type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import type { Steps } from '../../core/model/steps.ts'
import { EDITABLE, type Unit } from '../../core/model/unit.ts'
import { type ParsedFile, parseFileCached, type ParseOptions } from '../parse/parse.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { headOf } from '../../core/source/front-matter.ts'

export interface PreparedSite {
  readonly site: Site
  readonly operations: Operations
  /** The bound templates, by file, and by `file#path` for Liquid in settings. */
  readonly outlines: ReadonlyMap<string, Outline>
  /** The diagnostics found so far. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The options with which a site is parsed and linked. `raise` overrides the configuration. */
export interface PrepareOptions extends ParseOptions, Omit<LinkOptions, 'raise' | 'raiseQueries'> {
  readonly raise?: boolean
  readonly language?: Language
}

/** The parts of the preparation that a compiler can leave out. */
export interface PrepareFeatures {
  readonly queries: { readonly link: (site: Site, report: Report, memo: Memo) => Steps<Operations> }
  /** Null if a site is prepared from scratch each time. */
  readonly incremental: { readonly siteAfterEdits: typeof siteAfterEdits } | null
}

/** The results for a list of files. */
export interface LinkedFiles extends PreparedSite {
  readonly files: readonly SourceFile[]
  /** The parsed files in file order, including files that overrides replace. */
  readonly parsed: readonly ParsedFile[]
  /** Diagnostics of the configuration. */
  readonly configDiagnostics: readonly Diagnostic[]
  /** Diagnostics of the link phase. */
  readonly linkDiagnostics: readonly Diagnostic[]
}

/** Returns the last site that was linked with these options, to be replaced by the next one; null if nothing is kept. */
export function linkedBefore(options: PrepareOptions, memo: Memo): { site: LinkedFiles | null } | null {
  return memo === NO_MEMO ? null : memo.once('prepared site', '', optionsKey(options), () => ({ site: null }))
}

/** Returns the options that affect the result, as a cache key. */
function optionsKey(options: PrepareOptions): readonly unknown[] {
  const { dialect, syntax, interpolation, readOn, language, raise, openEntries, scored } = options
  const { strictVariables, strictFilters, takesHosted, globals, globalsAreAll, testRuns = [] } = options
  const parseOptions = [dialect, syntax, interpolation, readOn, language]
  return [
    ...parseOptions,
    raise,
    openEntries,
    scored,
    strictVariables,
    strictFilters,
    takesHosted,
    globals,
    globalsAreAll,
    testRuns.join('\n'),
  ]
}

/** Maximum number of changed files that count as edits. More changes mean that files were moved or replaced. */
const MAX_EDITED = 20

/** Returns the site with the new template bodies, or null if anything else may have changed. */
export function siteAfterEdits(
  oldFiles: LinkedFiles,
  files: readonly SourceFile[],
  options: PrepareOptions,
  memo: Memo,
): LinkedFiles | null {
  const edited = findEditedFiles(oldFiles.files, files)
  if (edited === null || options.dialect !== 'platform') return null
  if (edited.size === 0) return oldFiles
  const parsed = [...oldFiles.parsed]
  const replaced = new Map<Unit, Unit>()
  for (const [at, file] of edited) {
    const oldUnit = oldFiles.parsed[at]?.unit
    // A second configuration file is not parsed, so the indexes of later files differ in the two lists.
    if (oldUnit?.file.path !== file.path) return null
    const reparsed = parseFileCached(file, oldFiles.site.config, options, memo)
    if (!differsOnlyInBodies(oldUnit, reparsed.unit)) return null
    parsed[at] = reparsed
    replaced.set(oldUnit, reparsed.unit)
  }
  const outlines = new Map(oldFiles.outlines)
  for (const [oldUnit, unit] of replaced) {
    // A file that an override replaces is not bound.
    if (oldFiles.site.byFile.get(oldUnit.file.path) !== oldUnit) continue
    const layoutParts = new Set(oldFiles.site.layoutParts.has(oldUnit) ? [unit] : [])
    for (const [key, outline] of outlineUnit(
      { ...oldFiles.site, layoutParts },
      unit,
      memo,
      options.language ?? LANGUAGE,
    ))
      outlines.set(key, outline)
  }
  const fileDiagnostics = parsed.flatMap(({ diagnostics }) => diagnostics)
  return {
    ...oldFiles,
    ...{ files, parsed, outlines, site: replaceUnits(oldFiles.site, replaced) },
    diagnostics: [...oldFiles.configDiagnostics, ...fileDiagnostics, ...oldFiles.linkDiagnostics],
  }
}

/** Returns the changed files by index. Returns null if anything other than the text of templates has changed. */
function findEditedFiles(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): ReadonlyMap<number, SourceFile> | null {
  if (before.length !== after.length) return null
  const edited = new Map<number, SourceFile>()
  for (const [at, file] of after.entries()) {
    const oldFile = before[at]
    if (oldFile === file) continue
    if (oldFile === undefined || edited.size === MAX_EDITED || !EDITABLE.has(file.kind)) return null
    const identityOf = ({ path, kind, name, module, visibility, override, format }: SourceFile) =>
      [path, kind, name, module, visibility, override, format] as const
    const isUnsubstituted = [oldFile, file].every(
      ({ writtenText, unreadable }) => writtenText === undefined && unreadable === undefined,
    )
    if (!isUnsubstituted || !areSame(identityOf(oldFile), identityOf(file))) return null
    edited.set(at, file)
  }
  return edited
}

/** Returns true if two parses of a file differ only in the bodies of their templates. */
export function differsOnlyInBodies(oldUnit: Unit, unit: Unit): boolean {
  return (
    EDITABLE.has(unit.file.kind) &&
    oldUnit.refused === undefined &&
    unit.refused === undefined &&
    (oldUnit.template === null) === (unit.template === null) &&
    areSame([...oldUnit.inner.keys()], [...unit.inner.keys()]) &&
    headOf(oldUnit.file.text) === headOf(unit.file.text) &&
    findDocuments(oldUnit).length === 0 &&
    findDocuments(unit).length === 0
  )
}

function isOfSameKind<Kind extends Unit>(unit: Unit, sample: Kind): unit is Kind {
  return unit.settings.kind === sample.settings.kind
}

/** Returns the site with some units replaced. */
function replaceUnits(site: Site, replaced: ReadonlyMap<Unit, Unit>): Site {
  const replacementOf = <Kind extends Unit>(unit: Kind): Kind => {
    const replacement = replaced.get(unit)
    return replacement !== undefined && isOfSameKind(replacement, unit) ? replacement : unit
  }
  const replaceInList = <Kind extends Unit>(units: readonly Kind[]): readonly Kind[] => {
    const result = [...units]
    const all: readonly Unit[] = units
    for (const [old, unit] of replaced) {
      const at = all.indexOf(old)
      const oldUnit = result[at]
      if (oldUnit !== undefined && isOfSameKind(unit, oldUnit)) result[at] = unit
    }
    return result
  }
  const replaceInTable = <Kind extends Unit>(units: ReadonlyMap<string, Kind>): ReadonlyMap<string, Kind> => {
    const result = new Map(units)
    for (const [name, unit] of units) if (replaced.has(unit)) result.set(name, replacementOf(unit))
    return result
  }
  const byFile = new Map(site.byFile)
  for (const [oldUnit, unit] of replaced)
    if (byFile.get(oldUnit.file.path) === oldUnit) byFile.set(oldUnit.file.path, unit)
  const kinds = new Set([...replaced.keys()].map(({ file }) => file.kind))
  const hasLayout = kinds.has('layout')
  return {
    ...site,
    units: replaceInList(site.units),
    byFile,
    ...(kinds.has('page') && { pages: replaceInList(site.pages) }),
    ...((hasLayout || kinds.has('partial')) && { partials: replaceInTable(site.partials) }),
    ...(hasLayout && {
      layouts: replaceInTable(site.layouts),
      layoutKeys: replaceInTable(site.layoutKeys),
      pageLayouts: replaceInTable(site.pageLayouts),
      layoutParts: new Set([...site.layoutParts].map(replacementOf)),
    }),
  }
}
