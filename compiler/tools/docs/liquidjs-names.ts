/**
 * Differences between liquidjs and Ingot, by name. Missing filters and tags are not listed, because the registries and the hints
 * for other Liquid dialects cover them. The tests run every example in both engines.
 */

/** A template that the two engines print differently. */
export interface Difference {
  /** A sentence; `code` in backticks. */
  readonly description: string
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

function difference(
  description: string,
  template: string,
  liquidjs: string,
  ingot: string,
  extras: Extras = {},
): Difference {
  return { description, template, liquidjs, ingot, ...extras }
}

const KEYLESS_ELEMENT_NOTE = 'An element that has no keys is an error.'
const MISSING_KEY_ERROR = "Liquid error (line 1): cannot select the property 'k'"
const NO_ARGUMENT_NOTE = 'Takes no argument: it removes only white space.'
const ARGUMENT_COUNT_ERROR = 'Liquid error (line 1): wrong number of arguments (given 2, expected 1)'
const NUMBERS_DATA = { data: { x: [1, 2] } }

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
  map: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | map: 'k' }}", '', MISSING_KEY_ERROR, NUMBERS_DATA)],
  sum: [
    difference(KEYLESS_ELEMENT_NOTE, "{{ x | sum: 'k' }}", '0', MISSING_KEY_ERROR, NUMBERS_DATA),
    difference('Nested arrays are added up, too.', '{{ x | sum }}', '3', '6', { data: { x: [[1, 2], [3]] } }),
  ],
  compact: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | compact: 'k' }}", '12', MISSING_KEY_ERROR, NUMBERS_DATA)],
  concat: [
    difference(
      'The argument must be an array.',
      "{{ x | concat: 'a' }}",
      '12a',
      'Liquid error (line 1): concat filter requires an array argument',
      NUMBERS_DATA,
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
  where: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | where: 'k', 1 }}", '', MISSING_KEY_ERROR, NUMBERS_DATA)],
  reject: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | reject: 'k', 1 }}", '12', MISSING_KEY_ERROR, NUMBERS_DATA)],
  where_exp: [],
  reject_exp: [],
  group_by: [],
  group_by_exp: [],
  has: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | has: 'k', 1 }}", 'false', MISSING_KEY_ERROR, NUMBERS_DATA)],
  has_exp: [],
  find_index: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | find_index: 'k', 1 }}", '', MISSING_KEY_ERROR, NUMBERS_DATA)],
  find_index_exp: [],
  find: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | find: 'k', 1 }}", '', MISSING_KEY_ERROR, NUMBERS_DATA)],
  find_exp: [],
  uniq: [difference(KEYLESS_ELEMENT_NOTE, "{{ x | uniq: 'k' }}", '12', MISSING_KEY_ERROR, NUMBERS_DATA)],
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
  lstrip: [difference(NO_ARGUMENT_NOTE, "{{ 'xay' | lstrip: 'x' }}", 'ay', ARGUMENT_COUNT_ERROR)],
  downcase: [],
  upcase: [],
  remove: [],
  remove_first: [],
  remove_last: [],
  rstrip: [difference(NO_ARGUMENT_NOTE, "{{ 'xay' | rstrip: 'y' }}", 'xa', ARGUMENT_COUNT_ERROR)],
  split: [
    difference('A space matches any white space.', "{{ x | split: ' ' | join: '+' }}", 'a\nb', 'a+b', {
      data: { x: 'a\nb' },
    }),
  ],
  strip: [difference(NO_ARGUMENT_NOTE, "{{ 'xax' | strip: 'x' }}", 'a', ARGUMENT_COUNT_ERROR)],
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

const NOT_DIFFERENCE = difference(
  'There is no `not`: write `unless`.',
  '{% if not x %}a{% endif %}',
  'a',
  'Liquid error (line 1): Unknown operator x',
)
const COUNTER_NOTE = 'Counters ignore the data.'

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
      ...NUMBERS_DATA,
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
  decrement: [difference(COUNTER_NOTE, '{% decrement k %}', '4', '-1', { data: { k: 5 } })],
  increment: [difference(COUNTER_NOTE, '{% increment k %}', '5', '0', { data: { k: 5 } })],
  cycle: [],
  if: [NOT_DIFFERENCE, difference('`<>` means `!=`.', '{% if 1 <> 2 %}a{% endif %}', '', 'a')],
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
    NUMBERS_DATA,
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
    'They are plain characters: to write a quote in a text, use the other kind of quote around it. Only in replacements, and in the texts of lists and objects, do they escape (pages, “Quotes, backslashes and line breaks”).',
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
  readonly ingotName: string | null
  /** What to write instead, or a note. Empty if the options are identical. */
  readonly description: string
  readonly differences: readonly Difference[]
}

