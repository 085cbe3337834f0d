/**
 * Chevrotain's lexer, made to start faster. By itself it works out, when it is made, by which characters the tokens of every mode can
 * begin. A text uses few of the modes: here each is worked out when the first text comes to it.
 */
import { type ILexerConfig, Lexer, type TokenType } from 'chevrotain'

export interface LexerModes {
  /** Tokens by mode. */
  readonly modes: Readonly<Record<string, TokenType[]>>
  /** The mode in which a text begins. */
  readonly defaultMode: string
}

/** What Chevrotain's lexer has beside what its types tell: what it has worked out, by mode. */
interface LexerInternals {
  readonly patternIdxToConfig: object
  readonly charCodeToPatternIdxToConfig: object
  readonly canModeBeOptimized: object
}

const WORKED_OUT = ['patternIdxToConfig', 'charCodeToPatternIdxToConfig', 'canModeBeOptimized'] as const

/** @param config of tokens that are known to be right: nothing of them is validated */
export function lazyLexer({ modes, defaultMode }: LexerModes, config: ILexerConfig): Lexer {
  const lexerOf = (mode: string): Lexer & LexerInternals =>
    // Chevrotain's types omit these internals.
    new Lexer(
      { modes: { [mode]: modes[mode] ?? [] }, defaultMode: mode },
      { ...config, skipValidations: true },
    ) as Lexer & LexerInternals
  const lexer = lexerOf(defaultMode)
  for (const mode of Object.keys(modes)) {
    if (mode === defaultMode) continue
    let made: (Lexer & LexerInternals) | null = null
    for (const part of WORKED_OUT)
      Object.defineProperty(lexer[part], mode, {
        configurable: true,
        enumerable: true,
        get(this: object): unknown {
          made ??= lexerOf(mode)
          const value: unknown = Reflect.get(made[part], mode)
          // From the second time on it is an ordinary property.
          Object.defineProperty(this, mode, { value, enumerable: true })
          return value
        },
      })
  }
  return lexer
}
