/** The grammar of names, assignment targets, and values without filters, operators or JSON literals. */
import type { IToken, TokenType } from 'chevrotain'
import type {
  Accessor,
  Expression,
  Filtered,
  Interpolation,
  Literal,
  LiteralValue,
  Lookup,
  NameNode,
  WriteTarget,
} from '../../core/tree/ast.ts'
import { shareList, shareText } from '../../core/model/shared-values.ts'
import { type Alternative, endOf, GrammarBase, type Rule } from './grammar-base.ts'
import * as T from './tokens.ts'

export abstract class ValueGrammar extends GrammarBase {
  /** The content between the braces of an interpolation. */
  abstract readonly filtered: Rule<Filtered>

  /** The name of a variable. */
  readonly name: Rule<NameNode> = this.RULE('name', () => {
    const token = this.either(
      0,
      this.nameAlternatives ??
        (this.nameAlternatives = [
          { ALT: () => this.take(0, T.Name) },
          { ALT: () => this.take(0, T.DigitName) },
          // Only base Liquid allows names of digits alone. They can be assigned but never read.
          { GATE: () => this.dialect === 'liquid', ALT: () => this.take(0, T.Integer) },
        ]),
    )
    return this.act(() => this.nameOf(token))
  })
  private nameAlternatives: Alternative<IToken>[] | undefined

  /** The name of a variable that is read. Most are plain names, which need no separate rule. */
  private nameHere(index: number): NameNode {
    if (this.RECORDING_PHASE || !this.is(1, T.Name)) return this.sub(index, this.name)
    return this.nameOf(this.take(index, T.Name))
  }

  private nameOf(token: IToken): NameNode {
    const span = this.spanOf(token)
    if (token.tokenType === T.DigitName) this.note('digit-name', span, token.image)
    else if (token.image.endsWith('?')) this.note('question-name', span, token.image)
    return { name: shareText(token.image), span }
  }

  /** A name that may be in quotes: `capture 'x'`. */
  readonly quotableName: Rule<NameNode> = this.RULE('quotableName', () =>
    this.either(0, [
      {
        ALT: () => {
          const token = this.take(0, T.Str)
          return this.act(() => ({
            name: shareText(token.image.slice(1, -1)),
            span: this.at(token.startOffset + 1, endOf(token) - 1),
          }))
        },
      },
      { ALT: () => this.sub(0, this.name) },
    ]),
  )

  /** The target of an assignment: `h['a'].b`. */
  readonly target: Rule<WriteTarget> = this.RULE('target', () => {
    const firstToken = this.peek(1)
    const name = this.sub(0, this.name)
    const path: Accessor[] = []
    if (this.accessorAhead())
      this.repeat(0, () => {
        const opener = this.peek(1)
        const accessor = this.sub(0, this.accessor)
        this.act(() => {
          const last = path.at(-1)
          if (this.hasInvalidSpace(opener, last))
            this.note('space-in-target', this.spanOf(opener), last?.kind === 'key' ? last.name : name.name)
          path.push(accessor)
        })
      })
    return this.act(() => {
      if (name.name.endsWith('?')) this.note('question-target', name.span, name.name)
      return { name, path: shareList(path), span: this.since(firstToken) }
    })
  })

  /** Returns whether there is invalid white space before an accessor of a target. It is only allowed between two brackets. */
  private hasInvalidSpace(opener: IToken, last: Accessor | undefined): boolean {
    const charBefore = this.text.charCodeAt(opener.startOffset - 1)
    if (charBefore !== 32 && charBefore !== 9 && charBefore !== 10 && charBefore !== 13) return false
    return opener.tokenType === T.Dot || last?.kind !== 'index'
  }

  readonly accessor: Rule<Accessor> = this.RULE('accessor', () =>
    this.either<Accessor>(0, [
      {
        ALT: () => {
          this.take(0, T.Dot)
          const key = this.either<IToken>(1, [
            { ALT: () => this.take(0, T.Name) },
            { ALT: () => this.take(0, T.DigitName) },
            { ALT: () => this.take(0, T.Integer) },
          ])
          return this.act(() => this.keyOf(key))
        },
      },
      {
        ALT: () => {
          const open = this.take(0, T.OpenBracket)
          const value = this.sub(0, this.primary)
          this.take(0, T.CloseBracket)
          return this.act(() => ({ kind: 'index', value, span: this.since(open) }))
        },
      },
    ]),
  )

  private keyOf(token: IToken): Accessor {
    const span = this.spanOf(token)
    if (token.tokenType === T.Integer) this.note('numeric-key', span, token.image)
    return { kind: 'key', name: shareText(token.image), span }
  }

  private accessorAhead(): boolean {
    return this.maybeAt(T.Dot) || this.is(1, T.OpenBracket)
  }

  readonly lookup: Rule<Lookup> = this.RULE('lookup', () => {
    const firstToken = this.peek(1)
    if (this.maybeAt(T.At))
      this.maybe(0, () => {
        const sign = this.take(0, T.At)
        this.act(() => this.note('at-sign', this.spanOf(sign), sign.image))
      })
    const name = this.nameHere(0)
    const path: Accessor[] = []
    // Most accessors are plain keys, which need no separate rule.
    while (!this.RECORDING_PHASE && this.is(1, T.Dot) && this.is(2, T.Name)) {
      this.take(1, T.Dot)
      path.push(this.keyOf(this.take(1, T.Name)))
    }
    if (this.accessorAhead())
      this.repeat(0, () => {
        const accessor = this.sub(0, this.accessor)
        this.act(() => path.push(accessor))
      })
    return this.act(
      (): Lookup => ({ kind: 'lookup', name, path: shareList(path), span: this.sinceWith(firstToken, name.span) }),
    )
  })

