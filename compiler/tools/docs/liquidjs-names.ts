/**
 * Differences between liquidjs and Ingot, by name. The registries determine whether Ingot has a filter or tag, and the hints for other
 * Liquid dialects name replacements. This file contains only what those cannot tell. The tests run every example in both engines.
 */

/** A template that the two engines print differently. */
export interface Difference {
  /** A sentence; `code` in backticks. */
  readonly says: string
  readonly template: string
  /** The output of each engine: `Error: …` with the message if it throws. */
  readonly liquidjs: string
  readonly ingot: string
  readonly data?: Readonly<Record<string, unknown>>
  /** Partials by name. */
  readonly files?: Readonly<Record<string, string>>
  /** Additional options; the dialect is base Liquid. */
  readonly options?: { readonly liquidjs: object; readonly ingot: object }
}

type Extras = Pick<Difference, 'data' | 'files' | 'options'>

function difference(says: string, template: string, liquidjs: string, ingot: string, extras: Extras = {}): Difference {
  return { says, template, liquidjs, ingot, ...extras }
}

const KEYED = 'An element that has no keys is an error.'
const NO_KEY = "Liquid error (line 1): cannot select the property 'k'"
const ARGUMENTS = 'Takes no argument: it removes only white space.'
const GIVEN_TWO = 'Liquid error (line 1): wrong number of arguments (given 2, expected 1)'
const NUMBERS = { data: { x: [1, 2] } }

