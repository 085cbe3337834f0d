/** What made-up templates are written with: names that clash with those of JavaScript, texts that hold markup, numbers at the edges. */

/** Names of variables and keys that a careless emitter takes for something of its own. */
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

/** Keys of hashes: any of them may be missing where it is read. */
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

/** Holds all that HTML escapes. None of it is ever marked safe. */
export const MARKUP = '<q a="1">&\'z'

/** Texts as they stand between single quotes. */
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

/** Variables of every request; a new copy each time, since templates may write to them. */
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
