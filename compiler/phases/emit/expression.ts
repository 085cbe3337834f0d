/** Converts expressions of templates to TypeScript. The entry point that is being emitted resolves names. */
import {
  type Accessor,
  type Expression,
  type FilterCall,
  type Literal,
  type Lookup,
  stringOf,
} from '../../core/tree/ast.ts'
import type { FilterParameter, FilterSignature } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import {
  binary,
  boolean,
  choice,
  invoke,
  type Code,
  create,
  list,
  maybe,
  member,
  NULL,
  number,
  object,
  property,
  settled,
  string,
  template,
  typed,
  UNDEFINED,
} from '../../core/model/code.ts'
import { argumentRange, requiredCount } from '../../language/types/arity.ts'
import { isFallible } from '../../language/types/fallible.ts'
import { changesInput } from '../../language/types/filters.ts'
import { FIELDS_VALUE, withoutNil, LIST_VALUE, optional, PLAIN_VALUE } from '../../core/model/value-type.ts'
import { Conditions } from './conditions.ts'
import type { Resolver } from './resolver.ts'
import { directKey, literalKey } from '../../language/types/accessors.ts'
import { ARITHMETIC_FILTERS, isKnown, JOINING_FILTERS, resultOf, fitsParameter } from './value-rules.ts'
import { isDecidedByFacts, isScalar, partOf, definitePart, valueOf } from './value-types.ts'

const NO_ITEMS = list([])

/** Returns the value, with nil instead of `undefined`. */
function orNil(code: Code): Code {
  if (code.kind === 'undefined' || code.kind === 'null') return NULL
  return isScalar(code) ? code : binary(code, '??', NULL)
}

export class Expressions {
  readonly #resolver: Resolver
  readonly #conditions: Conditions
  constructor(resolver: Resolver) {
    this.#resolver = resolver
    this.#conditions = new Conditions(resolver, (expression) => this.value(expression))
  }

  value(expression: Expression): Code {
    switch (expression.kind) {
      case 'literal':
        return this.#literal(expression)
      case 'lookup':
        return this.#lookup(expression)
      case 'range': {
        const bounds = [expression.from, expression.to]
        // In base Liquid, floats are truncated only if both bounds are literals.
        const isTruncated = this.#resolver.dialect === 'platform' || bounds.every(({ kind }) => kind === 'literal')
        const codes = bounds.map((limit) =>
          isTruncated && limit.kind === 'literal' ? this.#rangeBound(limit) : this.value(limit),
        )
        return invoke(this.#resolver.use('range'), ...codes)
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
        if (Number.isInteger(value.value)) return create(this.#resolver.use('Float'), number(value.value))
        return number(value.value)
    }
  }

  /** Returns a literal bound, with a float truncated. */
  #rangeBound(bound: Literal): Code {
    return bound.value.type === 'float' ? number(Math.trunc(bound.value.value)) : this.#literal(bound)
  }

  #lookup(expression: Lookup): Code {
    const { name, path } = expression
    const isSelf = name?.name === 'self' && this.#resolver.dialect === 'liquid'
    if (name !== null && !isSelf) return this.#variable(name.name, path)
    // `[key]` and `self[key]` refer to a variable by its name, but a variable called `self` takes precedence.
    const key = literalKey(path[0])
    const self = this.#resolver.self()
    const own = isSelf && key === 'self' ? NULL : null
    const named = own ?? (key === null ? this.#path(self.view(), path) : this.#variable(key, path.slice(1)))
    return isSelf && self.variable.kind !== 'undefined'
      ? choice(binary(self.variable, '===', UNDEFINED), named, this.#path(self.variable, path))
      : named
  }

  #variable(name: string, accessors: readonly Accessor[]): Code {
    const { code, depth: accessorCount, isSet } = this.#resolver.variable(name, accessors)
    this.#resolver.count('variable', isKnown(valueOf(code)))
    const path = accessors.slice(accessorCount)
    return this.#resolver.strictVariables && !(isSet && path.length === 0)
      ? this.#strictPath({ name, code, isSet, isPart: accessorCount > 0 }, path)
      : this.#path(code, path)
  }

  /** Returns a part of a variable that must exist. One check is enough for consecutive keys, because a missing value has no parts. */
  #strictPath(
    { name, code, isSet, isPart }: { name: string; code: Code; isSet: boolean; isPart: boolean },
    path: readonly Accessor[],
  ): Code {
    const keys = path.slice(0, path.findIndex((each) => directKey(each) === null) >>> 0)
    const part = this.#path(code, keys)
    const { kind } = valueOf(part)
    const maybeMissing = part.kind === 'undefined' || kind === 'unknown' || kind === 'optional'
    const names = [...(isSet ? [] : [name]), ...keys.map((each) => directKey(each) ?? '')]
    let found = part
    if (maybeMissing && names.length === 1)
      found = this.#unlessMissing(part, invoke(this.#resolver.use('defined'), part, string(names[0] ?? name)))
    else if (maybeMissing && names.length > 1) {
      const root = isPart ? code : this.#resolver.variable(name, []).code
      const fullPath = [name, ...keys.map((each) => directKey(each) ?? '')].join('.')
      found = this.#unlessMissing(part, invoke(this.#resolver.use('definedPart'), part, root, string(fullPath)))
    }
    return this.#path(found, path.slice(keys.length))
  }

  /** Returns the part of a variable that must exist. The emitted check runs only if the part is nil or missing. */
  #unlessMissing(part: Code, check: Code): Code {
    return binary(part, '??', check)
  }

