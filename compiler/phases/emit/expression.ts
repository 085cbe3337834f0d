/** Expressions of templates as expressions of TypeScript. Names are resolved by the face that is being written. */
import type { Accessor, Comparison, Expression, FilterCall, Literal, Lookup } from '../../core/model/ast.ts'
import type { FilterParameter, FilterSignature } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import {
  binary,
  boolean,
  choice,
  invoke,
  type Code,
  create,
  FALSE,
  list,
  maybe,
  member,
  method,
  not,
  NULL,
  number,
  object,
  property,
  settled,
  string,
  template,
  TRUE,
  typed,
  UNDEFINED,
} from '../../core/model/code.ts'
import { argumentRange, requiredCount } from '../../language/types/arity.ts'
import { isFallible } from '../../language/types/fallible.ts'
import { changesInput } from '../../language/types/filters.ts'
import {
  BOOLEAN_VALUE,
  FIELDS_VALUE,
  withoutNil,
  isNumberValue,
  LIST_VALUE,
  optional,
  PLAIN_VALUE,
} from '../../core/model/value-type.ts'
import type { Resolver } from './resolver.ts'
import { directKey, literalKey } from '../../language/types/accessors.ts'
import { ARITHMETIC, areIdentical, isKnown, JOINING, resultOf, suits } from './value-rules.ts'
import { isDecidedByFacts, isScalar, partOf, surePart, valueOf } from './value-types.ts'

const NO_ITEMS = list([])

/** The value, where undefined is nil too. */
function orNil(code: Code): Code {
  if (code.kind === 'undefined' || code.kind === 'null') return NULL
  return isScalar(code) ? code : binary(code, '??', NULL)
}

export class Expressions {
  readonly #at: Resolver
  constructor(resolver: Resolver) {
    this.#at = resolver
  }

  value(expression: Expression): Code {
    switch (expression.kind) {
      case 'literal':
        return this.#literal(expression)
      case 'lookup':
        return this.#lookup(expression)
      case 'range': {
        const bounds = [expression.from, expression.to]
        // In base Liquid a float is cut off only where both bounds are written.
        const cuts = this.#at.dialect === 'platform' || bounds.every(({ kind }) => kind === 'literal')
        const codes = bounds.map((bound) =>
          cuts && bound.kind === 'literal' ? this.#rangeBound(bound) : this.value(bound),
        )
        return invoke(this.#at.use('range'), ...codes)
      }
      case 'interpolation':
        return template(
          expression.parts.map((part) => (typeof part === 'string' ? part : this.#text(this.value(part)))),
        )
      case 'hash':
        return this.#hash(expression)
      case 'array':
        return list(expression.items.map((item) => this.value(item)))
      case 'comparison':
      case 'logical':
        return this.condition(expression)
      case 'filtered':
        return this.filtered(this.value(expression.input), expression.filters, expression.input)
    }
  }

  #literal({ value }: Literal): Code {
    switch (value.type) {
      case 'nil':
        return NULL
      case 'blank':
      case 'empty':
        return string('')
      case 'boolean':
        return boolean(value.value)
      case 'string':
        return string(value.value)
      case 'integer':
        return number(value.value)
      case 'float':
        if (Number.isInteger(value.value)) return create(this.#at.use('Float'), number(value.value))
        return number(value.value)
    }
  }

  /** A bound that is written as a float is cut off. */
  #rangeBound(bound: Literal): Code {
    return bound.value.type === 'float' ? number(Math.trunc(bound.value.value)) : this.#literal(bound)
  }

  #lookup(expression: Lookup): Code {
    const { name, path } = expression
    const isSelf = name?.name === 'self' && this.#at.dialect === 'liquid'
    if (name !== null && !isSelf) return this.#variable(name.name, path)
    // `[key]` and `self[key]` mean a variable by its name, but a variable that is called `self` stands before that.
    const key = literalKey(path[0])
    const self = this.#at.self()
    const own = isSelf && key === 'self' ? NULL : null
    const named = own ?? (key === null ? this.#path(self.view(), path) : this.#variable(key, path.slice(1)))
    return isSelf && self.variable.kind !== 'undefined'
      ? choice(binary(self.variable, '===', UNDEFINED), named, this.#path(self.variable, path))
      : named
  }

  #variable(name: string, accessors: readonly Accessor[]): Code {
    const { code, used, isSet } = this.#at.variable(name, accessors)
    this.#at.count('variable', isKnown(valueOf(code)))
    const path = accessors.slice(used)
    return this.#at.strictVariables && !(isSet && path.length === 0)
      ? this.#strictPath({ name, code, isSet, isPart: used > 0 }, path)
      : this.#path(code, path)
  }

  /** A part of a variable that has to be there. One question suffices for all keys in a row: what is missing has no parts. */
  #strictPath(
    { name, code, isSet, isPart }: { name: string; code: Code; isSet: boolean; isPart: boolean },
    path: readonly Accessor[],
  ): Code {
    const keys = path.slice(0, path.findIndex((each) => directKey(each) === null) >>> 0)
    const part = this.#path(code, keys)
    const { kind } = valueOf(part)
    const maybeMissing = part.kind === 'undefined' || kind === 'unknown' || kind === 'optional' || kind === 'variable'
    const names = [...(isSet ? [] : [name]), ...keys.map((each) => directKey(each) ?? '')]
    let found = part
    if (maybeMissing && names.length === 1)
      found = this.#unlessMissing(part, invoke(this.#at.use('defined'), part, string(names[0] ?? name)))
    else if (maybeMissing && names.length > 1) {
      const root = isPart ? code : this.#at.variable(name, []).code
      const all = [name, ...keys.map((each) => directKey(each) ?? '')]
      found = this.#unlessMissing(part, invoke(this.#at.use('definedPart'), part, root, string(all.join('.'))))
    }
    return this.#path(found, path.slice(keys.length))
  }

  /** Only what is nil or missing is asked which of the two it is. */
  #unlessMissing(part: Code, asked: Code): Code {
    const found = binary(part, '??', asked)
    // A variable whose type is still being found out is what it is given, or nil.
    return valueOf(part).kind === 'variable' ? typed(found, valueOf(part)) : found
  }

