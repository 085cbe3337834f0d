/** A template as statements, which can be removed one by one and printed in several ways. */

/** A call of a partial. Name and kind are separate from the text, so that the same site can be printed with other calls. */
export interface Call {
  readonly kind: 'call'
  /** A number that is unique in the site. */
  readonly id: number
  readonly by: 'render' | 'include' | 'function' | 'background'
  readonly partial: string
  /** The variable that receives the result of a function or job. Null for other calls. */
  readonly target: string | null
  /** The text after the name: arguments, `with` and `for`. */
  readonly more: string
}

export interface Branch {
  readonly open: string
  readonly body: readonly Statement[]
}

export type Statement =
  /** Plain text between tags. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: string }
  | { readonly kind: 'tag'; readonly markup: string }
  | Call
  /** A block such as `if` to `endif`. The body may be empty, and all branches except the first are optional. */
  | { readonly kind: 'block'; readonly branches: readonly Branch[]; readonly end: string }
  /** An element with an attribute. The statements print its value. */
  | { readonly kind: 'attribute'; readonly body: readonly Statement[] }
  /** A tag whose body is not a list of statements: `parse_json`, an inline query. */
  | { readonly kind: 'verbatim'; readonly text: string }

/** How a call names its partial: as a literal, or as a variable with a known, partly known or unknown value. */
export type Naming = 'literal' | 'constant' | 'pattern' | 'open'

export interface Style {
  naming(call: Call): Naming
  /** Returns the tag for a call, or `captured` for a function call whose text is printed. */
  by(call: Call): Call['by'] | 'captured'
  /** Whether statements are printed as lines of one `liquid` tag, if all of them are allowed in lines. */
  readonly lines: boolean
}

/** The style in which the site was generated. */
export const ORIGINAL_STYLE: Style = { naming: () => 'literal', by: (call) => call.by, lines: false }

/** Returns the name of the function that returns the text of a partial. */
export const textFunctionName = (partial: string): string => `${partial}_text`

/** Returns the path in the request that contains the name of a partial. */
export const requestNamePath = (partial: string): string => `context.params.call_${partial}`

export function printStatements(statements: readonly Statement[], style: Style): string {
  return style.lines && statements.every(fitsLine)
    ? `{% liquid\n${statements.map((each) => printStatement(each, style, LINES)).join('')}%}`
    : statements.map((each) => printStatement(each, style, TAGS)).join('')
}

interface Delimiters {
  tag(markup: string): string
  output(value: string): string
  text(text: string): string
}

const TAGS: Delimiters = {
  tag: (markup) => `{% ${markup} %}`,
  output: (value) => `{{ ${value} }}`,
  text: (text) => text,
}

const LINES: Delimiters = {
  tag: (markup) => `${markup}\n`,
  output: (value) => `echo ${value}\n`,
  text: (text) => `echo '${text}'\n`,
}

function fitsLine(statement: Statement): boolean {
  if (statement.kind === 'block') return statement.branches.every(({ body }) => body.every(fitsLine))
  return statement.kind !== 'verbatim' && statement.kind !== 'attribute'
}

function printStatement(statement: Statement, style: Style, as: Delimiters): string {
  const all = (body: readonly Statement[]) => body.map((each) => printStatement(each, style, as)).join('')
  switch (statement.kind) {
    case 'text':
      return as.text(statement.text)
    case 'output':
      return as.output(statement.value)
    case 'tag':
      return as.tag(statement.markup)
    case 'verbatim':
      return statement.text
    case 'attribute':
      return `<i t="${all(statement.body)}">`
    case 'block':
      return `${statement.branches.map(({ open, body }) => as.tag(open) + all(body)).join('')}${as.tag(statement.end)}`
    case 'call':
      return printCall(statement, style, as)
  }
}

function printCall(call: Call, style: Style, as: Delimiters): string {
  const by = style.by(call)
  const partial = by === 'captured' ? textFunctionName(call.partial) : call.partial
  // `render` does not accept a computed name.
  const { before, name } = printName(call, by === 'render' ? 'literal' : style.naming(call), partial, as)
  if (by === 'captured') {
    const target = `text_${call.id}`
    return before + as.tag(`function ${target} = ${name}${call.more}`) + as.tag(`print ${target}`)
  }
  const target = call.target === null ? '' : `${call.target} = `
  return before + as.tag(`${by} ${target}${name}${call.more}`)
}

function printName(
  call: Call,
  naming: Naming,
  partial: string,
  as: Delimiters,
): { readonly before: string; readonly name: string } {
  const variable = `name_${call.id}`
  if (naming === 'literal') return { before: '', name: `'${partial}'` }
  if (naming === 'open') return { before: '', name: requestNamePath(partial) }
  if (naming === 'constant') return { before: as.tag(`assign ${variable} = '${partial}'`), name: variable }
  const [first = '', ...rest] = partial
  const before = as.tag(`assign ${variable} = context.params.${requestPartName(first)} | append: '${rest.join('')}'`)
  return { before, name: variable }
}

/** Returns the request parameter that contains the first letter of a name. */
export const requestPartName = (letter: string): string => `part_${letter}`