  #path(root: Code, path: readonly Accessor[]): Code {
    // Reads from nil are nil.
    if ((root.kind === 'null' || root.kind === 'undefined') && !this.#resolver.strictVariables) return root
    let code = root
    for (const accessor of path) {
      const key = directKey(accessor)
      if (key !== null) {
        code = this.#part(code, key, accessor)
        continue
      }
      this.#resolver.count('property', false)
      if (accessor.kind === 'key') code = invoke(this.#reader('get'), code, string(accessor.name))
      else code = invoke(this.#reader('at'), code, this.value(accessor.value))
    }
    return code
  }

  /** Returns the function that reads a computed key, or a key on JavaScript prototypes. */
  #reader(kind: 'get' | 'at'): Code {
    const name = kind === 'at' && this.#resolver.dialect === 'liquid' ? 'atLiquid' : kind
    return this.#resolver.use(this.#resolver.strictVariables ? `${name}Defined` : name)
  }

  /** Returns the part of a value for a key that no JavaScript prototype has. */
  #part(code: Code, key: string, accessor: Accessor): Code {
    const part = partOf(withoutNil(valueOf(code)), key)
    this.#resolver.count('property', part !== undefined || valueOf(code).kind === 'fields')
    // The facts of the checker are computed on request, and have no effect for other types.
    const fact = part === undefined || !isDecidedByFacts(part) ? undefined : this.#resolver.factOf(accessor)
    return this.partUnder(code, key, fact)
  }

