/** Finds edits of templates that change nothing for other templates, so that the findings for those remain valid. */
import type { Memo } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { EDITABLE, type Unit } from '../../core/model/unit.ts'
import { headOf } from '../../core/source/front-matter.ts'
import { writtenKeysOf } from './infer/any-partial.ts'
import { namesForForm } from './infer/misspelt-locals.ts'
import { typeKey, typesKey } from '../../language/types/type-key.ts'
import type { Piece } from './piece.ts'
import { faceKey } from './rules/dependencies.ts'
import type { UnitFacts } from './rules/facts.ts'
import { requestValues } from './rules/request-values.ts'

/** A template before and after its file was edited. */
export interface Edit {
  readonly before: Piece
  readonly after: Piece
}

/** Maximum number of edited files. If more differ, they were moved or replaced by another version. */
const MAX_EDITED_FILES = 20

interface CheckedSite {
  readonly site: Site
  readonly pieces: readonly Piece[]
}

/**
 * Returns the templates that differ between two versions of a site. Returns null if anything else differs, or if an edited template differs
 * in the names that it uses or in what it offers to its callers.
 */
export function editsBetween(before: CheckedSite, after: CheckedSite, memo: Memo): readonly Edit[] | null {
  const files = editedFiles(before.site, after.site)
  if (files === null || before.pieces.length !== after.pieces.length) return null
  const edits: Edit[] = []
  for (const [at, piece] of after.pieces.entries()) {
    const old = before.pieces[at]
    if (old === piece) continue
    if (old === undefined || old.key !== piece.key) return null
    if (!files.has(piece.unit.file.path)) {
      if (old.template !== piece.template || old.bound !== piece.bound) return null
    } else if (outlineOf(old, memo) === outlineOf(piece, memo)) edits.push({ before: old, after: piece })
    else return null
  }
  return edits
}

function editedFiles(before: Site, after: Site): ReadonlySet<string> | null {
  if (before.units.length !== after.units.length || before.config !== after.config) return null
  const files = new Set<string>()
  for (const [at, unit] of after.units.entries()) {
    const old = before.units[at]
    if (old === unit) continue
    if (old === undefined || files.size === MAX_EDITED_FILES || !isSameBesidesBody(old, unit)) return null
    files.add(unit.file.path)
  }
  return files
}

function isSameBesidesBody(a: Unit, b: Unit): boolean {
  const isKnown = a.file.path === b.file.path && EDITABLE.has(b.file.kind) && a.refused === b.refused
  return isKnown && headOf(a.file.text) === headOf(b.file.text)
}

/** Returns a text that describes what a template offers to others before it is checked. Equal texts mean no difference for others. */
function outlineOf({ key, unit, template, inner, bound }: Piece, memo: Memo): string {
  return JSON.stringify([
    [template.broken, template.doc, template.passed],
    [[...bound.reads.keys()], [...bound.writes.keys()], [...bound.counters], bound.readsSelf],
    bound.calls.map(({ kind, literal, patterns, passed, hidden, boundBefore }) => [
      [kind, literal, patterns],
      [...passed],
      [...hidden],
      kind === 'include' ? [...boundBefore] : [],
    ]),
    inner === null ? namesForForm(unit.file.text) : [],
    [...(writtenKeysOf(key, template, memo) ?? ['*'])],
  ])
}

/**
 * Returns a text that describes the facts of a checked template that others depend on. Equal texts mean no difference for others. `face`:
 * what callers see, with or without the places in the template's text; null if the template has no callers.
 */
export function sharedFactsOf(facts: UnitFacts, face: 'placed' | 'unplaced' | null): string {
  const calls = facts.calls.map(
    ({ kind, targets, open, passed, visible }) =>
      `${kind} ${open} ${targets?.join(' ') ?? '*'}\n${typesKey(passed)}\n${typesKey(visible)}`,
  )
  const values = requestValues([facts])
  const request = values === null ? [] : [typeKey(values.exports), typeKey(values.session)]
  const toCallers = face === null ? [] : [faceKey(facts, face === 'placed')]
  return [...toCallers, facts.readsRequest, ...request, ...calls].join('\n\n')
}
