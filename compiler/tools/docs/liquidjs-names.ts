/**
 * The names of liquidjs beside ours, a line each. Whether a filter or tag of ours exists is read from the registries, and what stands for one
 * that does not from the hints for other Liquids: here stands only what those cannot tell. The tests run every example in both engines.
 */

/** A template that the two do not print alike. */
export interface Difference {
  /** A sentence; `code` in backticks. */
  readonly says: string
  readonly template: string
  /** What each prints: `Error: …` with the message where it throws. */
  readonly liquidjs: string
  readonly ingot: string
  readonly data?: Readonly<Record<string, unknown>>
  /** Partials by their names. */
  readonly files?: Readonly<Record<string, string>>
  /** Beside the dialect, which is base Liquid. */
  readonly options?: { readonly liquidjs: object; readonly ingot: object }
}

type Extras = Pick<Difference, 'data' | 'files' | 'options'>

function differs(says: string, template: string, liquidjs: string, ingot: string, extras: Extras = {}): Difference {
  return { says, template, liquidjs, ingot, ...extras }
}

const KEYED = 'An element that has no keys is an error.'
const NO_KEY = "Liquid error (line 1): cannot select the property 'k'"
const ARGUMENTS = 'Takes no argument: white space alone is removed.'
const GIVEN_TWO = 'Liquid error (line 1): wrong number of arguments (given 2, expected 1)'
const NUMBERS = { data: { x: [1, 2] } }

