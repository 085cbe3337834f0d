/**
 * Suggests rewrites of a tag or output that cannot be parsed, such as syntax of other languages or a missing character. The caller checks
 * whether a rewrite parses.
 */

/** A tag or output that cannot be parsed, without its delimiters. */
interface UnreadableMarkup {
  readonly output: boolean
  /** The text between the delimiters, trimmed. */
  readonly inner: string
  /** Whether an end tag with the name of this tag follows. */
  readonly isClosed: boolean
  readonly filters: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

/** A rewrite. `output` and `tag` keep a single pair of delimiters; `whole` contains its own. */
type Rewrite = { readonly as: 'output' | 'tag' | 'whole'; readonly text: string }

const asOutput = (text: string): Rewrite => ({ as: 'output', text })
const asTag = (text: string): Rewrite => ({ as: 'tag', text })
const asWhole = (text: string): Rewrite => ({ as: 'whole', text })

const WORD = String.raw`[A-Za-z_][\w-]*`
const TEXT = String.raw`"[^"\n]*"|'[^'\n]*'`
/** A variable with its properties, a text or a number. */
const VALUE = String.raw`(?:${TEXT}|-?\d+(?:\.\d+)?|${WORD}(?:\.${WORD}|\[[^\]\n]*\])*)`

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divided_by',
  '%': 'modulo',
}

/** Methods of other languages, and the filters or properties to use instead. */
const METHODS: Readonly<Record<string, string>> = {
  toUpperCase: ' | upcase',
  upper: ' | upcase',
  uppercase: ' | upcase',
  toLowerCase: ' | downcase',
  lower: ' | downcase',
  lowercase: ' | downcase',
  trim: ' | strip',
  length: '.size',
  count: '.size',
  size: '.size',
  first: '.first',
  last: '.last',
  toString: " | append: ''",
}

/** Comparison operators of other languages. */
const COMPARISONS: readonly (readonly [RegExp, string])[] = [
  [/\s(?:!==|<>|is\s+not|isnt|neq?|not\s+equals?)\s/gi, ' != '],
  [/\s(?:={1,3}|is|eq|eqv|equals?)\s/gi, ' == '],
  [/\s(?:=<|lte?q?|le)\s/gi, ' <= '],
  [/\s(?:=>|gte?q?|ge)\s/gi, ' >= '],
  [/\s(?:includes|has|like|matches)\s/gi, ' contains '],
]

/** Yields the probable rewrites, most likely first. */
export function* rewrites(markup: UnreadableMarkup): Generator<Rewrite> {
  const { inner, output, tags } = markup
  const withStraightQuotes = inner.replace(/[“”„«»]/g, '"').replace(/[‘’]/g, "'")
  if (withStraightQuotes !== inner) yield { as: output ? 'output' : 'tag', text: withStraightQuotes }
  if (output) yield* rewritesOfOutput(withStraightQuotes, markup)
  else yield* rewritesOfTag(withStraightQuotes, markup)
  const withSingleCommas = inner.replace(
    new RegExp(`(${TEXT})|,(?:\\s*,)+`, 'g'),
    (_, text: string | undefined) => text ?? ',',
  )
  if (withSingleCommas !== inner) yield { as: output ? 'output' : 'tag', text: withSingleCommas }
  // Removes surplus delimiters and brackets.
  const withoutDelimiters = inner.replace(/\{\{-?\s*([^{}]*?)\s*-?\}\}/g, '$1')
  if (withoutDelimiters !== inner && !output) yield asTag(withoutDelimiters)
  const head = /^([a-z_]+)(?:\s*\(([^]*)\)|\s+=\s*([^]+))$/.exec(inner)
  if (!output && head?.[1] !== undefined && tags.has(head[1]))
    yield asTag(`${head[1]} ${(head[2] ?? head[3] ?? '').trim()}`)
}

function* rewritesOfOutput(inner: string, markup: UnreadableMarkup): Generator<Rewrite> {
  const first = /^([a-z_]+)\s+[^|\s]/.exec(inner)?.[1]
  if (first !== undefined && markup.tags.has(first)) yield asTag(inner)
  const printedText = /^(?:print|echo|puts|write|printf)\s*\(([^()]*)\)$/.exec(inner)?.[1]
  if (printedText !== undefined) yield asOutput(printedText.trim())
  const choice = ternary(inner)
  if (choice !== null)
    yield asWhole(`{% if ${choice.test} %}{{ ${choice.yes} }}{% else %}{{ ${choice.no} }}{% endif %}`)
  for (const text of rewritesOfValue(inner, markup)) yield asOutput(text)
}

