/** Generates values: literals, variables with paths, filter chains, conditions. */
import type { FilterSignature, ParameterKind } from '../../../compiler/core/model/signature.ts'
import { FILTERS } from '../../../compiler/language/types/runtime.generated.ts'
import type { Random } from './random.ts'
import { KEYS, NUMBERS, TEXTS } from './words.ts'

export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'hash' | 'any'

export interface Variable {
  readonly name: string
  readonly kind: Kind
}

const PARAMS: Readonly<Record<Kind, readonly string[]>> = {
  text: ['text', 'word', 'empty'],
  number: ['count', 'ratio'],
  boolean: ['yes', 'no'],
  list: ['list', 'words', 'numbers', 'rows', 'nowhere'],
  hash: ['hash', 'nothing'],
  any: ['none', 'text', 'count', 'list', 'hash', 'unheard_of'],
}

/** Filters that are not used: they mark their input as safe, are not deterministic, or need data that generated sites do not have. */
const EXCLUDED_FILTERS: ReadonlySet<string> = new Set([
  'html_safe',
  'sanitize',
  'random_string',
  'uuid',
  'array_shuffle',
  'shuffle_array',
  'download_file',
  'gzip_compress',
  'is_token_valid',
  'verify_access_key',
  'hcaptcha',
])

// Results of web filters contain intended markup. Cryptographic filters are slow.
const USED_FILTERS = FILTERS.filter(
  ({ name, module, dialect, deprecated }) =>
    dialect !== 'liquid' &&
    deprecated === null &&
    !/^(?:web|crypto|account)\//.test(module) &&
    !EXCLUDED_FILTERS.has(name),
)

const TAKES: Readonly<Record<ParameterKind, Kind>> = {
  text: 'text',
  number: 'number',
  list: 'list',
  hash: 'hash',
  boolean: 'boolean',
  value: 'any',
}

const BY_INPUT: ReadonlyMap<Kind, readonly FilterSignature[]> = new Map(
  (['text', 'number', 'boolean', 'list', 'hash', 'any'] as const).map((kind) => [
    kind,
    USED_FILTERS.filter(
      ({ parameters: [input] }) => input !== undefined && (TAKES[input.kind] === kind || input.kind === 'value'),
    ),
  ]),
)

function kindOf({ result }: FilterSignature): Kind {
  if (result.kind === 'string') return 'text'
  if (result.kind === 'integer' || result.kind === 'float' || result.kind === 'number') return 'number'
  if (result.kind === 'hash' || result.kind === 'record') return 'hash'
  return result.kind === 'boolean' || result.kind === 'list' ? result.kind : 'any'
}

export class Values {
  readonly #random: Random
  /** Variables that the template has set so far, the newest last. */
  readonly variables: Variable[]

  constructor(random: Random, variables: readonly Variable[]) {
    this.#random = random
    this.variables = [...variables]
  }

  /** Returns a literal, or a variable with a path, usually of the given kind. */
  plain(kind: Kind = 'any'): string {
    const random = this.#random
    const wanted = random.chance(0.04)
      ? random.pick(['text', 'number', 'boolean', 'list', 'hash', 'any'] as const)
      : kind
    if (random.chance(0.35)) return this.#literal(wanted)
    const fitting = this.variables.filter((each) => each.kind === wanted || wanted === 'any' || each.kind === 'any')
    if (fitting.length === 0 || random.chance(0.25)) return `context.params.${random.pick(PARAMS[wanted])}`
    const found = random.pick(fitting)
    return found.kind === wanted ? found.name : `${found.name}${random.chance(0.4) ? this.#path() : ''}`
  }

  /** Returns a value, usually with filters. @param isSafe uses only filters that cannot fail */
  filtered(kind: Kind = 'any', isSafe = false): string {
    const random = this.#random
    let text = this.plain(kind)
    let now = kind
    for (
      let left = random.weighted([
        [4, 0],
        [4, 1],
        [2, 2],
        [1, 3],
      ] as const);
      left > 0;
      left--
    ) {
      const filter = random.pick(BY_INPUT.get(now) ?? USED_FILTERS)
      if (filter.fallible && (isSafe || random.chance(0.75))) continue
      text += ` | ${this.#call(filter)}`
      now = kindOf(filter)
    }
    // The last filter converts the result back to the kind.
    if (kind === 'number' && now !== 'number') return `${text} | plus: 1`
    return kind === 'text' && now !== 'text' ? `${text} | append: ''` : text
  }

