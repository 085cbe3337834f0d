/** Classifies the words of a file for semantic highlighting. Also works for text that does not parse. */
import type { IToken, TokenType } from 'chevrotain'
import { type Token, TokenKind } from 'graphql'
import { opensTag } from '../../format/markup.ts'
import { InlineComment, openedName, RawTag } from '../../../language/syntax/lexer.ts'
import * as T from '../../../language/syntax/tokens.ts'
import type { Workspace } from '../workspace.ts'
import { type MentionKind, collectMentions } from './mentions.ts'
import { queryTokens, type TemplateTokens, templateTokens, currentText } from './template-tokens.ts'

export const WORD_KINDS = [
  'keyword',
  'variable',
  'parameter',
  'property',
  'function',
  'string',
  'number',
  'operator',
  'comment',
  'namespace',
  'enumMember',
  'decorator',
  'type',
] as const
type WordKind = (typeof WORD_KINDS)[number]

export interface Word {
  readonly start: number
  readonly end: number
  readonly kind: WordKind
  /** Whether the word is assigned a value here. */
  readonly declares: boolean
}

/** Returns the words of a file in source order. No word spans more than one line. */
export function classifyWords(workspace: Workspace, path: string): readonly Word[] {
  const template = templateTokens(workspace, path)
  const text = template?.text ?? currentText(workspace, path)
  if (text === null) return []
  const words =
    template !== null
      ? templateWords(workspace, path, template)
      : /\.(?:graphql|gql)$/.test(path)
        ? queryWords(text)
        : []
  return words.flatMap((word) => splitByLines(text, word))
}

function splitByLines(text: string, word: Word): readonly Word[] {
  const image = text.slice(word.start, word.end)
  if (!image.includes('\n')) return [word]
  return [...image.matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => ({
    ...word,
    start: word.start + index,
    end: word.start + index + line.length,
  }))
}

// ---- templates ----------------------------------------------------------------------------------------------------------

const KEYWORDS: readonly TokenType[] = [
  T.True,
  T.False,
  T.Nil,
  T.Null,
  T.Blank,
  T.Empty,
  T.And,
  T.Or,
  T.Contains,
  T.In,
  T.With,
  T.For,
  T.As,
  T.Reversed,
]
const OPERATORS: readonly TokenType[] = [T.Comparator, T.Assign, T.Push, T.Pipe, T.DotDot]
const NUMBERS: readonly TokenType[] = [T.Integer, T.Float, T.DotFloat]
const TEXTS: readonly TokenType[] = [T.Str, T.JsonStr, T.InterpolationOpen, T.InterpolationMid, T.InterpolationClose]

/** Names in quotes. */
const QUOTED_NAME_KINDS: Readonly<Partial<Record<MentionKind, WordKind>>> = {
  partial: 'namespace',
  query: 'namespace',
  form: 'namespace',
  asset: 'namespace',
  translation: 'enumMember',
}

function templateWords(workspace: Workspace, path: string, template: TemplateTokens): readonly Word[] {
  const { bodyStart, tokens } = template
  const { named, declared } = findMeanings(workspace, path, template.text)
  return tokens.flatMap((token, at): readonly Word[] => {
    const start = bodyStart + token.startOffset
    const end = start + token.image.length
    const name = named.get(start)
    if (name !== undefined) return [{ start: start + 1, end: end - 1, kind: name, declares: false }]
    if (opensTag(token)) {
      const tag = openedName(token.image)
      return tag === '' ? [] : [{ start: end - tag.length, end, kind: 'keyword', declares: false }]
    }
    if (T.isA(token, RawTag)) return rawBlockWords(token, start)
    const kind = tokenWordKind(token, tokens[at - 1], tokens[at + 1])
    return kind === null ? [] : [{ start, end, kind, declares: declared.has(start) }]
  })
}

/** Returns the kinds of quoted names by the offset of the quote, and the offsets where variables are assigned. */
function findMeanings(
  workspace: Workspace,
  path: string,
  text: string,
): { readonly named: ReadonlyMap<number, WordKind>; readonly declared: ReadonlySet<number> } {
  const named = new Map<number, WordKind>()
  const declared = new Set<number>()
  const file = workspace.file(path)
  // Substituted template values shift all offsets.
  const reading = file === null || file.text !== text ? null : workspace.analyzeFile(path)
  for (const { mentions } of reading === null ? [] : collectMentions(reading.unit))
    for (const { kind, span, isAssigned: sets } of mentions) {
      const word = QUOTED_NAME_KINDS[kind]
      if (span.file === path && word !== undefined) named.set(span.start - 1, word)
      else if (span.file === path && sets) declared.add(span.start)
    }
  return { named, declared }
}