/** Filters with their differences. Empty for identical filters, and for filters that Ingot lacks. */
export const LIQUIDJS_FILTERS: Readonly<Record<string, readonly Difference[]>> = {
  escape: [difference('A double quote is `&quot;`.', `{{ '"' | escape }}`, '&#34;', '&quot;')],
  xml_escape: [],
  escape_once: [difference('A double quote is `&quot;`.', `{{ '"' | escape_once }}`, '&#34;', '&quot;')],
  newline_to_br: [],
  strip_html: [],
  abs: [],
  at_least: [],
  at_most: [],
  ceil: [],
  divided_by: [
    difference('Two integers give an integer, rounded down.', '{{ 7 | divided_by: 2 }}', '3.5', '3'),
    difference(
      'Dividing by 0 is an error.',
      '{{ 7 | divided_by: 0 }}',
      'Infinity',
      'Liquid error (line 1): divided by 0',
    ),
  ],
  floor: [],
  minus: [difference('Decimal fractions are exact.', '{{ 3.14159 | minus: 2 }}', '1.1415899999999999', '1.14159')],
  plus: [difference('Decimal fractions are exact.', '{{ 0.1 | plus: 0.2 }}', '0.30000000000000004', '0.3')],
  modulo: [
    difference('Dividing by 0 is an error.', '{{ 7 | modulo: 0 }}', 'NaN', 'Liquid error (line 1): divided by 0'),
    difference('Decimal fractions are exact.', '{{ 3.14159 | modulo: 2 }}', '1.1415899999999999', '1.14159'),
  ],
  times: [difference('Decimal fractions are exact.', '{{ 0.1 | times: 3 }}', '0.30000000000000004', '0.3')],
  round: [],
  url_decode: [
    difference('A lone `%` stays.', "{{ '100%' | url_decode }}", 'Error: URI malformed, line:1, col:1', '100%'),
  ],
  url_encode: [difference('A single quote is encoded.', `{{ "it's" | url_encode }}`, "it's", 'it%27s')],
  cgi_escape: [],
  uri_escape: [],
  slugify: [],
  join: [
    difference('Nested arrays are joined with the same text.', "{{ x | join: '-' }}", '1,2-3', '1-2-3', {
      data: { x: [[1, 2], [3]] },
    }),
  ],
  last: [],
  first: [
    difference('The first element of a hash is its first pair.', "{{ h | first | join: '=' }}", '', 'a=1', {
      data: { h: { a: 1, b: 2 } },
    }),
  ],
  reverse: [
    difference('Nested arrays are reversed, too.', '{{ x | reverse }}', '312', '321', {
      data: { x: [[1, 2], [3]] },
    }),
  ],
  sort: [
    difference(
      'Values that cannot be compared are an error.',
      '{{ x | sort }}',
      '2a1',
      'Liquid error (line 1): cannot sort values of incompatible types',
      { data: { x: [2, 'a', 1] } },
    ),
  ],
  sort_natural: [],
  size: [
    difference('A hash has a size.', '{{ h | size }}', '0', '2', {
      data: { h: { a: 1, b: 2 } },
    }),
  ],
  map: [difference(KEYED, "{{ x | map: 'k' }}", '', NO_KEY, NUMBERS)],
  sum: [
    difference(KEYED, "{{ x | sum: 'k' }}", '0', NO_KEY, NUMBERS),
    difference('Nested arrays are added up, too.', '{{ x | sum }}', '3', '6', { data: { x: [[1, 2], [3]] } }),
  ],
  compact: [difference(KEYED, "{{ x | compact: 'k' }}", '12', NO_KEY, NUMBERS)],
  concat: [
    difference(
      'The argument must be an array.',
      "{{ x | concat: 'a' }}",
      '12a',
      'Liquid error (line 1): concat filter requires an array argument',
      NUMBERS,
    ),
  ],
  push: [],
  unshift: [],
  pop: [],
  shift: [],
  slice: [
    difference('An index given as text also returns one element.', "{{ x | slice: '1' }}", '23', '2', {
      data: { x: [1, 2, 3] },
    }),
  ],
  where: [difference(KEYED, "{{ x | where: 'k', 1 }}", '', NO_KEY, NUMBERS)],
  reject: [difference(KEYED, "{{ x | reject: 'k', 1 }}", '12', NO_KEY, NUMBERS)],
  where_exp: [],
  reject_exp: [],
  group_by: [],
  group_by_exp: [],
  has: [difference(KEYED, "{{ x | has: 'k', 1 }}", 'false', NO_KEY, NUMBERS)],
  has_exp: [],
  find_index: [difference(KEYED, "{{ x | find_index: 'k', 1 }}", '', NO_KEY, NUMBERS)],
  find_index_exp: [],
  find: [difference(KEYED, "{{ x | find: 'k', 1 }}", '', NO_KEY, NUMBERS)],
  find_exp: [],
  uniq: [difference(KEYED, "{{ x | uniq: 'k' }}", '12', NO_KEY, NUMBERS)],
  sample: [],
  date: [
    difference(
      'The format is required.',
      "{{ '2024-03-05' | date }}",
      'Tuesday, March 5, 2024 at 12:00 am +0000',
      'Liquid error (line 1): wrong number of arguments (given 1, expected 2)',
      { options: { liquidjs: { timezoneOffset: 0 }, ingot: {} } },
    ),
    difference(
      'A text keeps its own time zone.',
      "{{ '2024-03-05T14:07:00+05:00' | date: '%H:%M %z' }}",
      '09:07 +0000',
      '14:07 +0500',
      { options: { liquidjs: { timezoneOffset: 0 }, ingot: {} } },
    ),
  ],
  date_to_xmlschema: [],
  date_to_rfc822: [],
  date_to_string: [],
  date_to_long_string: [],
  append: [],
  prepend: [],
  lstrip: [difference(ARGUMENTS, "{{ 'xay' | lstrip: 'x' }}", 'ay', GIVEN_TWO)],
  downcase: [],
  upcase: [],
  remove: [],
  remove_first: [],
  remove_last: [],
  rstrip: [difference(ARGUMENTS, "{{ 'xay' | rstrip: 'y' }}", 'xa', GIVEN_TWO)],
  split: [
    difference('A space matches any white space.', "{{ x | split: ' ' | join: '+' }}", 'a\nb', 'a+b', {
      data: { x: 'a\nb' },
    }),
  ],
  strip: [difference(ARGUMENTS, "{{ 'xax' | strip: 'x' }}", 'a', GIVEN_TWO)],
  strip_newlines: [],
  squish: [],
  capitalize: [],
  replace: [
    difference('The result includes the empty text at both ends.', "{{ 'ab' | replace: '', '-' }}", 'a-b', '-a-b-'),
  ],
  replace_first: [],
  replace_last: [
    difference(
      'The second argument is required.',
      "{{ 'tea' | replace_last: 'a' }}",
      'te',
      'Liquid error (line 1): wrong number of arguments (given 2, expected 3)',
    ),
  ],
  truncate: [],
  truncatewords: [
    difference(
      'A text with exactly that many words stays unchanged.',
      "{{ 'tea' | truncatewords: 1 }}",
      'tea...',
      'tea',
    ),
  ],
  normalize_whitespace: [],
  number_of_words: [],
  array_to_sentence_string: [],
  base64_encode: [],
  base64_decode: [
    difference(
      'The padding is required.',
      "{{ 'YQ' | base64_decode }}",
      'a',
      'Liquid error (line 1): invalid base64 provided to base64_decode',
    ),
  ],
  sha256: [],
  hmac_sha256: [],
  default: [],
  raw: [],
  jsonify: [],
  to_integer: [],
  json: [],
  inspect: [],
}

const NOT = difference(
  'There is no `not`: write `unless`.',
  '{% if not x %}a{% endif %}',
  'a',
  'Liquid error (line 1): Unknown operator x',
)
const COUNTER = 'Counters ignore the data.'