  #path(root: Code, path: readonly Accessor[]): Code {
    // Nothing can be read from nil.
    if ((root.kind === 'null' || root.kind === 'undefined') && !this.#at.strictVariables) return root
    let code = root
    for (const accessor of path) {
      const key = directKey(accessor)
      if (key !== null) {
        code = this.#part(code, key, accessor)
        continue
      }
      this.#at.count('property', false)
      if (accessor.kind === 'key') code = invoke(this.#reader('get'), code, string(accessor.name))
      else code = invoke(this.#reader('at'), code, this.value(accessor.value))
    }
    return code
  }

  /** What reads a key that is computed, or that JavaScript's prototypes know. */
  #reader(kind: 'get' | 'at'): Code {
    const name = kind === 'at' && this.#at.dialect === 'liquid' ? 'atLiquid' : kind
    return this.#at.use(this.#at.strictVariables ? `${name}Defined` : name)
  }

  /** The part of a value under a name that no JavaScript prototype knows. */
  #part(code: Code, key: string, accessor: Accessor): Code {
    const part = partOf(withoutNil(valueOf(code)), key)
    this.#at.count('property', part !== undefined || valueOf(code).kind === 'fields')
    // What the checker found out is inferred when it is asked for, and says nothing more of these.
    const fact = part === undefined || !isDecidedByFacts(part) ? undefined : this.#at.factOf(accessor)
    return this.partUnder(code, key, fact)
  }

