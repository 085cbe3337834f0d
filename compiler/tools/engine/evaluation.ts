/** Evaluates single expressions: the content of an output, or of a condition. */
import { LANGUAGE } from '../../language/language.ts'
import { UNKNOWN } from '../../core/model/type.ts'
import { parseItems } from '../../phases/parse/parser.ts'
import * as runtime from '../../../runtime/index.ts'
import { BoxedText } from '../../../runtime/page/values/boxed.ts'
import type { EngineSetup } from './setup.ts'

/** Name of an internal filter that stores the value of an expression. Templates cannot use this filter. */
const VALUE_FILTER = 'kept_value'
const VALUE_FUNCTION = `filter_${VALUE_FILTER}`

/** Evaluates expressions with an internal filter that stores the value per render. */
export class Evaluations {
  readonly setup: EngineSetup
  readonly #values = new WeakMap<runtime.Render, unknown>()

  constructor(setup: EngineSetup) {
    const storeValue = (r: runtime.Render, value: unknown): string => {
      this.#values.set(r, value)
      return ''
    }
    const { language = LANGUAGE } = setup.compile
    this.setup = {
      ...setup,
      raise: true,
      functions: { ...setup.functions, [VALUE_FUNCTION]: storeValue },
      compile: {
        ...setup.compile,
        raise: true,
        language: {
          ...language,
          filters: (dialect) => new Map([...language.filters(dialect), [VALUE_FILTER, SIGNATURE]]),
        },
      },
    }
  }

  /** Returns a template that evaluates the expression. @throws LiquidFault if the text would end the surrounding markup */
  template(expression: string): string {
    const output = `{{ ${expression} | ${VALUE_FILTER} }}`
    const condition = `{% if ${expression} %}{{ true | ${VALUE_FILTER} }}{% else %}{{ false | ${VALUE_FILTER} }}{% endif %}`
    // Base Liquid parses markup differently, so only the text itself is checked.
    if (this.setup.compile.dialect === 'liquid') {
      if (DELIMITER.test(expression)) throw invalidExpression(expression)
      return OPERATOR.test(expression.replace(QUOTED, "''")) ? condition : output
    }
    if (this.#reads(`{{ ${expression} }}`, ['output'])) return output
    if (this.#reads(condition, ['open', 'output', 'branch', 'output', 'end'])) return condition
    if (DELIMITER.test(expression)) throw invalidExpression(expression)
    return output
  }

  /** Returns the stored value of a render as a JavaScript value. */
  valueOf(r: runtime.Render): unknown {
    const value = this.#values.get(r) ?? null
    if (value instanceof BoxedText) return value.$text
    if (value instanceof runtime.Float) return value.$value
    return typeof value === 'object' && value !== null && !isPlain(value) ? runtime.iterate(value) : value
  }

  /** Returns true if the text parses to items of exactly these kinds, without leftovers. */
  #reads(text: string, kinds: readonly string[]): boolean {
    const { dialect, syntax, language } = this.setup.compile
    const parseContext = { file: '', base: 0, interpolation: true, dialect, syntax }
    const { items, errors, notes } = parseItems(
      text,
      language === undefined ? parseContext : { ...parseContext, language },
    )
    return (
      errors.length + notes.length === 0 &&
      items.length === kinds.length &&
      items.every((item, at) => item.kind === kinds[at] && (!('leftoverSpan' in item) || item.leftoverSpan === null))
    )
  }
}

const DELIMITER = /[%}]\}|\{[%{]/
const QUOTED = /"[^"]*"|'[^']*'/g
const OPERATOR = /[<>]|[=!]=|\b(?:contains|and|or)\b/

function invalidExpression(text: string): runtime.LiquidFault {
  return new runtime.LiquidFault(`\`${text}\` is not an expression`)
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || !(value instanceof Object) || value.constructor === Object
}

const SIGNATURE = {
  name: `own ${VALUE_FILTER}`,
  registry: VALUE_FILTER,
  exportName: VALUE_FUNCTION,
  module: '',
  own: true,
  aliasOf: null,
  dialect: 'both',
  parameters: [{ name: 'input', kind: 'value', optional: false }],
  rest: null,
  named: null,
  result: UNKNOWN,
  needsRender: true,
  suspends: false,
  fallible: false,
  deprecated: null,
} as const