  condition(): string {
    const random = this.#random
    const one = () => {
      const kind = random.pick(['text', 'number', 'any', 'boolean'] as const)
      const left = this.plain(kind)
      if (random.chance(0.25)) return left
      if (random.chance(0.2)) return `${left} ${random.pick(['==', '!='])} ${random.pick(['blank', 'empty', 'nil'])}`
      if (random.chance(0.2)) return `${this.plain(random.pick(['text', 'list', 'hash'] as const))} contains ${left}`
      const operators = kind === 'number' ? ['<', '>', '<=', '>=', '==', '!='] : ['==', '!=']
      return `${left} ${random.pick(operators)} ${this.plain(kind)}`
    }
    const word = random.pick(['and', 'or'])
    return random.chance(0.7)
      ? one()
      : random.chance(0.7)
        ? `${one()} ${word} ${one()}`
        : `${one()} ${word} ${one()} ${word} ${one()}`
  }

  /** Returns a hash or array literal. */
  literal(kind: 'list' | 'hash', depth = 0): string {
    const random = this.#random
    const item = (): string => {
      if (depth < 2 && random.chance(0.2)) return this.literal(random.pick(['list', 'hash'] as const), depth + 1)
      if (random.chance(0.3)) return `"${random.pick(['a', 'é <b>', "it's &", ''])}"`
      return random.chance(0.3) ? random.pick(NUMBERS) : this.#variable()
    }
    const count = random.below(4)
    if (kind === 'list') return `[${Array.from({ length: count }, item).join(', ')}]`
    const keys = new Set(Array.from({ length: count }, () => random.pick(KEYS)))
    return `{ ${[...keys].map((key) => `"${key}": ${item()}`).join(', ')} }`
  }

  #literal(kind: Kind): string {
    const random = this.#random
    switch (kind) {
      case 'text':
        return random.chance(0.2) ? `"${this.#interpolated()}"` : `'${random.pick(TEXTS)}'`
      case 'number':
        return random.pick(NUMBERS)
      case 'boolean':
        return random.pick(['true', 'false'])
      case 'list':
        return `(${random.pick(['1', '0', 'context.params.count'])}..${random.pick(['3', '2', '0'])})`
      case 'hash':
        return 'context.params.hash'
      case 'any':
        return random.pick(['nil', 'blank', 'empty', "'x'", '1'])
    }
  }

  #interpolated(): string {
    return `${this.#random.pick(['', 'x ', '&'])}{{ ${this.#variable()} }}${this.#random.pick(['', '!', '<'])}`
  }

  #variable(): string {
    const random = this.#random
    return this.variables.length === 0 || random.chance(0.2)
      ? `context.params.${random.pick(PARAMS[random.pick(['text', 'number', 'list', 'hash'] as const)])}`
      : random.pick(this.variables).name
  }

  #path(): string {
    const random = this.#random
    const key = random.pick(KEYS)
    const step = random.weighted([
      [3, /^\d/.test(key) ? `['${key}']` : `.${key}`],
      [1, `['${key}']`],
      [1, `[${random.pick(['0', '-1', '1', 'context.params.word'])}]`],
      [1, random.pick(['.first', '.last', '.size'])],
    ])
    return random.chance(0.2) ? `${step}${this.#path()}` : step
  }

  #call({ name, parameters, rest, named }: FilterSignature): string {
    const random = this.#random
    const given = parameters.slice(1).filter(({ optional }) => !optional || random.chance(0.5))
    const values = given.map(({ kind }) => this.plain(TAKES[kind]))
    if (rest !== null) for (let count = random.below(3); count > 0; count--) values.push(this.plain(TAKES[rest.kind]))
    if (named !== null && (named.required || random.chance(0.2)))
      values.push(...named.names.slice(0, 1).map((each) => `${each}: ${this.plain()}`))
    return values.length === 0 ? name : `${name}: ${values.join(', ')}`
  }
}
