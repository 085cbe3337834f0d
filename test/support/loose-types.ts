/** Finds code that TypeScript does not check: `any`, casts, non-null assertions, and comments that suppress errors. */
import { ts } from 'ts-morph'

const LOOSE = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.AnyKeyword, 'any'],
  [ts.SyntaxKind.AsExpression, 'as'],
  [ts.SyntaxKind.TypeAssertionExpression, 'a type assertion'],
  [ts.SyntaxKind.NonNullExpression, 'a non-null assertion'],
  [ts.SyntaxKind.SatisfiesExpression, 'satisfies'],
  [ts.SyntaxKind.TypePredicate, 'a type predicate'],
  [ts.SyntaxKind.DeclareKeyword, 'declare'],
])

/** Returns the findings in a module, each with its line: `3: any`. */
export function looseTypes(text: string): readonly string[] {
  const file = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true)
  const found = new Set<string>()
  const note = (at: number, what: string): void => {
    found.add(`${file.getLineAndCharacterOfPosition(at).line + 1}: ${what}`)
  }
  // Finding comments is slow, so it is skipped if the text contains no such comment.
  const mayBeSilenced = /@ts-\w/.test(text)
  const visit = (node: ts.Node): void => {
    const what = LOOSE.get(node.kind)
    if (what !== undefined) note(node.getStart(), what)
    if (ts.isVariableDeclaration(node) && node.exclamationToken !== undefined)
      note(node.getStart(), 'a definite variable')
    for (const { pos, end } of mayBeSilenced ? commentsAt(text, node) : [])
      if (/@ts-\w/.test(text.slice(pos, end))) note(pos, 'a comment that silences')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found]
}

function commentsAt(text: string, node: ts.Node): readonly ts.CommentRange[] {
  return [
    ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
    ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
  ]
}