  /** Returns the same code as above. `fact`: the type of the part in the facts of the checker. */
  partUnder(code: Code, key: string, fact?: Type): Code {
    const type = valueOf(code)
    const part = partOf(withoutNil(type), key)
    if (part === undefined) return member(this.#fields(code), key)
    const partType = definitePart(type.kind === 'optional' ? optional(part) : part, fact)
    // A value with a record type may be nil, if a template replaced it.
    return typed(type.kind === 'record' && type.isNeverReplaced ? member(code, key) : maybe(code, key), partType)
  }

  /** Returns the code that converts a value to a list for a loop. */
  items(expression: Expression): Code {
    const code = this.value(expression)
    const type = valueOf(code)
    const list = withoutNil(type)
    if (list.kind !== 'list' || definitePart(type, this.#resolver.factOf(expression)).kind === 'unknown')
      return typed(invoke(this.#resolver.use('iterate'), code), LIST_VALUE)
    return type.kind === 'optional' ? typed(binary(code, '??', NO_ITEMS), list) : code
  }

  /** Returns the code for reads of keys that no JavaScript prototype has. */
  #fields(value: Code): Code {
    // For TypeScript, an object literal has no other fields than its own.
    return valueOf(value).kind === 'fields' && value.kind !== 'object'
      ? value
      : typed(invoke(this.#resolver.use('fields'), value), FIELDS_VALUE)
  }

  /** Returns the code that converts a value to the text that text filters receive. */
  #text(code: Code): Code {
    const type = valueOf(code)
    switch (type.kind) {
      case 'text':
      case 'count':
      case 'integer':
      case 'boolean':
        return code
      case 'number':
        return typed(invoke(this.#resolver.use('numberText'), code), PLAIN_VALUE)
      default:
        return invoke(this.#resolver.use('str'), code)
    }
  }

  #hash(expression: Extract<Expression, { kind: 'hash' }>): Code {
    const isPlain = expression.entries.every(
      ({ key }) => key.kind === 'quoted' || (key.kind === 'bare' && !this.#resolver.isKnownName(key.name)),
    )
    const keys = expression.entries.map(({ key }) => (key.kind === 'computed' ? '' : key.name))
    if (isPlain && !keys.some((key) => /^\d+$/.test(key))) {
      // The last value of a repeated key wins, at the position of the first.
      const entries = new Map(expression.entries.map(({ value }, at) => [keys[at] ?? '', this.value(value)]))
      return object([...entries].map(([key, code]) => property(key, code)))
    }
    const pairs = expression.entries.map(({ key, value }) => {
      const name =
        key.kind === 'quoted'
          ? string(key.name)
          : key.kind === 'computed'
            ? this.value(key.value)
            : this.#resolver.isKnownName(key.name)
              ? invoke(this.#resolver.use('bareKey'), this.#resolver.passedVariable(key.name), string(key.name))
              : string(key.name)
      return list([name, this.value(value)])
    })
    return typed(invoke(this.#resolver.use('hashOf'), list(pairs)), FIELDS_VALUE)
  }

  /** Returns `code` with filters applied. `input`: the expression of `code`, if known. */
  filtered(code: Code, filters: readonly FilterCall[], input: Expression | null = null): Code {
    let result = code
    let isSupplied = input?.kind === 'lookup' && input.name !== null && this.#resolver.isSupplied(input.name.name)
    let isText = stringOf(input) !== null
    for (const filter of filters) {
      const signature = this.#resolver.filters.get(filter.name.name)
      if (signature === undefined) {
        // In base Liquid, an unknown filter returns its input.
        if (this.#resolver.dialect === 'platform') result = this.#refuse(`unknown filter ${filter.name.name}`)
        else if (this.#resolver.strictFilters) result = this.#refuse(`undefined filter ${filter.name.name}`)
        continue
      }
      if (isSupplied && changesInput(signature)) {
        result = invoke(this.#resolver.use('suppliedCopy'), result)
        isSupplied = false
      }
      // A filter of the host takes precedence, even if it has the name of a built-in filter.
      const simplified =
        signature.own === true ? null : (this.#foldedCode(result, filter) ?? this.#growCode(result, filter))
      result = simplified ?? this.#filter(result, isText, filter, signature)
      isText = signature.result.kind === 'string'
    }
    return result
  }

  /** Returns the literal for a new container (`'{}' | parse_json`, or a hash merged into an empty one); null for other filters. */
  #foldedCode(input: Code, filter: FilterCall): Code | null {
    if (this.#resolver.dialect !== 'platform' || filter.positional.length > 0) return null
    const name = filter.name.name
    if (name === 'hash_merge' && input.kind === 'object' && input.entries.length === 0 && filter.named.length > 0)
      return this.named(filter)
    if (name !== 'parse_json' || filter.named.length > 0 || input.kind !== 'string') return null
    return input.value === '{}' ? object([]) : input.value === '[]' ? list([]) : null
  }

  #growCode(input: Code, filter: FilterCall): Code | null {
    const [item] = filter.positional
    if (item === undefined || !this.#resolver.canGrow(filter)) return null
    return typed(invoke(this.#resolver.use('grow'), input, this.value(item)), LIST_VALUE)
  }

  #filter(input: Code, isInputText: boolean, filter: FilterCall, signature: FilterSignature): Code {
    const { parameters, rest, named } = signature
    const namedHash = filter.named.length === 0 ? null : this.named(filter)
    const values = [input]
    for (const value of filter.positional) values.push(this.value(value))
    // Named arguments are passed as one trailing hash, which also takes the place of a missing required parameter.
    const hasTrailingHash = namedHash !== null && named !== null && values.length >= requiredCount(parameters)
    if (namedHash !== null && !hasTrailingHash) values.push(namedHash)
    const count = values.length + (hasTrailingHash ? 1 : 0)
    const { minimum, maximum } = argumentRange(signature)
    if (count < minimum || count > maximum) {
      const expected =
        maximum === Number.POSITIVE_INFINITY
          ? `${minimum}+`
          : minimum === maximum
            ? `${minimum}`
            : `${minimum}..${maximum}`
      const prefix =
        this.#resolver.dialect === 'platform' && signature.dialect === 'platform' ? `${filter.name.name} filter - ` : ''
      return this.#refuse(`${prefix}wrong number of arguments (given ${count}, expected ${expected})`)
    }
    const args = values.map((value, at) => {
      const parameter = parameters[at] ?? rest
      const argument = at === 0 ? undefined : filter.positional[at - 1]
      // An unset variable is passed as nil, not as a missing argument.
      const code = this.#hostedCode(
        parameter?.optional === true && argument?.kind === 'lookup' ? orNil(value) : value,
        parameter,
      )
      if (this.#resolver.dialect !== 'liquid' || parameter?.kind !== 'text') return code
      return (at === 0 ? isInputText : stringOf(argument) !== null)
        ? code
        : invoke(this.#resolver.use('inspected'), code)
    })
    const isTyped = args.every((code, at) => fitsParameter(valueOf(code), parameters[at] ?? rest ?? null))
    this.#resolver.count(ARITHMETIC_FILTERS.has(signature.name) ? 'arithmetic' : 'filter', isTyped)
    if (hasTrailingHash && namedHash !== null) {
      while (args.length < parameters.length) args.push(UNDEFINED)
      args.push(namedHash)
    }
    const knownType = () => this.#resolver.factOf(filter)
    const joined = this.#joinedCode(signature, args)
    if (joined !== null) return typed(joined, resultOf(signature, args, knownType))
    const result = resultOf(signature, args, knownType)
    if (signature.needsRender) args.unshift(this.#resolver.render)
    const callee = this.#resolver.useFilter(signature)
    const attempt = this.#resolver.attemptCode(filter, signature, callee, args)
    const code = attempt ?? typed(invoke(callee, ...args), result)
    return signature.suspends ? settled(code) : code
  }

  /** Returns the code of an argument, as the value that templates see. Filters convert parameters for texts and numbers themselves. */
  #hostedCode(code: Code, parameter: FilterParameter | null): Code {
    if (!this.#resolver.takesHosted || parameter === null || parameter.kind === 'text' || parameter.kind === 'number')
      return code
    return isKnown(valueOf(code)) ? code : invoke(this.#resolver.use('hosted'), code)
  }

  /** Returns two joined values if both are definitely texts, or values that print the same everywhere; otherwise null. */
  #joinedCode(signature: FilterSignature, args: readonly Code[]): Code | null {
    const [input, text] = args
    if (!JOINING_FILTERS.has(signature.name) || input === undefined || text === undefined) return null
    const texts = [input, text].map((code) => {
      const { kind } = valueOf(code)
      if (kind === 'text') return code
      return kind === 'count' || kind === 'integer' ? template([code]) : kind === 'number' ? this.#text(code) : null
    })
    const [first, second] = signature.name === 'append' ? texts : texts.toReversed()
    if (!first || !second) return null
    return invoke(this.#resolver.use('joinTexts'), first, second)
  }

  #refuse(message: string): Code {
    return invoke(this.#resolver.use('refuse'), string(message))
  }

  named(filter: Pick<FilterCall, 'named'>): Code {
    const entries = new Map(filter.named.map(({ name, value }) => [name.name, this.value(value)]))
    return object([...entries].map(([name, code]) => property(name, code)))
  }

  condition(expression: Expression): Code {
    return this.#conditions.condition(expression)
  }

  /** Returns `left == right`. `code`: returns the left side, which may be stored in a local. */
  equal(left: Expression, code: () => Code, right: Expression): Code {
    return this.#conditions.equal(left, code, right)
  }

  /** Returns whether the evaluation can raise a fault. */
  fallible(expression: Expression): boolean {
    return isFallible(expression, this.#resolver)
  }
}