/** Filters, with what differs: nothing for those that do the same, and for those that are not there. */
export const LIQUIDJS_FILTERS: Readonly<Record<string, readonly Difference[]>> = {
  escape: [differs('A double quote is `&quot;`.', `{{ '"' | escape }}`, '&#34;', '&quot;')],
  xml_escape: [],
  escape_once: [differs('A double quote is `&quot;`.', `{{ '"' | escape_once }}`, '&#34;', '&quot;')],
  newline_to_br: [],
  strip_html: [],
  abs: [],
  at_least: [],
  at_most: [],
  ceil: [],
  divided_by: [
    differs('Two integers give an integer, rounded down.', '{{ 7 | divided_by: 2 }}', '3.5', '3'),
    differs('Dividing by 0 is an error.', '{{ 7 | divided_by: 0 }}', 'Infinity', 'Liquid error (line 1): divided by 0'),
  ],
  floor: [],
  minus: [differs('Decimal fractions are exact.', '{{ 3.14159 | minus: 2 }}', '1.1415899999999999', '1.14159')],
  plus: [differs('Decimal fractions are exact.', '{{ 0.1 | plus: 0.2 }}', '0.30000000000000004', '0.3')],
  modulo: [
    differs('Dividing by 0 is an error.', '{{ 7 | modulo: 0 }}', 'NaN', 'Liquid error (line 1): divided by 0'),
    differs('Decimal fractions are exact.', '{{ 3.14159 | modulo: 2 }}', '1.1415899999999999', '1.14159'),
  ],
  times: [differs('Decimal fractions are exact.', '{{ 0.1 | times: 3 }}', '0.30000000000000004', '0.3')],
  round: [],
  url_decode: [
    differs('A lone `%` stays.', "{{ '100%' | url_decode }}", 'Error: URI malformed, line:1, col:1', '100%'),
  ],
  url_encode: [differs('A single quote is encoded.', `{{ "it's" | url_encode }}`, "it's", 'it%27s')],
  cgi_escape: [],
  uri_escape: [],
  slugify: [],
  join: [
    differs('Arrays in the array are joined by the same text.', "{{ x | join: '-' }}", '1,2-3', '1-2-3', {
      data: { x: [[1, 2], [3]] },
    }),
  ],
  last: [],
  first: [
    differs('A hash has a first pair.', "{{ h | first | join: '=' }}", '', 'a=1', { data: { h: { a: 1, b: 2 } } }),
  ],
  reverse: [
    differs('Arrays in the array are reversed, too.', '{{ x | reverse }}', '312', '321', {
      data: { x: [[1, 2], [3]] },
    }),
  ],
  sort: [
    differs(
      'Values that cannot be compared are an error.',
      '{{ x | sort }}',
      '2a1',
      'Liquid error (line 1): cannot sort values of incompatible types',
      { data: { x: [2, 'a', 1] } },
    ),
  ],
  sort_natural: [],
  size: [
    differs('A hash has a size.', '{{ h | size }}', '0', '2', {
      data: { h: { a: 1, b: 2 } },
    }),
  ],
  map: [differs(KEYED, "{{ x | map: 'k' }}", '', NO_KEY, NUMBERS)],
  sum: [
    differs(KEYED, "{{ x | sum: 'k' }}", '0', NO_KEY, NUMBERS),
    differs('Arrays in the array are added up, too.', '{{ x | sum }}', '3', '6', { data: { x: [[1, 2], [3]] } }),
  ],
  compact: [differs(KEYED, "{{ x | compact: 'k' }}", '12', NO_KEY, NUMBERS)],
  concat: [
    differs(
      'The argument has to be an array.',
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
    differs('One element also for a position that is a text.', "{{ x | slice: '1' }}", '23', '2', {
      data: { x: [1, 2, 3] },
    }),
  ],
  where: [differs(KEYED, "{{ x | where: 'k', 1 }}", '', NO_KEY, NUMBERS)],
  reject: [differs(KEYED, "{{ x | reject: 'k', 1 }}", '12', NO_KEY, NUMBERS)],
  where_exp: [],
  reject_exp: [],
  group_by: [],
  group_by_exp: [],
  has: [differs(KEYED, "{{ x | has: 'k', 1 }}", 'false', NO_KEY, NUMBERS)],
  has_exp: [],
  find_index: [differs(KEYED, "{{ x | find_index: 'k', 1 }}", '', NO_KEY, NUMBERS)],
  find_index_exp: [],
  find: [differs(KEYED, "{{ x | find: 'k', 1 }}", '', NO_KEY, NUMBERS)],
  find_exp: [],
  uniq: [differs(KEYED, "{{ x | uniq: 'k' }}", '12', NO_KEY, NUMBERS)],
  sample: [],
  date: [
    differs(
      'The format has to be there.',
      "{{ '2024-03-05' | date }}",
      'Tuesday, March 5, 2024 at 12:00 am +0000',
      'Liquid error (line 1): wrong number of arguments (given 1, expected 2)',
      { options: { liquidjs: { timezoneOffset: 0 }, ingot: {} } },
    ),
    differs(
      'A text keeps the zone that it has.',
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
  lstrip: [differs(ARGUMENTS, "{{ 'xay' | lstrip: 'x' }}", 'ay', GIVEN_TWO)],
  downcase: [],
  upcase: [],
  remove: [],
  remove_first: [],
  remove_last: [],
  rstrip: [differs(ARGUMENTS, "{{ 'xay' | rstrip: 'y' }}", 'xa', GIVEN_TWO)],
  split: [
    differs('A space stands for any white space.', "{{ x | split: ' ' | join: '+' }}", 'a\nb', 'a+b', {
      data: { x: 'a\nb' },
    }),
  ],
  strip: [differs(ARGUMENTS, "{{ 'xax' | strip: 'x' }}", 'a', GIVEN_TWO)],
  strip_newlines: [],
  squish: [],
  capitalize: [],
  replace: [differs('The empty text stands at both ends, too.', "{{ 'ab' | replace: '', '-' }}", 'a-b', '-a-b-')],
  replace_first: [],
  replace_last: [
    differs(
      'The second argument has to be there.',
      "{{ 'tea' | replace_last: 'a' }}",
      'te',
      'Liquid error (line 1): wrong number of arguments (given 2, expected 3)',
    ),
  ],
  truncate: [],
  truncatewords: [
    differs('A text of that many words is left as it is.', "{{ 'tea' | truncatewords: 1 }}", 'tea...', 'tea'),
  ],
  normalize_whitespace: [],
  number_of_words: [],
  array_to_sentence_string: [],
  base64_encode: [],
  base64_decode: [
    differs(
      'The padding has to be there.',
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

const NOT = differs(
  'There is no `not`: write `unless`.',
  '{% if not x %}a{% endif %}',
  'a',
  'Liquid error (line 1): Unknown operator x',
)
const COUNTER = 'Counters know nothing of the data.'

/** Tags, with what differs: nothing for those that do the same, and for those that are not there. */
export const LIQUIDJS_TAGS: Readonly<Record<string, readonly Difference[]>> = {
  assign: [],
  for: [
    differs(
      '`reversed` stands in front of `limit` and `offset`; behind them lax mode passes over it.',
      '{% for i in (1..3) limit: 2 reversed %}{{ i }}{% endfor %}',
      '21',
      '12',
    ),
    differs(
      'A loop in a loop knows the outer one.',
      '{% for a in (1..2) %}{% for b in (1..1) %}{{ forloop.parentloop.index }}{% endfor %}{% endfor %}',
      '',
      '12',
    ),
  ],
  capture: [],
  case: [
    differs(
      'A value that is written twice counts twice.',
      "{% case 'a' %}{% when 'a' or 'a' %}x{% endcase %}",
      'x',
      'xx',
    ),
  ],
  comment: [
    differs(
      'Comments may stand in comments.',
      '{% comment %}{% comment %}a{% endcomment %}b{% endcomment %}x',
      'Error: tag "endcomment" not found, line:1, col:45',
      'x',
    ),
  ],
  include: [
    differs('`for` renders the partial for each element.', "{% include 'p' for x %}", '<>', '<1><2>', {
      ...NUMBERS,
      files: { p: '<{{ p }}>' },
    }),
  ],
  render: [
    differs(
      'Partials see the data of the render, as the reference has it for static environments.',
      "{% render 'p' %}",
      '',
      'Ada',
      { data: { name: 'Ada' }, files: { p: '{{ name }}' } },
    ),
    differs(
      'The name has to be written out: `include` takes a variable.',
      "{% assign q = 'p' %}{% render q %}",
      'P',
      "Error: Liquid syntax error (line 1): Syntax error in tag 'render' - Template name must be a quoted string",
      { files: { p: 'P' } },
    ),
  ],
  decrement: [differs(COUNTER, '{% decrement k %}', '4', '-1', { data: { k: 5 } })],
  increment: [differs(COUNTER, '{% increment k %}', '5', '0', { data: { k: 5 } })],
  cycle: [],
  if: [NOT, differs('`<>` means `!=`.', '{% if 1 <> 2 %}a{% endif %}', '', 'a')],
  layout: [],
  block: [],
  raw: [],
  tablerow: [
    differs(
      'Rows are broken into lines.',
      '{% tablerow i in (1..2) %}{{ i }}{% endtablerow %}',
      '<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr>',
      '<tr class="row1">\n<td class="col1">1</td><td class="col2">2</td></tr>\n',
    ),
  ],
  unless: [differs('`<>` means `!=`.', '{% unless 1 <> 2 %}a{% endunless %}', 'a', '')],
  break: [],
  continue: [],
  echo: [],
  liquid: [],
  '#': [],
}

/** What differs wherever it stands. */
export const LIQUIDJS_VALUES: Readonly<Record<string, Difference>> = {
  arrays: differs(
    'An array where a text is wanted is its elements in brackets.',
    "{{ x | append: '!' }}",
    '12!',
    '[1, 2]!',
    NUMBERS,
  ),
  hashes: differs('A hash is printed with its keys and values.', '{{ h }}', '[object Object]', '{"a"=>1}', {
    data: { h: { a: 1 } },
  }),
  floats: differs('A float stays one.', '{{ 3 | times: 1.0 }}', '3', '3.0'),
  'numbers in texts': differs('A text counts as the number that it begins with.', "{{ '3 cups' | plus: 1 }}", '1', '4'),
  'true and false': differs('They count as 0.', '{{ true | plus: 1 }}', '2', '1'),
  'nil compared': differs('Nil is neither less nor more than anything.', '{% if x < 1 %}a{% endif %}', 'a', '', {
    data: { x: null },
  }),
  'texts compared with numbers': differs(
    'That is an error.',
    "{% if 'a' < 1 %}a{% endif %}",
    '',
    'Liquid error (line 1): comparison of String with 1 failed',
  ),
  'backslashes in texts': differs(
    'They are backslashes: a text with one kind of quote is written between the other.',
    '{{ "a\\tb" }}',
    'a\tb',
    'a\\tb',
  ),
  'first and last of a text': differs('Its first and last character.', '{{ x.first }}', '', 't', {
    data: { x: 'tea' },
  }),
  errors: differs(
    "An error is printed in its place, as the reference does it. `errors: 'raise'` throws it.",
    "a{% include 'none' %}b",
    'Error: ENOENT: Failed to lookup "none" in ".", line:1, col:2',
    'aLiquid error (line 1): Could not find asset noneb',
  ),
}

/** An option of liquidjs, or of one of its renders. */
export interface OptionOfLiquidjs {
  /** Our option that stands for it; null where none does. */
  readonly ours: string | null
  /** What to write, or what holds anyway; nothing where ours is the same. */
  readonly says: string
  readonly differences: readonly Difference[]
}

const same = (ours: string): OptionOfLiquidjs => ({
  ours,
  says: '',
  differences: [],
})
const changed = (ours: string, difference: Difference): OptionOfLiquidjs => ({
  ours,
  says: '',
  differences: [difference],
})
const instead = (says: string, ours: string | null = null): OptionOfLiquidjs => ({ ours, says, differences: [] })

const FOLDER = instead("Write `files: folder('views')`; names are paths from that folder.", 'files')
const HYPHEN = instead('Write a hyphen where white space is to go: `{%-`, `-%}`, `{{-`, `-}}`.')
const DELIMITER = instead('Templates are written with `{%`, `%}`, `{{` and `}}`.')
const STRICT = "The error is printed in its place; `errors: 'raise'` throws it."

export const LIQUIDJS_OPTIONS: Readonly<Record<string, OptionOfLiquidjs>> = {
  root: FOLDER,
  partials: FOLDER,
  layouts: FOLDER,
  relativeReference: instead('Names of partials are paths from the folder, wherever the tag stands.'),
  jekyllInclude: instead('A partial reads what it is handed by its bare name: `title`, not `include.title`.'),
  jekyllWhere: instead('`where` compares; for elements of an array write a `for` with `contains`.'),
  extname: instead(
    "Names go with and without `.liquid`; for another ending `folder('views', { extensions })`.",
    'files',
  ),
  cache: instead(
    'What is compiled is kept; `invalidate` takes over changed files, `textCache` bounds texts.',
    'textCache',
  ),
  jsTruthy: instead('Only nil and false do not hold: compare with `0`, `blank` or `empty`.'),
  dynamicPartials: instead('`include` takes a variable, or a name in quotes; `render` a name in quotes.'),
  strictFilters: changed(
    'strictFilters',
    differs(
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
    differs(
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
    "Write `errors: 'inline'`; `engine.diagnostics` lists what is found before a render.",
    'errors',
  ),
  ownPropertyOnly: instead('Prototypes are never read: `readable` declares what templates see of a class.'),
  lenientIf: instead('With `strictVariables`, hand in null for what may be missing.', 'strictVariables'),
  timezoneOffset: instead("Write `timeZone: 'Europe/Paris'`; UTC where it is not given.", 'timeZone'),
  dateFormat: instead('Write the format: `date` needs one.'),
  locale: instead('`date` writes English names.'),
  trimTagRight: HYPHEN,
  trimTagLeft: HYPHEN,
  trimOutputRight: HYPHEN,
  trimOutputLeft: HYPHEN,
  tagDelimiterLeft: DELIMITER,
  tagDelimiterRight: DELIMITER,
  outputDelimiterLeft: DELIMITER,
  outputDelimiterRight: DELIMITER,
  preserveTimezones: instead('A text that has a zone always keeps it.'),
  greedy: instead('A hyphen takes all white space, lines included.'),
  fs: instead('Write `files: async (name) => …`, which gives the text or null.', 'files'),
  keyValueSeparator: instead('Names and values of arguments are parted by a colon.'),
  templates: instead('Write `files: { name: text }`.', 'files'),
  globals: same('globals'),
  keepOutputType: instead('`evaluate` gives the value of an expression.'),
  outputEscape: instead("`dialect: 'platform'` escapes in HTML; in base Liquid write `escape`.", 'dialect'),
  operators: instead('Write a filter of your own, and `assign` what it gives.', 'filters'),
  orderedFilterParameters: instead('The part by `offset` and `limit` is taken first, and then reversed.'),
  groupedExpressions: instead('`assign` the value before.'),
  parseLimit: instead('Measure a text before it is handed in; what a render may do is bounded by `limits`.', 'limits'),
  renderLimit: instead('Write `limits: { time }`, in milliseconds.', 'limits'),
  memoryLimit: instead('Write `limits: { output, assignScore }`.', 'limits'),
  sync: instead('Write `renderSync` and `parseAndRenderSync`.'),
  templateLimit: instead('Write `limits: { renderScore }`.', 'limits'),
}
