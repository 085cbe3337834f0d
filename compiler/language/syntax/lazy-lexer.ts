/**
 * Chevrotain's lexer with a faster start. Normally, its constructor computes the possible first characters of the tokens of every mode.
 * A text uses few modes, so here each mode is computed on first use.
 */
import { type ILexerConfig, Lexer, type TokenType } from 'chevrotain'

interface LexerModes {
  /** The tokens of each mode. */
  readonly modes: Readonly<Record<string, TokenType[]>>
  /** The initial mode. */
  readonly defaultMode: string
}

/** Private fields of Chevrotain's lexer: the computed data of each mode. */
interface LexerInternals {
  readonly patternIdxToConfig: object
  readonly charCodeToPatternIdxToConfig: object
  readonly canModeBeOptimized: object
}

const COMPUTED_FIELDS = ['patternIdxToConfig', 'charCodeToPatternIdxToConfig', 'canModeBeOptimized'] as const

/** Creates the lexer. The tokens are not validated. @param config options of Chevrotain */
export function lazyLexer({ modes, defaultMode }: LexerModes, config: ILexerConfig): Lexer {
  const makeLexer = (mode: string): Lexer & LexerInternals =>
    // Chevrotain's types omit these internals.
    new Lexer(
      { modes: { [mode]: modes[mode] ?? [] }, defaultMode: mode },
      { ...config, skipValidations: true },
    ) as Lexer & LexerInternals
  const lexer = makeLexer(defaultMode)
  for (const mode of Object.keys(modes)) {
    if (mode === defaultMode) continue
    let modeLexer: (Lexer & LexerInternals) | null = null
    for (const part of COMPUTED_FIELDS)
      Object.defineProperty(lexer[part], mode, {
        configurable: true,
        enumerable: true,
        get(this: object): unknown {
          modeLexer ??= makeLexer(mode)
          const value: unknown = Reflect.get(modeLexer[part], mode)
          // Replaces the getter, so that later accesses read an ordinary property.
          Object.defineProperty(this, mode, { value, enumerable: true })
          return value
        },
      })
  }
  return lexer
}
