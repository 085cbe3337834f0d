/** Checks the tokens and rules of all tags, which is too slow for every start. */
import type { TokenType } from 'chevrotain'
import { expect, it } from 'vitest'
import { checkGrammar } from '../../../../compiler/phases/parse/parser.ts'
import { Grammar } from '../../../../compiler/language/syntax/grammar.ts'
import * as T from '../../../../compiler/language/syntax/tokens.ts'

it('the lexers and the grammar hold no contradiction', () => {
  expect(checkGrammar).not.toThrow()
})

it('a rule that repeats nothing for ever is found', () => {
  class Endless extends Grammar {
    constructor(checked: boolean) {
      super(
        Object.values(T).filter((each): each is TokenType => typeof each === 'object' && 'tokenTypeIdx' in each),
        checked,
      )
      this.RULE('endless', () => this.repeat(0, () => undefined))
      this.performSelfAnalysis()
    }
  }
  expect(() => new Endless(true)).toThrow('endless')
  expect(() => new Endless(false)).not.toThrow()
})