/** Tags with their differences. Empty for identical tags, and for tags that Ingot lacks. */
export const LIQUIDJS_TAGS: Readonly<Record<string, readonly Difference[]>> = {
  assign: [],
  for: [
    difference(
      'Write `reversed` before `limit` and `offset`; after them, lax mode ignores it.',
      '{% for i in (1..3) limit: 2 reversed %}{{ i }}{% endfor %}',
      '21',
      '12',
    ),
    difference(
      'A nested loop can read the outer one.',
      '{% for a in (1..2) %}{% for b in (1..1) %}{{ forloop.parentloop.index }}{% endfor %}{% endfor %}',
      '',
      '12',
    ),
  ],
  capture: [],
  case: [
    difference(
      'A value that is written twice counts twice.',
      "{% case 'a' %}{% when 'a' or 'a' %}x{% endcase %}",
      'x',
      'xx',
    ),
  ],
  comment: [
    difference(
      'Comments can be nested.',
      '{% comment %}{% comment %}a{% endcomment %}b{% endcomment %}x',
      'Error: tag "endcomment" not found, line:1, col:45',
      'x',
    ),
  ],
  include: [
    difference('`for` renders the partial for each element.', "{% include 'p' for x %}", '<>', '<1><2>', {
      ...NUMBERS,
      files: { p: '<{{ p }}>' },
    }),
  ],
  render: [
    difference(
      'Partials see the data of the render, like static environments of the reference implementation.',
      "{% render 'p' %}",
      '',
      'Ada',
      { data: { name: 'Ada' }, files: { p: '{{ name }}' } },
    ),
    difference(
      'The name must be a literal: `include` takes a variable.',
      "{% assign q = 'p' %}{% render q %}",
      'P',
      "Error: Liquid syntax error (line 1): Syntax error in tag 'render' - Template name must be a quoted string",
      { files: { p: 'P' } },
    ),
  ],
  decrement: [difference(COUNTER, '{% decrement k %}', '4', '-1', { data: { k: 5 } })],
  increment: [difference(COUNTER, '{% increment k %}', '5', '0', { data: { k: 5 } })],
  cycle: [],
  if: [NOT, difference('`<>` means `!=`.', '{% if 1 <> 2 %}a{% endif %}', '', 'a')],
  layout: [],
  block: [],
  raw: [],
  tablerow: [
    difference(
      'Rows are on separate lines.',
      '{% tablerow i in (1..2) %}{{ i }}{% endtablerow %}',
      '<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr>',
      '<tr class="row1">\n<td class="col1">1</td><td class="col2">2</td></tr>\n',
    ),
  ],
  unless: [difference('`<>` means `!=`.', '{% unless 1 <> 2 %}a{% endunless %}', 'a', '')],
  break: [],
  continue: [],
  echo: [],
  liquid: [],
  '#': [],
}

/** Differences that apply everywhere. */
export const LIQUIDJS_VALUES: Readonly<Record<string, Difference>> = {
  arrays: difference(
    'An array used as text is its elements in brackets.',
    "{{ x | append: '!' }}",
    '12!',
    '[1, 2]!',
    NUMBERS,
  ),
  hashes: difference('A hash is printed with its keys and values.', '{{ h }}', '[object Object]', '{"a"=>1}', {
    data: { h: { a: 1 } },
  }),
  floats: difference('A float stays a float.', '{{ 3 | times: 1.0 }}', '3', '3.0'),
  'numbers in texts': difference('A text counts as its leading number.', "{{ '3 cups' | plus: 1 }}", '1', '4'),
  'true and false': difference('They count as 0.', '{{ true | plus: 1 }}', '2', '1'),
  'nil compared': difference('Nil is neither less nor greater than anything.', '{% if x < 1 %}a{% endif %}', 'a', '', {
    data: { x: null },
  }),
  'texts compared with numbers': difference(
    'This is an error.',
    "{% if 'a' < 1 %}a{% endif %}",
    '',
    'Liquid error (line 1): comparison of String with 1 failed',
  ),
  'backslashes in texts': difference(
    'They are plain characters: to write a quote in a text, use the other kind of quote around it.',
    '{{ "a\\tb" }}',
    'a\tb',
    'a\\tb',
  ),
  'first and last of a text': difference('They are its first and last character.', '{{ x.first }}', '', 't', {
    data: { x: 'tea' },
  }),
  errors: difference(
    "An error is printed in place, as in the reference implementation. `errors: 'raise'` throws it.",
    "a{% include 'none' %}b",
    'Error: ENOENT: Failed to lookup "none" in ".", line:1, col:2',
    'aLiquid error (line 1): Could not find asset noneb',
  ),
}

/** An option of liquidjs, or of one of its render methods. */
export interface LiquidjsOption {
  /** The corresponding option of Ingot; null if there is none. */
  readonly ours: string | null
  /** What to write, or a note; empty if the options are identical. */
  readonly says: string
  readonly differences: readonly Difference[]
}

