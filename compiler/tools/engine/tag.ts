/** Custom tags implemented as functions of their named arguments and their body's output. */
import type { NamedArgument } from '../../core/tree/ast.ts'
import { type Code, invoke } from '../../core/model/code.ts'
import { type Option, readOptions } from '../../language/tags/options.ts'
import { type AnyTag, type EmitKit, tag } from '../../language/tags/tag.ts'
import { str } from '../../../runtime/index.ts'
import { EngineOptionError } from './option-error.ts'
import {
  baseOf,
  isOptional,
  type MaybeKind,
  namedConversion,
  type NamedKinds,
  type NamedParametersOf,
} from './value-kinds.ts'

export interface TagDeclaration<Args extends NamedKinds, Body extends boolean> {
  /** The name in templates. */
  readonly name: string
  /** The kinds of the named arguments. A question mark makes an argument optional. */
  readonly args?: Args
  /** Whether the tag has a body and an end tag. The function receives the body's output. */
  readonly body?: Body
}

/** A custom tag, created by `runtimeTag`. */
export class HostTag {
  readonly tag: AnyTag
  /** The name of the function that emitted code calls. */
  readonly function: string
  readonly call: (args: unknown, body?: string) => string

  constructor(tag: AnyTag, name: string, call: (args: unknown, body?: string) => string) {
    this.tag = tag
    this.function = name
    this.call = call
  }
}

/**
 * Declares a custom tag. The function's result is printed without escaping.
 * @throws EngineOptionError for a name that templates cannot use
 */
export function runtimeTag<
  const Args extends NamedKinds = Readonly<Record<never, MaybeKind>>,
  const Body extends boolean = false,
>(
  declaration: TagDeclaration<Args, Body>,
  run: (args: NamedParametersOf<Args>, ...body: Body extends true ? [body: string] : []) => string,
): HostTag {
  const { name, args, body = false } = declaration
  if (!/^[A-Za-z_]\w*$/.test(name) || name.startsWith('end'))
    throw new EngineOptionError(`\`${name}\` cannot be the name of a tag`)
  const options = Object.fromEntries(Object.entries(args ?? {}).map(([key, kind]) => [key, optionOf(kind)]))
  const convertArguments = namedConversion(args ?? {})
  // The conversions give `run` the types that its declaration promises.
  const hostCall = run as (args: Readonly<Record<string, unknown>>, body?: string) => unknown
  const host = `tag_${name}`
  const print = (kit: EmitKit, values: readonly Code[], span: Parameters<EmitKit['print']>[1]) =>
    kit.guard(true, span, () => kit.print(invoke(kit.host(host), ...values), span))
  const declaredTag = tag<{ arguments: readonly NamedArgument[] }>({
    name,
    usage: body ? `{% ${name} name: value %}…{% end${name} %}` : `{% ${name} name: value %}`,
    shape: body ? 'block' : 'inline',
    grammar: ($) => ({ arguments: $.sub(0, $.namedArguments) }),
    check(node, kit) {
      readOptions(name, node.markup.arguments, options, kit, node.span)
      kit.body(node.body)
    },
    emit(node, kit) {
      const values = kit.named(node.markup.arguments)
      if (!body) return print(kit, [values], node.span)
      kit.capture(
        'body',
        () => kit.body(node.body),
        (text) => print(kit, [values, text], node.span),
      )
    },
  })
  return new HostTag(declaredTag, host, (value, text) => str(hostCall(convertArguments(value), text)))
}

/** Returns the checker's option for an argument of this kind. Text and boolean arguments accept any value. */
function optionOf(kind: MaybeKind): Option {
  const base = baseOf(kind)
  const takes = base === 'number' || base === 'list' || base === 'hash' ? base : 'any'
  return isOptional(kind) ? { takes } : { takes, required: true }
}
