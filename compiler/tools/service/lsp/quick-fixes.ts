/** Quick fixes: the changes suggested by diagnostics, one at a time, or all safe ones together. */
import {
  type CodeAction,
  CodeActionKind,
  type Connection,
  type Range,
  type ServerCapabilities,
  type TextEdit,
} from 'vscode-languageserver/node'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { editsOverlap, type PlacedEdit, findQuickFix } from '../../../core/diagnostics/quick-fix.ts'
import type { Workspace } from '../workspace.ts'
import { uriOf } from './places.ts'
import type { SitePlace, Sites } from './sites.ts'

const FIX_ALL = `${CodeActionKind.SourceFixAll}.ingot`

export function quickFixes(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onCodeAction(({ textDocument: { uri }, range, context: { only } }) => {
    const place = sites.at(uri)
    if (place === null) return []
    const isRequested = (kind: string): boolean =>
      only?.some((each) => kind === each || kind.startsWith(`${each}.`)) ?? true
    const diagnostics = sites.diagnosticsAt(uri)
    const overlapping = diagnostics.filter(({ span }) => overlapsRange(place, range, span))
    return [
      ...(isRequested(CodeActionKind.QuickFix) ? overlapping.flatMap((each) => fixActions(sites, place, each)) : []),
      ...(isRequested(FIX_ALL) ? fixAll(sites, place, diagnostics) : []),
    ]
  })
  return { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] } }
}

function overlapsRange(
  { lines }: SitePlace,
  range: Range,
  span: { readonly start: number; readonly end: number },
): boolean {
  return span.start <= lines.offset(range.end) && span.end >= lines.offset(range.start)
}

function fixActions(sites: Sites, { workspace }: SitePlace, diagnostic: Diagnostic): readonly CodeAction[] {
  const fix = findQuickFix(diagnostic, (path) => workspace.writtenText(path))
  if (fix === null) return []
  return [
    {
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      isPreferred: fix.safe,
      edit: { changes: changesOf(sites, workspace, fix.edits) },
    },
  ]
}

/** Returns an action with all safe changes of a file that do not overlap. */
function fixAll(sites: Sites, { workspace }: SitePlace, diagnostics: readonly Diagnostic[]): readonly CodeAction[] {
  const chosen: PlacedEdit[] = []
  for (const diagnostic of diagnostics) {
    const fix = findQuickFix(diagnostic, (path) => workspace.writtenText(path))
    if (fix?.safe === true && !editsOverlap(chosen, fix.edits)) chosen.push(...fix.edits)
  }
  if (chosen.length === 0) return []
  const edit = { changes: changesOf(sites, workspace, chosen) }
  return [{ title: 'Make all safe changes', kind: FIX_ALL, edit }]
}

function changesOf(sites: Sites, workspace: Workspace, edits: readonly PlacedEdit[]): Record<string, TextEdit[]> {
  const changes: Record<string, TextEdit[]> = {}
  for (const edit of edits) {
    const uri = uriOf({ root: workspace.root, path: edit.file })
    const range = sites.linesOf(workspace, edit.file).range(edit)
    changes[uri] = [...(changes[uri] ?? []), { range, newText: edit.text }]
  }
  return changes
}
