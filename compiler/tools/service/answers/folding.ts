/** Folding ranges: blocks and their branches, comments, front matter, brackets of queries, blocks of YAML. */
import { TokenKind } from 'graphql'
import { opensTag } from '../../format/markup.ts'
import { LANGUAGE } from '../../../language/language.ts'
import { openedName, RawTag } from '../../../language/syntax/lexer.ts'
import { isA } from '../../../language/syntax/tokens.ts'
import type { Workspace } from '../workspace.ts'
import { queryTokens, type TemplateTokens, templateTokens, currentText } from './template-tokens.ts'

export interface Fold {
  readonly start: number
  readonly end: number
  /** A YAML block (`lines`) folds its last line, too. For other kinds the last line closes the range and stays visible. */
  readonly kind: 'comment' | 'block' | 'lines'
}

/** Returns the folding ranges of a file. Of ranges with the same start, the outer one comes first. */
export function findFolds(workspace: Workspace, path: string): readonly Fold[] {
  const template = templateTokens(workspace, path)
  if (template !== null)
    return [...frontMatterFold(template), ...blockFolds(template), ...liquidTagFolds(template)].toSorted(
      (a, b) => a.start - b.start,
    )
  const text = currentText(workspace, path)
  if (text === null) return []
  return /\.(?:graphql|gql)$/.test(path) ? bracketFolds(text) : /\.ya?ml$/.test(path) ? indentationFolds(text, 0) : []
}

function frontMatterFold({ text, bodyStart }: TemplateTokens): readonly Fold[] {
  if (bodyStart === 0) return []
  const settings = text.slice(0, bodyStart).trimEnd()
  const start = text.search(/\S/)
  const inner = text.slice(0, settings.lastIndexOf('\n') + 1)
  return [{ start, end: settings.length, kind: 'block' }, ...indentationFolds(inner, inner.indexOf('\n', start) + 1)]
}

/** Matches tags with their ends by name. Also works if some tags have no end. */
function blockFolds({ bodyStart, tokens }: TemplateTokens): readonly Fold[] {
  const folds: Fold[] = []
  const open: { readonly name: string; readonly start: number }[] = []
  for (const token of tokens) {
    const start = bodyStart + token.startOffset
    if (isA(token, RawTag)) {
      folds.push({ start, end: start + token.image.length, kind: 'comment' })
      continue
    }
    if (!opensTag(token)) continue
    const name = openedName(token.image)
    if (name.startsWith('end')) {
      const at = open.findLastIndex((each) => each.name === name.slice(3))
      if (at < 0) continue
      folds.push({ start: open[at]?.start ?? 0, end: start, kind: 'block' })
      open.length = at
    } else if (LANGUAGE.branches.has(name)) {
      const owners = LANGUAGE.branches.get(name) ?? []
      const at = open.findLastIndex((each) => owners.includes(each.name))
      if (at < 0) continue
      folds.push({ start: open[at]?.start ?? 0, end: start, kind: 'block' })
      open[at] = { name: open[at]?.name ?? '', start }
    } else if (LANGUAGE.tagsByName.has(name)) open.push({ name, start })
  }
  return folds
}

function liquidTagFolds({ text, bodyStart }: TemplateTokens): readonly Fold[] {
  return [...text.matchAll(/\{%-?\s*liquid\b[^]*?%\}/g)].flatMap(({ 0: image, index }) =>
    index < bodyStart || !image.includes('\n')
      ? []
      : [{ start: index, end: index + image.length, kind: 'block' as const }],
  )
}

function bracketFolds(text: string): readonly Fold[] {
  const folds: Fold[] = []
  const open: number[] = []
  for (const { kind, start } of queryTokens(text)) {
    if (kind === TokenKind.BRACE_L || kind === TokenKind.PAREN_L || kind === TokenKind.BRACKET_L) open.push(start)
    else if (kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R || kind === TokenKind.BRACKET_R) {
      const from = open.pop()
      if (from !== undefined) folds.push({ start: from, end: start, kind: 'block' })
    }
  }
  return folds.toSorted((a, b) => a.start - b.start)
}

/** Returns a range for each line that is followed by lines with deeper indentation. */
function indentationFolds(text: string, from: number): readonly Fold[] {
  const folds: Fold[] = []
  const open: { readonly column: number; readonly start: number }[] = []
  let end = from
  const close = (column: number): void => {
    for (let last = open.at(-1); last !== undefined && last.column >= column; last = open.at(-1)) {
      if (text.slice(last.start, end).includes('\n')) folds.push({ start: last.start, end, kind: 'lines' })
      open.pop()
    }
  }
  for (let at = from; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at)
    const next = lineEnd < 0 ? text.length : lineEnd + 1
    const line = text.slice(at, next)
    const column = line.search(/\S/)
    if (column >= 0) {
      close(column)
      open.push({ column, start: at + column })
      end = at + line.trimEnd().length
    }
    at = next
  }
  close(0)
  return folds.toSorted((a, b) => a.start - b.start)
}