const same = (ours: string): LiquidjsOption => ({
  ours,
  says: '',
  differences: [],
})
const changed = (ours: string, difference: Difference): LiquidjsOption => ({
  ours,
  says: '',
  differences: [difference],
})
const instead = (says: string, ours: string | null = null): LiquidjsOption => ({ ours, says, differences: [] })

const FOLDER = instead("Write `files: folder('views')`; names are paths from that folder.", 'files')
const HYPHEN = instead('Write a hyphen to remove white space: `{%-`, `-%}`, `{{-`, `-}}`.')
const DELIMITER = instead('The delimiters are always `{%`, `%}`, `{{` and `}}`.')
const STRICT = "The error is printed in place; `errors: 'raise'` throws it."

export const LIQUIDJS_OPTIONS: Readonly<Record<string, LiquidjsOption>> = {
  root: FOLDER,
  partials: FOLDER,
  layouts: FOLDER,
  relativeReference: instead('Names of partials are paths from the folder, independent of the calling file.'),
  jekyllInclude: instead('A partial reads its arguments by their plain names: `title`, not `include.title`.'),
  jekyllWhere: instead('`where` compares for equality; to match elements of an array, write a `for` with `contains`.'),
  extname: instead(
    "Names work with and without `.liquid`; for another extension use `folder('views', { extensions })`.",
    'files',
  ),
  cache: instead(
    'Compiled files are cached; `invalidate` picks up changed files, `textCache` limits texts.',
    'textCache',
  ),
  jsTruthy: instead('Only nil and false are falsy: compare with `0`, `blank` or `empty`.'),
  dynamicPartials: instead('`include` takes a variable, or a name in quotes; `render` takes a name in quotes.'),
  strictFilters: changed(
    'strictFilters',
    difference(
      STRICT,
      '{{ 1 | nope }}',
      'Error: undefined filter: nope, line:1, col:1',
      'Liquid error (line 1): undefined filter nope',
      {
        options: {
          liquidjs: { strictFilters: true },
          ingot: { strictFilters: true },
        },
      },
    ),
  ),
  strictVariables: changed(
    'strictVariables',
    difference(
      STRICT,
      '{{ x }}',
      'Error: undefined variable: x, line:1, col:4',
      'Liquid error (line 1): undefined variable x',
      {
        options: {
          liquidjs: { strictVariables: true },
          ingot: { strictVariables: true },
        },
      },
    ),
  ),
  catchAllErrors: instead(
    "Write `errors: 'inline'`; `engine.diagnostics` lists the errors found before a render.",
    'errors',
  ),
  ownPropertyOnly: instead('Prototypes are never read: `readable` declares what templates can read of a class.'),
  lenientIf: instead('With `strictVariables`, pass null for values that may be missing.', 'strictVariables'),
  timezoneOffset: instead("Write `timeZone: 'Europe/Paris'`; the default is UTC.", 'timeZone'),
  dateFormat: instead('Write the format: `date` requires one.'),
  locale: instead('`date` writes English names.'),
  trimTagRight: HYPHEN,
  trimTagLeft: HYPHEN,
  trimOutputRight: HYPHEN,
  trimOutputLeft: HYPHEN,
  tagDelimiterLeft: DELIMITER,
  tagDelimiterRight: DELIMITER,
  outputDelimiterLeft: DELIMITER,
  outputDelimiterRight: DELIMITER,
  preserveTimezones: instead('A text with a time zone always keeps it.'),
  greedy: instead('A hyphen removes all white space, including line breaks.'),
  fs: instead('Write `files: async (name) => …`, which returns the text or null.', 'files'),
  keyValueSeparator: instead('Names and values of arguments are separated by a colon.'),
  templates: instead('Write `files: { name: text }`.', 'files'),
  globals: same('globals'),
  keepOutputType: instead('`evaluate` returns the value of an expression.'),
  outputEscape: instead("`dialect: 'platform'` escapes in HTML; in base Liquid write `escape`.", 'dialect'),
  operators: instead('Write a custom filter, and `assign` its result.', 'filters'),
  orderedFilterParameters: instead('`offset` and `limit` are applied first, then `reversed`.'),
  groupedExpressions: instead('`assign` the value first.'),
  parseLimit: instead('Check the length of a text before passing it; `limits` bound the work of a render.', 'limits'),
  renderLimit: instead('Write `limits: { time }`, in milliseconds.', 'limits'),
  memoryLimit: instead('Write `limits: { output, assignScore }`.', 'limits'),
  sync: instead('Write `renderSync` and `parseAndRenderSync`.'),
  templateLimit: instead('Write `limits: { renderScore }`.', 'limits'),
}
