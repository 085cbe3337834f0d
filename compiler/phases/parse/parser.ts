/**
 * The template parser. It returns a flat list of texts, outputs and tags, each with its parsed markup. `build-tree.ts` builds the nesting,
 * because it reports unclosed and mismatched blocks better than a grammar.
 */
import { createToken, type IRecognitionException, type IToken, Lexer, type TokenType } from 'chevrotain'
import { LANGUAGE, type Language } from '../../language/language.ts'
import type { NameNode } from '../../core/tree/ast.ts'
import { shareText } from '../../core/model/shared-values.ts'
import type { Span } from '../../core/source/span.ts'
import { Grammar } from '../../language/syntax/grammar.ts'
import { endOf, type Rule } from '../../language/syntax/grammar-base.ts'
import {
  BadLine,
  EndOpen,
  InlineComment,
  lexerOf,
  OpenRaw,
  openedName,
  OutputOpen,
  RawTag,
  TagOpen,
  TextToken,
  UnknownOpen,
  Unterminated,
  type TagVocabulary,
} from '../../language/syntax/lexer.ts'
import * as T from '../../language/syntax/tokens.ts'
import { isBaseMarkup } from './base/markups.ts'
import { withoutDeepBrackets } from './deep-brackets.ts'
import type { Item } from './item.ts'
import type { Tag } from '../../language/tags/tag.ts'
import { getOrMake } from '../../core/source/maps.ts'

/** A tag or a branch, with the type of the token that opens it. */
interface Opener<Of> {
  readonly subject: Of
  readonly type: TokenType
}

/** The tokens of a language's tags, and its lexer. */
class Vocabulary {
  readonly language: Language
  readonly tags: readonly Opener<Tag>[]
  readonly branches: readonly Opener<string>[]
  readonly lexer: ReturnType<typeof lexerOf>

  constructor(language: Language, interpolation: boolean) {
    const opener = (name: string) => createToken({ name: `{% ${name}`, pattern: Lexer.NA, categories: [TagOpen] })
    const tags = [...language.tags.values()]
    this.language = language
    this.tags = tags.filter((tag) => tag.shape !== 'raw').map((tag) => ({ subject: tag, type: opener(tag.name) }))
    this.branches = [...language.branches.keys()].map((name) => ({ subject: name, type: opener(name) }))
    const types = new Map<string, TokenType>()
    for (const { subject, type } of this.tags) for (const name of subject.aliases ?? []) types.set(name, type)
    for (const { subject, type } of this.tags) types.set(subject.name, type)
    for (const { subject, type } of this.branches) types.set(subject, type)
    const raw = tags.flatMap((tag) => (tag.raw === undefined ? [] : [[tag.name, tag.raw] as const]))
    const vocabulary: TagVocabulary = { types, raw: new Map(raw) }
    this.lexer = lexerOf(vocabulary, interpolation)
  }
}

class TemplateParser extends Grammar {
  readonly #tagRules: { readonly type: TokenType; readonly rule: Rule<Item> }[]

