/** Words of generated templates: names that clash with JavaScript names, texts with markup, boundary numbers. */

/** Names of variables and keys that a careless emitter could confuse with JavaScript names. */
export const NAMES: readonly string[] = [
  'a',
  'b',
  'item',
  'list',
  'title',
  'first',
  'size',
  'length',
  'name',
  'class',
  'constructor',
  'prototype',
  '__proto__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'await',
  'async',
  'arguments',
  'eval',
  'let',
  'new',
  'this',
  'static',
  'default',
  'function',
  'undefined',
  'NaN',
  'r',
  'out',
  'str',
  'esc',
  'get',
  'own',
  'site',
  'runtime',
  'frame',
  'scope',
  'x-y',
  'x_y',
  'xY',
]

/** Keys of hashes. Any of them may be missing when it is read. */
export const KEYS: readonly string[] = [
  'a',
  'b',
  'title',
  'size',
  'first',
  'constructor',
  'toString',
  '__proto__',
  'x-y',
  '0',
]

/** Contains all characters that HTML escapes. It is never marked as safe. */
export const MARKUP = '<q a="1">&\'z'

/** Contents of texts in single quotes. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  'a',
  'B c',
  '12',
  '-3.5',
  'a,b,,c',
  '<b>',
  '&amp;',
  '"<&>"',
  '</script><q t="1">',
  '$`\\',
  'é',
  '2026-02-03',
]

export const NUMBERS: readonly string[] = ['0', '1', '2', '-1', '3', '10', '2.5', '-0.5', '3.0', '9007199254740993']

/** Returns the parameters of every request. Each call returns a new copy, because templates may change them. */
export function requestParams(): Record<string, unknown> {
  return {
    text: MARKUP,
    word: 'word',
    empty: '',
    none: null,
    yes: true,
    no: false,
    count: 7,
    ratio: 2.5,
    list: [MARKUP, 'b', 3, null, ['x', MARKUP], { title: MARKUP, size: 2 }],
    words: ['b', MARKUP, 'a'],
    numbers: [3, 1, 2.5],
    rows: [
      { title: MARKUP, a: 1, b: 'x' },
      { title: 'b', a: 2, b: MARKUP },
    ],
    hash: { title: MARKUP, a: 1, b: [1, MARKUP], size: 'own', constructor: MARKUP, 'x-y': MARKUP, '0': 'zero' },
    nothing: {},
    nowhere: [],
  }
}