const sameOption = (ingotName: string): LiquidjsOption => ({
  ingotName,
  description: '',
  differences: [],
})
const changedOption = (ingotName: string, difference: Difference): LiquidjsOption => ({
  ingotName,
  description: '',
  differences: [difference],
})
const replacedOption = (description: string, ingotName: string | null = null): LiquidjsOption => ({
  ingotName,
  description,
  differences: [],
})

const FOLDER_OPTION = replacedOption("Write `files: folder('views')`; names are paths from that folder.", 'files')
const HYPHEN_OPTION = replacedOption('Write a hyphen to remove white space: `{%-`, `-%}`, `{{-`, `-}}`.')
const DELIMITER_OPTION = replacedOption('The delimiters are always `{%`, `%}`, `{{` and `}}`.')
const STRICT_NOTE = "The error is printed in place; `errors: 'raise'` throws it."

export const LIQUIDJS_OPTIONS: Readonly<Record<string, LiquidjsOption>> = {
  root: FOLDER_OPTION,
  partials: FOLDER_OPTION,
  layouts: FOLDER_OPTION,
  relativeReference: replacedOption('Names of partials are paths from the folder, independent of the calling file.'),
  jekyllInclude: replacedOption('A partial reads its arguments by their plain names: `title`, not `include.title`.'),
  jekyllWhere: replacedOption(
    '`where` compares for equality; to match elements of an array, write a `for` with `contains`.',
  ),
  extname: replacedOption(
    "Names work with and without `.liquid`; for another extension use `folder('views', { extensions })`.",
    'files',
  ),
  cache: replacedOption(
    'Compiled files are cached; `invalidate` picks up changed files, `textCache` limits texts.',
    'textCache',
  ),
  jsTruthy: replacedOption('Only nil and false are falsy: compare with `0`, `blank` or `empty`.'),
  dynamicPartials: replacedOption('`include` takes a variable, or a name in quotes; `render` takes a name in quotes.'),
  strictFilters: changedOption(
    'strictFilters',
    difference(
      STRICT_NOTE,
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
  strictVariables: changedOption(
    'strictVariables',
    difference(
      STRICT_NOTE,
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
  catchAllErrors: replacedOption(
    "Write `errors: 'inline'`; `engine.diagnostics` lists the errors found before a render.",
    'errors',
  ),
  ownPropertyOnly: replacedOption('Prototypes are never read: `readable` declares what templates can read of a class.'),
  lenientIf: replacedOption('With `strictVariables`, pass null for values that may be missing.', 'strictVariables'),
  timezoneOffset: replacedOption("Write `timeZone: 'Europe/Paris'`; the default is UTC.", 'timeZone'),
  dateFormat: replacedOption('Write the format: `date` requires one.'),
  locale: replacedOption('`date` writes English names.'),
  trimTagRight: HYPHEN_OPTION,
  trimTagLeft: HYPHEN_OPTION,
  trimOutputRight: HYPHEN_OPTION,
  trimOutputLeft: HYPHEN_OPTION,
  tagDelimiterLeft: DELIMITER_OPTION,
  tagDelimiterRight: DELIMITER_OPTION,
  outputDelimiterLeft: DELIMITER_OPTION,
  outputDelimiterRight: DELIMITER_OPTION,
  preserveTimezones: replacedOption('A text with a time zone always keeps it.'),
  greedy: replacedOption('A hyphen removes all white space, including line breaks.'),
  fs: replacedOption('Write `files: async (name) => …`, which returns the text or null.', 'files'),
  keyValueSeparator: replacedOption('Names and values of arguments are separated by a colon.'),
  templates: replacedOption('Write `files: { name: text }`.', 'files'),
  globals: sameOption('globals'),
  keepOutputType: replacedOption('`evaluate` returns the value of an expression.'),
  outputEscape: replacedOption("`dialect: 'platform'` escapes in HTML; in base Liquid write `escape`.", 'dialect'),
  operators: replacedOption('Write a custom filter, and `assign` its result.', 'filters'),
  orderedFilterParameters: replacedOption('`offset` and `limit` are applied first, then `reversed`.'),
  groupedExpressions: replacedOption('`assign` the value first.'),
  parseLimit: replacedOption(
    'Check the length of a text before passing it; `limits` bound the work of a render.',
    'limits',
  ),
  renderLimit: replacedOption('Write `limits: { time }`, in milliseconds.', 'limits'),
  memoryLimit: replacedOption('Write `limits: { output, assignScore }`.', 'limits'),
  sync: replacedOption('Write `renderSync` and `parseAndRenderSync`.'),
  templateLimit: replacedOption('Write `limits: { renderScore }`.', 'limits'),
}