  /** @param follows whether follow sets are computed in advance; if not, they are computed when a text first fails to parse */
  constructor(vocabulary: Vocabulary, isChecked = false, follows = isChecked) {
    const { language, lexer, tags, branches } = vocabulary
    const types = [
      ...Object.values(T).filter((each): each is TokenType => typeof each === 'object' && 'tokenTypeIdx' in each),
      ...lexer.types,
      ...[...tags, ...branches].map(({ type }) => type),
      ...[TagOpen, EndOpen, InlineComment, OpenRaw, OutputOpen, RawTag, TextToken, UnknownOpen, Unterminated, BadLine],
    ]
    super(types, isChecked)
    this.#tagRules = [
      ...tags.map(({ subject, type }) => ({ type, rule: this.#openRule(subject, type) })),
      ...branches.map(({ subject, type }) => ({ type, rule: this.#branchRule(subject, type, language) })),
    ]
    this.recordGrammar(follows ? null : () => new TemplateParser(vocabulary, false, true))
  }

  /** Returns true if the modules in `base/` parse the markup later. Always false while Chevrotain records the grammar. */
  #isReadLater(name: string): boolean {
    return this.dialect === 'liquid' && !this.RECORDING_PHASE && (name === '{{' || isBaseMarkup(name))
  }

  #openRule(tag: Tag, type: TokenType): Rule<Item> {
    return this.RULE(
      `tag ${tag.name}`,
      () => {
        const open = this.rememberStart(this.take(99, type))
        const markup = this.#isReadLater(tag.name) ? undefined : tag.grammar(this)
        const leftoverSpan = this.restOfMarkup(99)
        const close = this.take(98, T.TagClose)
        return this.act(
          (): Item => ({
            kind: 'open',
            tag,
            writtenName: this.writtenName(open),
            markup,
            leftoverSpan,
            span: this.spanTo(open, close),
            start: open.startOffset,
          }),
        )
      },
      { recoveryValueFunc: () => this.brokenItem(tag), resyncEnabled: true },
    )
  }

  #branchRule(name: string, type: TokenType, { tags, branches }: Language): Rule<Item> {
    const owner = tags.get(branches.get(name)?.[0] ?? '')
    const grammar = owner?.branches?.[name] ?? (() => null)
    return this.RULE(
      `branch ${name}`,
      () => {
        const open = this.rememberStart(this.take(99, type))
        const markup = this.#isReadLater(name) ? undefined : grammar(this)
        const leftoverSpan = this.restOfMarkup(99)
        const close = this.take(98, T.TagClose)
        return this.act(
          (): Item => ({
            kind: 'branch',
            writtenName: this.writtenName(open),
            markup,
            leftoverSpan,
            span: this.spanTo(open, close),
            start: open.startOffset,
          }),
        )
      },
      { recoveryValueFunc: () => this.brokenItem(null), resyncEnabled: true },
    )
  }

  readonly output: Rule<Item> = this.RULE(
    'output',
    () => {
      const open = this.rememberStart(this.take(0, OutputOpen))
      const value = this.#isReadLater('{{')
        ? undefined
        : this.maybe(0, { GATE: () => this.valueAhead(), DEF: () => this.sub(0, this.filtered) })
      const leftoverSpan = this.restOfMarkup(0)
      const close = this.take(0, T.OutputClose)
      return this.act(
        (): Item => ({
          kind: 'output',
          value: value ?? null,
          leftoverSpan,
          span: this.spanTo(open, close),
          start: open.startOffset,
        }),
      )
    },
    { recoveryValueFunc: () => this.brokenItem(null), resyncEnabled: true },
  )

  /** An end tag, or a tag with an unknown name. Its markup is skipped. */
  readonly bare: Rule<Item> = this.RULE(
    'bare',
    () => {
      const open = this.rememberStart(
        this.either<IToken>(0, [{ ALT: () => this.take(0, EndOpen) }, { ALT: () => this.take(0, UnknownOpen) }]),
      )
      const leftoverSpan = this.restOfMarkup(0)
      const close = this.take(0, T.TagClose)
      return this.act(
        (): Item => ({
          kind: open.tokenType === EndOpen ? 'end' : 'unknown',
          writtenName: this.writtenName(open),
          leftoverSpan,
          span: this.spanTo(open, close),
          start: open.startOffset,
        }),
      )
    },
    { recoveryValueFunc: () => this.brokenItem(null), resyncEnabled: true },
  )

  readonly template: Rule<Item[]> = this.RULE(
    'template',
    () => {
      this.act(() => {
        this.#items = []
      })
      this.repeat(0, () => {
        this.either<void>(0, (this.#alternatives ??= this.#allItems()))
      })
      return this.#items
    },
    // If a text ends in unreadable markup, no later token allows recovery. The items parsed so far are kept.
    { recoveryValueFunc: () => [...this.#items, this.brokenItem(null)], resyncEnabled: true },
  )

  #items: Item[] = []
  /** Cached: Chevrotain asks for the alternatives at every item of every template. */
  #alternatives: { ALT: () => void }[] | null = null

  #allItems(): { ALT: () => void }[] {
    const simple = (kind: 'text' | 'raw' | 'open-raw' | 'unterminated' | 'bad-line' | 'comment', type: TokenType) => ({
      ALT: () => {
        const token = this.take(0, type)
        this.act(() => this.#items.push({ kind, start: token.startOffset, end: endOf(token) }))
      },
    })
    const alternativeOf = (index: number, rule: Rule<Item>) => ({
      ALT: () => {
        const item = this.sub(index, rule)
        this.act(() => this.#items.push(item))
      },
    })
    return [
      simple('text', TextToken),
      alternativeOf(200, this.output),
      ...this.#tagRules.map(({ rule }, index) => alternativeOf(index, rule)),
      alternativeOf(201, this.bare),
      simple('raw', RawTag),
      simple('comment', InlineComment),
      simple('open-raw', OpenRaw),
      simple('unterminated', Unterminated),
      simple('bad-line', BadLine),
    ]
  }

  #open: IToken | null = null

  /** Stores the first token of the current item, in case parsing fails. */
  private rememberStart(token: IToken): IToken {
    this.act(() => {
      this.#open = token
    })
    return token
  }

  private brokenItem(tag: Tag | null): Item {
    const open = this.#open
    if (open === null) return { kind: 'broken', tag: null, writtenName: null, span: this.at(0, 0), start: 0 }
    const end = this.LA(0)
    const stop = end === undefined || Number.isNaN(end.startOffset) ? endOf(open) : Math.max(endOf(open), endOf(end))
    return {
      kind: 'broken',
      tag,
      writtenName: tag === null ? null : this.writtenName(open),
      span: this.at(open.startOffset, stop),
      start: open.startOffset,
    }
  }

  private writtenName(open: IToken): NameNode {
    const name = shareText(openedName(open.image))
    const end = endOf(open)
    return { name, span: this.at(end - name.length, end) }
  }

  private spanTo(open: IToken, close: IToken): Span {
    // The line feed that ends a statement is not part of the statement.
    const end = close.image.startsWith('\n') ? close.startOffset : endOf(close)
    return this.at(open.startOffset, end)
  }
}

/** A lexer and a parser for a set of tags. Creating them takes a tenth of a second, so they are created once, on first use. */
class TemplateReader {
  readonly vocabulary: Vocabulary
  #parser: TemplateParser | null = null

  constructor(language: Language, interpolation: boolean) {
    this.vocabulary = new Vocabulary(language, interpolation)
  }

  get parser(): TemplateParser {
    return (this.#parser ??= new TemplateParser(this.vocabulary))
  }
}

/** The readers of a language, without and with string interpolation. A site uses one of them. */
type Readers = [plain: TemplateReader | null, interpolating: TemplateReader | null]
const readers = new WeakMap<Language['tags'], Readers>()

function readerOf(language: Language, interpolation: boolean): TemplateReader {
  const known = getOrMake(readers, language.tags, (): Readers => [null, null])
  return (known[interpolation ? 1 : 0] ??= new TemplateReader(language, interpolation))
}

/**
 * Checks the tokens and the rules of all tags for mistakes in the grammar. It is too slow for every start.
 * @throws Error that names the mistakes
 * @internal Exported for tests.
 */
export function checkGrammar(): void {
  for (const interpolation of [false, true]) {
    const { vocabulary } = readerOf(LANGUAGE, interpolation)
    vocabulary.lexer.check()
    new TemplateParser(vocabulary, true)
  }
}

export interface ParsedItems {
  readonly items: readonly Item[]
  readonly errors: readonly IRecognitionException[]
  readonly notes: Grammar['notes']
  readonly tokens: readonly IToken[]
}

/** Parses a text that begins at offset `base` of `file`. */
export function parseItems(
  text: string,
  where: {
    readonly file: string
    readonly base: number
    readonly fixed?: Span | null
    readonly interpolation: boolean
    readonly dialect: Grammar['dialect']
    readonly syntax: Grammar['syntax']
    readonly language?: Language
  },
): ParsedItems {
  const { parser, vocabulary } = readerOf(where.language ?? LANGUAGE, where.interpolation)
  const read = vocabulary.lexer.tokenize(text)
  parser.file = where.file
  parser.base = where.base
  parser.fixed = where.fixed ?? null
  parser.text = text
  parser.dialect = where.dialect
  parser.syntax = where.syntax
  // Base Liquid parses bracket contents elsewhere, in `base/`.
  const { tokens, notes: deep } =
    where.dialect === 'liquid'
      ? { tokens: read.tokens, notes: [] }
      : withoutDeepBrackets(read.tokens, (start, end) => {
          return { kind: 'too-deep', span: parser.at(start, end), text: '' }
        })
  parser.notes = [...deep]
  parser.input = tokens
  const items = parser.template()
  const errors = parser.errors
  const notes = parser.notes
  parser.input = []
  return { items: items ?? [], errors, notes, tokens }
}