function* rewritesOfTag(inner: string, markup: UnreadableMarkup): Generator<Rewrite> {
  const [, name = '', rest = ''] = /^([^\s(:]*)\s*([^]*)$/.exec(inner) ?? []
  if (name === '//' || name === '/*' || name === '--') yield asTag(`# ${rest.replace(/\s*\*\/$/, '')}`.trim())
  yield* REWRITES.get(name)?.(rest, name, markup) ?? []
  if (!markup.tags.has(name)) {
    const joined = /^assign(\w+\s*=(?!=)[^]*)$/.exec(inner)?.[1]
    if (joined !== undefined) yield asTag(`assign ${joined}`)
    // An assignment without `assign`, or a value in the wrong delimiters.
    if (/^[a-z_][\w.[\]"']*\s*(?:=(?!=)|<<)/i.test(inner)) yield asTag(`assign ${inner}`)
    else if (new RegExp(`^${VALUE}(?:\\s*\\|[^]*)?$`).test(inner) && /[.|[]/.test(inner)) yield asOutput(inner)
  }
}

type RewriteTag = (rest: string, name: string, markup: UnreadableMarkup) => Iterable<Rewrite>

/** The rewrites of tags, by the names of the tags and of similar ones in other languages. */
const REWRITES: ReadonlyMap<string, RewriteTag> = new Map(
  Object.entries<RewriteTag>({
    assign: (rest, _, markup) => rewritesOfAssign(rest, markup),
    'set let var const': (rest, _, markup) => [asTag(`assign ${rest}`), ...rewritesOfAssign(rest, markup)],
    'if unless elsif elif elseif': (rest, name) => rewritesOfCondition(name, rest),
    switch: (rest) => [asTag(`case ${rest.replace(/^\(([^]*)\)$/, '$1')}`)],
    foreach: (rest) => [asTag(`for ${rest}`), ...rewritesOfLoop(rest, 'for')],
    'for tablerow': (rest, name) => rewritesOfLoop(rest, name),
    when: (rest) => [asTag(`when ${rest.replace(/\s+and\s+/g, ', ').replace(/\s*\|\|?\s*/g, ', ')}`)],
    'otherwise default': () => [asTag('else')],
    'import partial component template': (rest) => rewritesOfCall('render', rest),
    'render include include_form': (rest, name) => rewritesOfCall(name, rest),
    function: (rest) => rewritesOfCall('function', rest, 'result'),
    graphql: (rest, _, { isClosed }) => (isClosed ? [] : rewritesOfCall('graphql', rest, 'result')),
    background: (rest, _, { isClosed }) =>
      // A string before a body cannot be the name of a partial, so it is the label of the job.
      isClosed
        ? [asTag(`background ${rest.replace(/^["']/, 'source_name: $&')}`)]
        : rewritesOfCall('background', rest, 'job'),
    'echo print return': (rest, name, markup) =>
      [...rewritesOfValue(rest.replace(/^=\s*/, ''), markup)].map((text) => asTag(`${name} ${text}`)),
    'session export': (rest, name) =>
      /^\w+\s*:\s*\S/.test(rest) ? [asTag(`${name} ${rest.replace(/\s*:\s*/, ' = ')}`)] : [],
    redirect_to: (rest, name) =>
      /^\/[\w/-]*(?=,|$)/.test(rest) ? [asTag(`${name} ${rest.replace(/^[^,\s]+/, "'$&'")}`)] : [],
    sign_in: (rest) => (/^[\w.]+$/.test(rest) ? [asTag(`sign_in user_id: ${rest}`)] : []),
  }).flatMap(([names, rewrite]) => names.split(' ').map((name) => [name, rewrite] as const)),
)

/** Yields rewrites of a tag with a condition. `name` may come from another language. */
function* rewritesOfCondition(name: string, rest: string): Generator<Rewrite> {
  for (const text of conditionTexts(rest)) {
    if (name === 'if' && text.startsWith('unless ')) yield asTag(text)
    else if (name === 'unless' && text.startsWith('unless ')) yield asTag(`if ${text.slice(7)}`)
    else if (!text.startsWith('unless ')) yield asTag(`${name.startsWith('el') ? 'elsif' : name} ${text}`)
  }
  if (name === 'if' || name === 'unless') {
    const filtered = new RegExp(
      `^(${VALUE})\\s*\\|\\s*([a-z_]+)((?::[^=<>!]*?)?)(\\s*(?:[=<>!]=?|contains\\s)[^|]*)?$`,
    ).exec(rest)
    if (filtered !== null)
      yield asWhole(
        `{% assign ${filtered[2]} = ${filtered[1]} | ${filtered[2]}${filtered[3]} %}{% ${name} ${filtered[2]}${filtered[4] ?? ''} %}`,
      )
  }
}

function* rewritesOfAssign(rest: string, markup: UnreadableMarkup): Generator<Rewrite> {
  const counterMatch = /^([\w.]+)\s*(?:\+\+|--)$/.exec(rest)
  if (counterMatch !== null)
    yield asTag(`assign ${counterMatch[1]} = ${counterMatch[1]} | ${rest.endsWith('+') ? 'plus' : 'minus'}: 1`)
  const updateMatch = /^([\w.]+)\s*([-+*/%])=\s*([^]+)$/.exec(rest)
  if (updateMatch !== null)
    yield asTag(
      `assign ${updateMatch[1]} = ${updateMatch[1]} | ${updateMatch[2] === '+' && /^["']/.test(updateMatch[3] ?? '') ? 'append' : ARITHMETIC[updateMatch[2] ?? '']}: ${updateMatch[3]}`,
    )
  const pushMatch = /^([\w.]+)\.(?:push|add|append)\s*\(?([^]*?)\)?$/.exec(rest)
  if (pushMatch !== null) yield asTag(`assign ${pushMatch[1]} << ${pushMatch[2]?.trim()}`)
  const assignments = rest.split(/,\s*(?=[a-z_]\w*\s*=(?!=))/i)
  if (assignments.length > 1 && !/["'][^"']*,/.test(rest.replace(new RegExp(TEXT, 'g'), '')))
    yield { as: 'whole', text: assignments.map((each) => `{% assign ${each.trim()} %}`).join('') }
  const target = /^(["']?)([A-Za-z_][\w.-]*(?:\.?\[[^\]]*\])*)\1\s*(?::=|={1,3}|:|\s)\s*([^]+)$/.exec(rest)
  if (target === null) return
  const name = (target[2] ?? '').replaceAll('.[', '[').replace(/^\$/, '')
  const value = target[3] ?? ''
  if (rest !== `${name} = ${value}`) yield asTag(`assign ${name} = ${value}`)
  const choice = ternary(value)
  if (choice !== null)
    yield asWhole(
      `{% if ${choice.test} %}{% assign ${name} = ${choice.yes} %}{% else %}{% assign ${name} = ${choice.no} %}{% endif %}`,
    )
  for (const text of rewritesOfValue(value, markup)) yield asTag(`assign ${name} = ${text}`)
}

function ternary(text: string): { test: string; yes: string; no: string } | null {
  const match = new RegExp(`^([^?{}|]+?)\\s*\\?\\s*(${VALUE})\\s*:\\s*(${VALUE})$`).exec(text)
  return match === null ? null : { test: match[1] ?? '', yes: match[2] ?? '', no: match[3] ?? '' }
}

/** Yields rewrites of a value with filters. */
function* rewritesOfValue(text: string, { filters }: UnreadableMarkup): Generator<string> {
  const steps: ((text: string) => string)[] = [
    (markup) => markup.replace(/^\{\s*([^{}:]+?)\s*\}?$/, '$1'),
    (markup) => markup.replace(/(^|[\s:,])[$@](?=[a-z_])/gi, '$1'),
    (markup) => markup.replace(/(\w)(?:-\s*>|\?\.|&\.|::)(?=[a-z_])/gi, '$1.'),
    (markup) => markup.replace(/\|\|(?=\s*([a-z_]+)\b)/g, (bars, name: string) => (filters.has(name) ? '|' : bars)),
    (markup) => markup.replace(/\s*(?:\|\||\?\?)\s*/g, ' | default: '),
    (markup) => replaceMethods(markup, filters),
    (markup) => withArithmeticFilters(markup),
    (markup) => markup.replace(new RegExp(`^(${VALUE})\\s+[.&]\\s+(${VALUE})$`), '$1 | append: $2'),
    (markup) =>
      markup.replace(/^\(([^()]*,[^()]*)\)$/, (_, items: string) => `[${items.replace(/'([^'"\n]*)'/g, '"$1"')}]`),
    (markup) => markup.replace(/\|\s*([a-z_]\w*)\s*\(\s*\)/gi, '| $1'),
    (markup) => markup.replace(/\|\s*([a-z_]\w*)\s*\(([^()]*)\)/gi, '| $1: $2'),
    (markup) => markup.replace(/\|\s*([a-z_]\w*)\s*=\s*/gi, '| $1: '),
    (markup) => markup.replace(/\|\s*([a-z_]\w*)\s+(?=["'\w-])/gi, '| $1: '),
    (markup) => withArgumentCommas(markup),
    (markup) => moveFilterAfterValue(markup, filters),
    (markup) =>
      markup.replace(new RegExp(`^(${VALUE})\\s+([a-z_]+)\\b`), (match, value: string, name: string) =>
        filters.has(name) ? `${value} | ${name}` : match,
      ),
    (markup) => markup.replace(/'([^'"\n]*\w)'(\w[^'"\n|,:]*)'/g, `"$1'$2"`),
    (markup) => withJsonLiteral(markup),
    (markup) => withClosingBrackets(markup),
    (markup) => markup.replace(/\|\s*$/, '').trim(),
  ]
  let rewritten = text
  for (const step of steps) {
    const stepResult = step(text)
    if (stepResult !== text) yield stepResult
    rewritten = step(rewritten)
  }
  if (rewritten !== text) yield rewritten
}

/** Replaces method calls such as `x.trim()` and `x.join(', ')`. */
function replaceMethods(text: string, filters: ReadonlySet<string>): string {
  return text.replace(/\.([a-zA-Z_]+)\(([^()]*)\)/g, (match, name: string, argumentText: string) => {
    const known = argumentText.trim() === '' && Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
    if (known !== undefined) return known
    return filters.has(name) ? ` | ${name}${argumentText.trim() === '' ? '' : `: ${argumentText.trim()}`}` : match
  })
}

function withArithmeticFilters(text: string): string {
  const match = new RegExp(`^(${VALUE})((?:\\s*[-+*/%]\\s*${VALUE})+)(\\s*\\|[^]*)?$`).exec(text)
  if (match === null) return text
  const [, first = '', operations = '', rest = ''] = match
  const texts = /["']/.test(first + operations)
  return `${first}${operations.replace(
    new RegExp(`\\s*([-+*/%])\\s*(${VALUE})`, 'g'),
    (_, sign: string, value: string) => ` | ${texts && sign === '+' ? 'append' : ARITHMETIC[sign]}: ${value}`,
  )}${rest}`
}

/** Adds missing commas between the arguments of a filter. */
function withArgumentCommas(text: string): string {
  return text.replace(
    /(\|\s*[a-z_]\w*:)([^|]*)/g,
    (_, head: string, argumentText: string) =>
      head + argumentText.replace(new RegExp(`(${TEXT}|\\d)(\\s+)(?=${TEXT}|[\\w-])`, 'g'), '$1,$2'),
  )
}

/** Moves a filter after its value: `upcase x`, `t('key')`. */
function moveFilterAfterValue(text: string, filters: ReadonlySet<string>): string {
  const match = new RegExp(
    `^([a-z_]+)(?:\\s*\\(\\s*(${VALUE})\\s*(?:,\\s*([^()]*))?\\)|\\s+(${VALUE})\\s*(?:,\\s*([^|]*))?)(\\s*\\|[^]*)?$`,
  ).exec(text)
  if (match === null || !filters.has(match[1] ?? '')) return text
  const argumentText = match[3] ?? match[5]
  return `${match[2] ?? match[4]} | ${match[1]}${argumentText === undefined ? '' : `: ${argumentText.trim()}`}${match[6] ?? ''}`
}

/** Rewrites hash and array literals as JSON. */
function withJsonLiteral(text: string): string {
  if (!/^[{[]/.test(text)) return text
  return text
    .replace(/'([^'"\n]*)'/g, '"$1"')
    .replace(/("\w+"|\b[a-z_]\w*)\s*=>?\s*/g, '$1: ')
    .replace(/("[^"\n]*"|\d|[\]}])([ \t]+)(?=["{[\d])/g, '$1,$2')
    .replace(/([^\s,{[:])(\s*\n\s*)(?=["{[]|[a-z_]+:)/g, '$1,$2')
    .replace(/,(\s*[}\]])/g, '$1')
    .replace(/,\s*$/, '')
}

/** Adds the closing brackets that are missing at the end. */
function withClosingBrackets(text: string): string {
  const bareName = text.replace(new RegExp(TEXT, 'g'), (found) => ' '.repeat(found.length))
  const missingNames: string[] = []
  for (const char of bareName) {
    if (char === '[') missingNames.unshift(']')
    else if (char === '{') missingNames.unshift('}')
    else if (char === '(') missingNames.unshift(')')
    else if (char === missingNames[0]) missingNames.shift()
  }
  if (missingNames.length === 0) return text
  const pipe = bareName.indexOf('|')
  const end = pipe < 0 ? text.length : pipe
  return `${text.slice(0, end).trimEnd().replace(/,$/, '')}${missingNames.join('')}${pipe < 0 ? '' : ` ${text.slice(pipe)}`}`
}

/** Yields rewrites of a condition. A text that begins with `unless ` negates a whole `if`. */
function* conditionTexts(text: string): Generator<string> {
  const negatedValue = new RegExp(`^(?:!|not\\s+)\\s*\\(?\\s*(${VALUE})\\s*\\)?$`, 'i').exec(text)
  if (negatedValue !== null) yield `unless ${negatedValue[1]}`
  const steps: ((text: string) => string)[] = [
    (markup) => markup.replace(/\s+(?:then|do)$|\s*:$/i, ''),
    (markup) => markup.replace(/\s*&&?\s*/g, ' and ').replace(/\s*\|\|\s*/g, ' or '),
    (markup) => markup.replace(/\s+AND\s+/g, ' and ').replace(/\s+OR\s+/g, ' or '),
    (markup) => markup.replace(new RegExp(`(^|\\s)(?:!|not\\s+)\\s*(${VALUE})(?=\\s|$)`, 'g'), '$1$2 == false'),
    (markup) => COMPARISONS.reduce((done, [from, to]) => done.replace(from, to), ` ${markup} `).trim(),
    (markup) => markup.replace(/(\w)\s*===?\s*/g, '$1 == ').replace(/(\w)\s*!==?\s*/g, '$1 != '),
    (markup) => markup.replace(/(\w)\s*=\s*(?=["'\w])/g, '$1 == '),
    (markup) => markup.replace(new RegExp(`(${VALUE})\\s+in\\s+(${VALUE})`, 'g'), '$2 contains $1'),
    (markup) =>
      markup.replace(/\.([a-zA-Z_]+)\(\s*\)/g, (match, name: string) =>
        METHODS[name]?.startsWith('.') ? METHODS[name] : match,
      ),
    (markup) => markup.replace(/(\w)\.(?:includes|include\?|contains)\(\s*([^()]*?)\s*\)/g, '$1 contains $2'),
    (markup) =>
      markup.replace(
        new RegExp(`(${VALUE})(\\s*(?:[<>]=?|[=!]=)\\s*${VALUE}\\s+(?:and|or)\\s+)(?=[<>=!])`, 'g'),
        '$1$2$1 ',
      ),
    (markup) => markup.replace(/^\(([^()]*)\)$/, '$1'),
    (markup) => markup.replace(/(?:->|\?\.)/g, '.').replace(/(^|\s)\$(?=\w)/g, '$1'),
    (markup) =>
      markup
        .replace(/\.(?:blank|empty)\?/g, ' == blank')
        .replace(/\.(?:present|any)\?/g, ' != blank')
        .replace(/\.nil\?/g, ' == nil'),
    (markup) => markup.replace(/\b(?:undefined|None|NULL)\b/g, 'nil'),
  ]
  let rewritten = text
  for (const step of steps) {
    const one = step(text)
    if (one !== text) yield one.trim()
    rewritten = step(rewritten).trim()
  }
  if (rewritten !== text) yield rewritten
}

function* rewritesOfLoop(rest: string, name: string): Generator<Rewrite> {
  const inside = rest.replace(/^\(([^]*)\)$/, '$1').trim()
  const swapped = new RegExp(`^(${VALUE})\\s+as\\s+(\\w+)\\s*([^]*)$`).exec(inside)
  if (swapped !== null) yield asTag(`${name} ${swapped[2]} in ${swapped[1]} ${swapped[3]}`.trim())
  const item = inside.replace(/^(?:let|const|var)\s+/, '')
  const plainText = item
    .replace(/^each\s+(?=\w+\s+in\s)/, '')
    .replace(/^\(?\s*(?:i|idx|index|k|key|n)\s*,\s*(?!at\b|index\b)(\w+)\s*\)?\s+(?:in|of)\s/, '$1 in ')
    .replace(/^\(?\s*(\w+)\s*,\s*\w+\s*\)?\s+(?:in|of)\s/, '$1 in ')
    .replace(/^(\w+)\s+(?:of|=|:)\s+/, '$1 in ')
  const ranged = plainText
    .replace(/\[\s*([\w.]+?)\s*\.{2,3}\s*([\w.]+?)\s*\]/, '($1..$2)')
    .replace(/(\sin\s+)([\w.]+?)\s*\.{2,3}\s*([\w.]+)/, '$1($2..$3)')
  const list = ranged.replace(/\s+in\s+\{\{\s*([^{}]*?)\s*\}\}/, ' in $1')
  if (list !== rest) yield asTag(`${name} ${list}`)
  const withArguments = list.replace(/\b(limit|offset|cols)\s*=\s*/g, '$1: ').replace(/\s+limit\s+(?=\w)/, ' limit: ')
  if (withArguments !== list) yield asTag(`${name} ${withArguments}`)
  const filtered = new RegExp(`^(\\w+)\\s+in\\s+(${VALUE})\\s*(\\|[^]*)$`).exec(list)
  if (filtered !== null) {
    const words = /\|\s*(\w+)/.exec(filtered[3] ?? '')?.[1] ?? 'list'
    const variable = /^sort/.test(words) ? 'sorted' : words === 'reverse' ? 'reversed' : 'chosen'
    yield asWhole(`{% assign ${variable} = ${filtered[2]} ${filtered[3]} %}{% ${name} ${filtered[1]} in ${variable} %}`)
  }
}

/** Yields rewrites of a tag that calls a partial or query. `result` is the variable that such a tag needs. */
function* rewritesOfCall(name: string, rest: string, result?: string): Generator<Rewrite> {
  const steps: ((text: string) => string)[] = [
    (markup) => markup.replace(/^\(([^]*)\)$/, '$1').trim(),
    (markup) => (result === undefined || /^[\w.[\]"]+\s*=(?!=)/.test(markup) ? markup : `${result} = ${markup}`),
    (markup) => markup.replace(/^((?:\w+\s*=\s*)?)([a-z_][\w/-]*)(['"])(?=\s*(?:,|$))/i, '$1$3$2$3'),
    (markup) => markup.replace(/^((?:\w+\s*=\s*)?)([a-z_]\w*(?:\/[\w-]+)+)/i, "$1'$2'"),
    (markup) => markup.replace(/(["'])\s*,?\s*\{([^{}]*)\}\s*$/, '$1, $2').trim(),
    (markup) => markup.replace(/,(\s*\w+)\s*=\s*/g, ',$1: '),
    (markup) => markup.replace(new RegExp(`,\\s*([a-z_]\\w*)[ \\t]+(${VALUE})\\s*(?=,|$)`, 'g'), ', $1: $2'),
    (markup) => markup.replace(/,\s*([a-z_]\w*)\s*(?=,|$)/g, ', $1: $1'),
  ]
  let rewritten = rest
  for (const step of steps) {
    rewritten = step(rewritten)
    yield asTag(`${name} ${rewritten}`)
  }
}