  /** The same, where `fact` is what the checker found out of that part. */
  partUnder(code: Code, key: string, fact?: Type): Code {
    const type = valueOf(code)
    const part = partOf(withoutNil(type), key)
    if (part === undefined) return member(this.#fields(code), key)
    const known = surePart(type.kind === 'optional' ? optional(part) : part, fact)
    // What TypeScript takes for a record may be nil, where a template put that into its place.
    return typed(type.kind === 'record' && type.isNeverReplaced ? member(code, key) : maybe(code, key), known)
  }

  /** A value as a list, which a loop goes over. */
  items(expression: Expression): Code {
    const code = this.value(expression)
    const type = valueOf(code)
    const list = withoutNil(type)
    if (list.kind !== 'list' || surePart(type, this.#at.factOf(expression)).kind === 'unknown')
      return typed(invoke(this.#at.use('iterate'), code), LIST_VALUE)
    return type.kind === 'optional' ? typed(binary(code, '??', NO_ITEMS), list) : code
  }

  /** What may be read from a value by names which no JavaScript prototype knows. */
  #fields(value: Code): Code {
    // What is written as a literal has no other fields than those to TypeScript.
    return valueOf(value).kind === 'fields' && value.kind !== 'object'
      ? value
      : typed(invoke(this.#at.use('fields'), value), FIELDS_VALUE)
  }

  /** A value as the text that filters for texts see. */
  #text(code: Code): Code {
    const type = valueOf(code)
    switch (type.kind) {
      case 'text':
      case 'count':
      case 'integer':
      case 'boolean':
        return code
      case 'number':
        return typed(invoke(this.#at.use('numberText'), code), PLAIN_VALUE)
      default:
        return invoke(this.#at.use('str'), code)
    }
  }

  #hash(expression: Extract<Expression, { kind: 'hash' }>): Code {
    const plain = expression.entries.every(
      ({ key }) => key.kind === 'quoted' || (key.kind === 'bare' && !this.#at.knows(key.name)),
    )
    const keys = expression.entries.map(({ key }) => (key.kind === 'computed' ? '' : key.name))
    if (plain && !keys.some((key) => /^\d+$/.test(key))) {
      // Of a repeated key the last wins, at the place of the first.
      const entries = new Map(expression.entries.map(({ value }, at) => [keys[at] ?? '', this.value(value)]))
      return object([...entries].map(([key, code]) => property(key, code)))
    }
    const pairs = expression.entries.map(({ key, value }) => {
      const name =
        key.kind === 'quoted'
          ? string(key.name)
          : key.kind === 'computed'
            ? this.value(key.value)
            : this.#at.knows(key.name)
              ? invoke(this.#at.use('bareKey'), this.#at.handed(key.name), string(key.name))
              : string(key.name)
      return list([name, this.value(value)])
    })
    return typed(invoke(this.#at.use('hashOf'), list(pairs)), FIELDS_VALUE)
  }

  /** `code` with filters applied. `input` is what `code` came from, where it is known. */
  filtered(code: Code, filters: readonly FilterCall[], input: Expression | null = null): Code {
    let result = code
    let supplied = input?.kind === 'lookup' && input.name !== null && this.#at.isSupplied(input.name.name)
    let text = input?.kind === 'literal' && input.value.type === 'string'
    for (const filter of filters) {
      const signature = this.#at.filters.get(filter.name.name)
      if (signature === undefined) {
        // Base Liquid lets a value pass through a filter that it does not know.
        if (this.#at.dialect === 'platform') result = this.#refuse(`unknown filter ${filter.name.name}`)
        else if (this.#at.strictFilters) result = this.#refuse(`undefined filter ${filter.name.name}`)
        continue
      }
      if (supplied && changesInput(signature)) {
        result = invoke(this.#at.use('suppliedCopy'), result)
        supplied = false
      }
      // What the host calls by a name of the language is another filter.
      const rewritten = signature.own === true ? null : (this.#folded(result, filter) ?? this.#grown(result, filter))
      result = rewritten ?? this.#filter(result, text, filter, signature)
      text = signature.result.kind === 'string'
    }
    return result
  }

  /** How templates write a new container: `'{}' | parse_json`, and a hash merged into an empty one, as the literals they mean. */
  #folded(input: Code, filter: FilterCall): Code | null {
    if (this.#at.dialect !== 'platform' || filter.positional.length > 0) return null
    const name = filter.name.name
    if (name === 'hash_merge' && input.kind === 'object' && input.entries.length === 0 && filter.named.length > 0)
      return this.named(filter)
    if (name !== 'parse_json' || filter.named.length > 0 || input.kind !== 'string') return null
    return input.value === '{}' ? object([]) : input.value === '[]' ? list([]) : null
  }

  #grown(input: Code, filter: FilterCall): Code | null {
    const [item] = filter.positional
    if (item === undefined || !this.#at.grows(filter)) return null
    return typed(invoke(this.#at.use('grow'), input, this.value(item)), LIST_VALUE)
  }

  #filter(input: Code, inputIsText: boolean, filter: FilterCall, signature: FilterSignature): Code {
    const { parameters, rest, named } = signature
    const group = filter.named.length === 0 ? null : this.named(filter)
    const values = [input]
    for (const value of filter.positional) values.push(this.value(value))
    // Named arguments are one trailing hash, which also stands for a required parameter that is not there.
    const takesGroup = group !== null && named !== null && values.length >= requiredCount(parameters)
    if (group !== null && !takesGroup) values.push(group)
    const given = values.length + (takesGroup ? 1 : 0)
    const { minimum: least, maximum: most } = argumentRange(signature)
    if (given < least || given > most) {
      const expected =
        most === Number.POSITIVE_INFINITY ? `${least}+` : least === most ? `${least}` : `${least}..${most}`
      const prefix =
        this.#at.dialect === 'platform' && signature.dialect === 'platform' ? `${filter.name.name} filter - ` : ''
      return this.#refuse(`${prefix}wrong number of arguments (given ${given}, expected ${expected})`)
    }
    const args = values.map((value, at) => {
      const parameter = parameters[at] ?? rest
      const written = at === 0 ? undefined : filter.positional[at - 1]
      // A variable that was never set is nil, not a missing argument.
      const code = this.#hosted(
        parameter?.optional === true && written?.kind === 'lookup' ? orNil(value) : value,
        parameter,
      )
      if (this.#at.dialect !== 'liquid' || parameter?.kind !== 'text') return code
      return (at === 0 ? inputIsText : isText(written)) ? code : invoke(this.#at.use('inspected'), code)
    })
    const isTyped = args.every((code, at) => suits(valueOf(code), parameters[at] ?? rest ?? null))
    this.#at.count(ARITHMETIC.has(signature.name) ? 'arithmetic' : 'filter', isTyped)
    if (takesGroup && group !== null) {
      while (args.length < parameters.length) args.push(UNDEFINED)
      args.push(group)
    }
    const joined = this.#joined(signature, args)
    if (joined !== null) return joined
    if (signature.needsRender) args.unshift(this.#at.render)
    const called = this.#at.useFilter(signature)
    const rejecting = this.#at.rejecting(filter, signature, called, args)
    const result = rejecting ?? typed(invoke(called, ...args), resultOf(signature, args))
    return signature.suspends ? settled(result) : result
  }

  /** An argument as templates see it. What takes texts and numbers sees to that itself. */
  #hosted(code: Code, parameter: FilterParameter | null): Code {
    if (!this.#at.takesHosted || parameter === null || parameter.kind === 'text' || parameter.kind === 'number')
      return code
    return isKnown(valueOf(code)) ? code : invoke(this.#at.use('hosted'), code)
  }

  /** Two values put together, where both are surely texts, or what prints as one everywhere. */
  #joined(signature: FilterSignature, args: readonly Code[]): Code | null {
    const [input, text] = args
    if (!JOINING.has(signature.name) || input === undefined || text === undefined) return null
    const texts = [input, text].map((code) => {
      const { kind } = valueOf(code)
      if (kind === 'text') return code
      return kind === 'count' || kind === 'integer' ? template([code]) : kind === 'number' ? this.#text(code) : null
    })
    const [first, second] = signature.name === 'append' ? texts : texts.toReversed()
    if (!first || !second) return null
    return typed(invoke(this.#at.use('joinTexts'), first, second), resultOf(signature, args))
  }

  #refuse(message: string): Code {
    return invoke(this.#at.use('refuse'), string(message))
  }

  named(filter: Pick<FilterCall, 'named'>): Code {
    const entries = new Map(filter.named.map(({ name, value }) => [name.name, this.value(value)]))
    return object([...entries].map(([name, code]) => property(name, code)))
  }

  condition(expression: Expression): Code {
    switch (expression.kind) {
      case 'filtered':
        if (expression.filters.length === 0) return this.condition(expression.input)
        break
      case 'literal':
        return boolean(
          !(expression.value.type === 'nil' || (expression.value.type === 'boolean' && !expression.value.value)),
        )
      case 'logical': {
        const left = this.condition(expression.left)
        const right = this.condition(expression.right)
        return binary(left, expression.operator === 'and' ? '&&' : '||', right)
      }
      case 'comparison':
        return this.#comparison(expression)
      case 'hash':
      case 'array':
      case 'interpolation':
      case 'range':
        return TRUE
      case 'lookup':
        break
    }
    return this.#holds(this.value(expression))
  }

  /** A value as a condition: nil and false do not hold. */
  #holds(code: Code): Code {
    const type = valueOf(code)
    if (type.kind === 'boolean') return code
    if (code.kind === 'null' || code.kind === 'undefined') return FALSE
    return typed(invoke(this.#at.use('truthy'), code), BOOLEAN_VALUE)
  }

  #comparison({ operator, left, right }: Comparison): Code {
    if (typeof operator !== 'string') return this.#refuse(`Unknown operator ${operator.unknown}`)
    if (operator === '==' || operator === '!=') {
      const equal = this.equal(left, () => this.value(left), right)
      return operator === '==' ? equal : not(equal)
    }
    if (operator === 'contains') {
      const [whole, part] = [this.value(left), this.value(right)]
      const areTexts = valueOf(whole).kind === 'text' && valueOf(part).kind === 'text'
      this.#at.count('comparison', areTexts)
      return typed(invoke(this.#at.use('contains'), whole, part), BOOLEAN_VALUE)
    }
    // Ordering against `empty` or `blank` is false.
    if (special(left) !== null || special(right) !== null) return FALSE
    const [a, b] = [this.value(left), this.value(right)]
    this.#at.count('comparison', isNumberValue(valueOf(a)) && isNumberValue(valueOf(b)))
    if (valueOf(a).kind === 'count' && valueOf(b).kind === 'count') return typed(binary(a, operator, b), BOOLEAN_VALUE)
    const name = { '<': 'lt', '>': 'gt', '<=': 'le', '>=': 'ge' }[operator]
    return typed(invoke(this.#at.use(name), a, b), BOOLEAN_VALUE)
  }

  /** Whether a value is blank, or empty. */
  #isNothing(word: 'blank' | 'empty', code: Code): Code {
    const type = valueOf(code)
    const isNumber = isNumberValue(type)
    this.#at.count('comparison', isNumber || type.kind === 'text')
    if (isNumber) return FALSE
    if (code.kind === 'string') return boolean((word === 'blank' ? code.value.trim() : code.value) === '')
    if (type.kind !== 'text' || (word === 'empty' && !this.#at.comparable(code, string(''))))
      return typed(invoke(this.#at.use(word === 'blank' ? 'eqBlank' : 'eqEmpty'), code), BOOLEAN_VALUE)
    return typed(binary(word === 'blank' ? method(code, 'trim') : code, '===', string('')), BOOLEAN_VALUE)
  }

  /** `left == right`, where the left side's code may be a local that holds it. */
  equal(left: Expression, code: () => Code, right: Expression): Code {
    const [a, b] = [special(left), special(right)]
    // The special words are only special beside a value.
    if (a !== null && b !== null) return FALSE
    if (b !== null) return this.#isNothing(b, code())
    if (a !== null) return this.#isNothing(a, this.value(right))
    const [one, other] = [code(), this.value(right)]
    const identical = areIdentical(valueOf(one), valueOf(other)) && !isNarrowed(one) && !isNarrowed(other)
    this.#at.count('comparison', identical)
    if (one.kind === 'string' && other.kind === 'string') return boolean(one.value === other.value)
    if (one.kind === 'number' && other.kind === 'number') return boolean(one.value === other.value)
    if (identical && this.#at.comparable(one, other)) return typed(binary(one, '===', other), BOOLEAN_VALUE)
    return typed(this.#equalUnknown(one, other), BOOLEAN_VALUE)
  }

  /** Equality of values of which at most one is known: no side is evaluated before what stands in front of it. */
  #equalUnknown(one: Code, other: Code): Code {
    if (valueOf(other).kind === 'text') return invoke(this.#at.use('eqText'), one, other)
    if (one.kind === 'string' || (valueOf(one).kind === 'text' && other.kind === 'name'))
      return invoke(this.#at.use('eqText'), other, one)
    return invoke(this.#at.use('eq'), one, other)
  }

  /** Whether evaluating can raise a fault. */
  fallible(expression: Expression): boolean {
    return isFallible(expression, this.#at)
  }
}

function special(expression: Expression): 'blank' | 'empty' | null {
  const inner = expression.kind === 'filtered' && expression.filters.length === 0 ? expression.input : expression
  if (inner.kind !== 'literal') return null
  return inner.value.type === 'blank' || inner.value.type === 'empty' ? inner.value.type : null
}

/** Whether TypeScript may take a variable for nil at this place, because it is given nil before. It refuses to compare that with a text. */
function isNarrowed(code: Code): boolean {
  return code.kind === 'name' && valueOf(code).kind === 'optional'
}

function isText(expression: Expression | undefined): boolean {
  return expression?.kind === 'literal' && expression.value.type === 'string'
}