/** Comments count as a whole. For raw and documentation blocks, only the tags count. */
function rawBlockWords({ image }: IToken, start: number): readonly Word[] {
  const open = /^(?:\{%-?\s*)?(\w+)/.exec(image)
  const name = open?.[1] ?? ''
  if (name === 'comment') return [{ start, end: start + image.length, kind: 'comment', declares: false }]
  const first = start + (open?.[0].length ?? 0) - name.length
  const last = start + image.lastIndexOf(`end${name}`)
  return [
    { start: first, end: first + name.length, kind: 'keyword', declares: false },
    { start: last, end: last + name.length + 3, kind: 'keyword', declares: false },
  ]
}

function isOneOf(token: IToken, types: readonly TokenType[]): boolean {
  return types.some((type) => T.isA(token, type))
}

function tokenWordKind(token: IToken, tokenBefore: IToken | undefined, after: IToken | undefined): WordKind | null {
  if (T.isA(token, InlineComment)) return 'comment'
  if (isOneOf(token, TEXTS)) return 'string'
  if (isOneOf(token, NUMBERS)) return 'number'
  if (isOneOf(token, OPERATORS)) return 'operator'
  if (tokenBefore !== undefined && T.isA(tokenBefore, T.Dot)) return 'property'
  if (tokenBefore !== undefined && T.isA(tokenBefore, T.Pipe)) return 'function'
  if (after !== undefined && T.isA(token, T.Name) && T.isA(after, T.Colon)) return 'parameter'
  if (isOneOf(token, KEYWORDS)) return 'keyword'
  return T.isA(token, T.Name) || T.isA(token, T.DigitName) ? 'variable' : null
}

// ---- queries ------------------------------------------------------------------------------------------------------------

const QUERY_TOKEN_KINDS: Readonly<Partial<Record<TokenKind, WordKind>>> = {
  [TokenKind.STRING]: 'string',
  [TokenKind.BLOCK_STRING]: 'string',
  [TokenKind.INT]: 'number',
  [TokenKind.FLOAT]: 'number',
  [TokenKind.COMMENT]: 'comment',
  [TokenKind.SPREAD]: 'operator',
}

function queryWords(text: string): readonly Word[] {
  const tokens = queryTokens(text)
  const open: TokenKind[] = []
  return tokens.flatMap((token, at): readonly Word[] => {
    const { kind, start, end } = token
    if (kind === TokenKind.PAREN_L || kind === TokenKind.BRACE_L) open.push(kind)
    else if (kind === TokenKind.PAREN_R || kind === TokenKind.BRACE_R) open.pop()
    const word = kind === TokenKind.NAME ? nameKind(tokens, at, open) : QUERY_TOKEN_KINDS[kind]
    if (word === undefined) return []
    const isMarked = tokens[at - 1]?.kind === TokenKind.DOLLAR || tokens[at - 1]?.kind === TokenKind.AT
    const declares = isMarked && word === 'variable' && tokens[at + 1]?.kind === TokenKind.COLON
    return [{ start: isMarked ? start - 1 : start, end, kind: word, declares }]
  })
}

function nameKind(tokens: readonly Token[], at: number, open: readonly TokenKind[]): WordKind {
  const tokenBefore = tokens[at - 1]
  const value = tokens[at]?.value ?? ''
  if (tokenBefore?.kind === TokenKind.DOLLAR) return 'variable'
  if (tokenBefore?.kind === TokenKind.AT) return 'decorator'
  if (open.length === 0) return /^(?:query|mutation|subscription|fragment|on)$/.test(value) ? 'keyword' : 'function'
  if (tokenBefore?.kind === TokenKind.SPREAD) return value === 'on' ? 'keyword' : 'namespace'
  if (tokenBefore?.value === 'on') return 'type'
  if (/^(?:true|false|null)$/.test(value)) return 'keyword'
  const isInside = open.includes(TokenKind.PAREN_L)
  if (tokens[at + 1]?.kind === TokenKind.COLON) return isInside ? 'parameter' : 'property'
  // In an operation's variable list, the type follows the variable.
  if (isInside && tokenBefore !== undefined && open.length === 1) return 'type'
  return isInside ? 'enumMember' : 'property'
}