  /** A value without filters, operators or JSON literals. */
  readonly primary: Rule<Expression> = this.RULE('primary', () => {
    // Most values are variables.
    if (!this.RECORDING_PHASE && this.peek(1).tokenType === T.Identifier) return this.sub(0, this.lookup)
    return this.either<Expression>(
      0,
      this.primaryAlternatives ??
        (this.primaryAlternatives = [
          { ALT: () => this.sub(0, this.stringLiteral) },
          { ALT: () => this.sub(0, this.interpolation) },
          { ALT: () => this.word(0, T.True, { type: 'boolean', value: true }) },
          { ALT: () => this.word(0, T.False, { type: 'boolean', value: false }) },
          { ALT: () => this.word(0, T.Nil, { type: 'nil' }) },
          { ALT: () => this.word(0, T.Null, { type: 'nil' }) },
          { ALT: () => this.word(0, T.Blank, { type: 'blank' }) },
          { ALT: () => this.word(0, T.Empty, { type: 'empty' }) },
          { ALT: () => this.number(0, T.Integer) },
          { ALT: () => this.number(0, T.Float) },
          { ALT: () => this.number(0, T.DotFloat) },
          { ALT: () => this.sub(0, this.range) },
          { ALT: () => this.sub(0, this.lookup) },
        ]),
    )
  })
  private primaryAlternatives: Alternative<Expression>[] | undefined

  private word(index: number, type: TokenType, value: LiteralValue): Literal {
    const token = this.take(index, type)
    return this.act(() => {
      const span = this.spanOf(token)
      return { kind: 'literal', value, span }
    })
  }

  private number(index: number, type: TokenType): Literal {
    const token = this.take(index, type)
    return this.act(() => {
      const span = this.spanOf(token)
      if (type !== T.Integer)
        return { kind: 'literal', value: { type: 'float', value: Number(token.image.replace(/\.$/, '.0')) }, span }
      const asNumber = Number(token.image)
      const value = Number.isSafeInteger(asNumber) ? (asNumber === 0 ? 0 : asNumber) : BigInt(token.image)
      return { kind: 'literal', value: { type: 'integer', value }, span }
    })
  }

  readonly stringLiteral: Rule<Expression> = this.RULE('stringLiteral', () =>
    this.either<Expression>(
      0,
      this.textAlternatives ??
        (this.textAlternatives = [
          {
            ALT: () => {
              const token = this.take(0, T.Str)
              return this.act(() => this.textOf(token, token.image.slice(1, -1)))
            },
          },
          {
            ALT: () => {
              const token = this.take(0, T.JsonStr)
              return this.act(() => this.textOf(token, unescapeJson(token.image.slice(1, -1))))
            },
          },
        ]),
    ),
  )
  private textAlternatives: Alternative<Expression>[] | undefined

  private textOf(token: IToken, value: string): Literal {
    const span = this.spanOf(token)
    // With interpolation, a double-quoted string with braces is another token.
    if (token.image.startsWith('"') && /\{\{[^]*\}\}/.test(token.image)) this.note('braces-in-text', span)
    return { kind: 'literal', value: { type: 'string', value }, span }
  }

  readonly interpolation: Rule<Interpolation> = this.RULE('interpolation', () => {
    const open = this.take(0, T.InterpolationOpen)
    const parts: (string | Filtered)[] = []
    this.act(() => parts.push(open.image.slice(1, -2)))
    const first = this.sub(0, this.filtered)
    this.act(() => parts.push(first))
    this.repeat(0, () => {
      const mid = this.take(0, T.InterpolationMid)
      const value = this.sub(1, this.filtered)
      this.act(() => parts.push(mid.image.slice(2, -2), value))
    })
    const close = this.take(0, T.InterpolationClose)
    return this.act((): Interpolation => {
      parts.push(close.image.slice(2, -1))
      return { kind: 'interpolation', parts, span: this.since(open) }
    })
  })

  readonly range: Rule<Expression> = this.RULE('range', () => {
    const open = this.take(0, T.OpenParen)
    const from = this.sub(0, this.primary)
    this.take(0, T.DotDot)
    const to = this.sub(1, this.primary)
    this.take(0, T.CloseParen)
    return this.act((): Expression => ({ kind: 'range', from, to, span: this.since(open) }))
  })

  /** Returns whether a value comes next, possibly after skipped characters. */
  valueAhead(): boolean {
    let distance = 1
    while (this.is(distance, T.Stray) || this.is(distance, T.StrayQuote)) distance++
    return this.startsValue(distance)
  }

  protected startsValue(distance: number): boolean {
    const { tokenType } = this.LA(distance)
    let starts = CAN_START.get(tokenType)
    if (starts === undefined) CAN_START.set(tokenType, (starts = VALUE_STARTS.some((type) => this.is(distance, type))))
    return starts
  }
}

/** Whether a value may begin with a token type, cached by type. */
const CAN_START = new WeakMap<TokenType, boolean>()

const VALUE_STARTS: readonly TokenType[] = [
  T.Str,
  T.JsonStr,
  T.InterpolationOpen,
  T.Name,
  T.At,
  T.DigitName,
  T.Integer,
  T.Float,
  T.DotFloat,
  T.OpenParen,
  T.OpenBrace,
  T.OpenBracket,
]

/** Decodes the escapes of JSON. An unknown escape is its character. */
export function unescapeJson(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, code: string | undefined, char: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return ESCAPES[char ?? ''] ?? char ?? ''
  })
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
