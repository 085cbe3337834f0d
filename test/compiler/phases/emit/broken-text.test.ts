/**
 * A template that cannot be parsed, in a site that is built despite its errors, fails at the faulty place with the message of its
 * diagnostic.
 */
import { describe, expect, test } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { printModule } from '../../../../compiler/phases/emit/emit.ts'
import { sourceFiles } from '../../../support/case-file.ts'

/** Returns the statements that are emitted for a page with this text. */
function statements(text: string): readonly string[] {
  const path = 'app/views/pages/index.liquid'
  const files = sourceFiles({ [path]: text }, 'platform')
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false } as const
  const page = compile(files, options).modules.find((each) => each.path.endsWith('pages/index.ts'))
  const [, body = ''] = /\): string \{\n([\s\S]*?)\n\}/.exec(page === undefined ? '' : printModule(page).text) ?? []
  return body.split('\n').map((line) => line.trim())
}

describe('a text that ends in what cannot be read', () => {
  test.each([
    ['{% if %}', ["refuse('The markup of the tag `if` is not valid.')"]],
    ['x{% if %}', ["const out = 'x'", "refuse('The markup of the tag `if` is not valid.')"]],
    ['{% if', ["refuse('This `{%` is never closed.')"]],
    ['a {{ b', ["const out = 'a '", "refuse('This `{{` is never closed.')"]],
    ['a {% function r', ["const out = 'a '", "refuse('This `{%` is never closed.')"]],
    [
      'x {% liquid\n assign a = 1',
      ["let out = 'x '", "refuse('This `{%` is never closed.')", "out += '\\n assign a = 1'"],
    ],
    ['{% liquid\n {{ a }}\n%}z', ["refuse('`{{ a }}` is not allowed in the lines of a `liquid` tag.')", "return 'z'"]],
    ['{% if a == 1 %}{% else', ["refuse('The tag `if` is never closed.')"]],
  ])('%s', (text, expected) => {
    expect(statements(text)).toEqual(expect.arrayContaining(expected))
  })
})
