/** Calls out of a face that share no variables with it: `render`, `theme_render_rc`, `function`, and stored operations. */
import type { Expression, NamedArgument, TagNode } from '../../../core/model/ast.ts'
import {
  binary,
  type Code,
  constant,
  counted,
  element,
  ident,
  invoke,
  member,
  number,
  object,
  property,
  run,
  settled,
  string,
  typed,
  UNDEFINED,
} from '../../../core/model/code.ts'
import { storedNamed } from '../../../core/model/operation.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { FIELDS_VALUE, declaredType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { EmitKit, PartialCall } from '../../../language/tags/tag.ts'
import { variableEntry, variableKey } from '../names.ts'
import { answerValue, valueOf } from '../value-types.ts'
import { awaiting, boundName, type Callee, calleeOf, faceOf, guardsArguments, missingText } from './callee.ts'
import type { FaceInput } from './input.ts'
import { hasOldNamesEverywhere, hasOwnScope } from '../../../language/types/old-variables.ts'
import { asGiven, asSet } from './old-names.ts'
import type { FaceParameter } from '../signatures.ts'

/** Variables that a call hands over beside its arguments; null for the one named like the partial. */
type Extra = readonly (readonly [string | null, Code])[]
type PassedValues = readonly (readonly [string, Code])[]

/** A call that prints. */
export function writeRender(input: FaceInput, kit: EmitKit, call: PartialCall, node: TagNode): void {
  const callee = call.kind === 'theme' ? 'computed' : calleeOf(input, call)
  if (callee === null) return writeMissing(kit, call, node.span)
  const { bound } = call
  if (bound === null) return writeOnce(input, kit, call, callee, node, [])
  const as = boundName(call)
  if (!bound.each) return writeOnce(input, kit, call, callee, node, [[as, kit.value(bound.value)]])
  const list = kit.keep('list', kit.value(bound.value), node.span)
  const items = kit.fresh('items')
  const at = kit.fresh('i')
  const length = member(ident(items), 'length')
  kit.add(constant(items, invoke(kit.use('renderItems'), list), node.span))
  const body = kit.block(() =>
    kit.turn(() => {
      const loop = invoke(kit.use('renderLoop'), list, ident(at), length, invoke(kit.use('str'), kit.value(call.name)))
      writeOnce(input, kit, call, callee, node, [
        [as, element(ident(items), ident(at))],
        ['forloop', loop],
      ])
    }),
  )
  kit.add({
    kind: 'for',
    variables: [{ name: at, type: null, value: number(0) }],
    test: binary(ident(at), '<', length),
    step: counted(ident(at)),
    body,
    span: node.span,
  })
}

function writeOnce(
  input: FaceInput,
  kit: EmitKit,
  call: PartialCall,
  callee: Unit | 'computed',
  node: TagNode,
  extra: Extra,
): void {
  const isLiquid = kit.dialect === 'liquid'
  const named = extra.flatMap(([name, code]) =>
    name === null || (isLiquid && name !== 'forloop') ? [] : [[name, code] as const],
  )
  // A call that nests too deep fails where it stands, and base Liquid goes on behind it.
  const mayNest = kit.dialect === 'liquid' && input.effects.recursive
  const guarded = callee === 'computed' || mayNest || guardsArguments(kit, call)
  if (callee !== 'computed' && kit.dialect !== 'liquid')
    return kit.guard(guarded, node.span, () => {
      const args = handedCode(input, kit, call, callee, 'render', named, node.span)
      kit.print(awaiting(input, call, invoke(faceOf(input, callee, 'render'), kit.render, ...args)), node.span)
    })
  const plain = argumentsCode(input, kit, call, callee, named)
  const [, like] = extra.find(([name]) => name === null) ?? []
  const [given] = isLiquid ? extra : []
  const args =
    like !== undefined
      ? invoke(kit.use('withNamed'), plain, kit.value(call.name), like)
      : given !== undefined && sees(input, callee, given[0] ?? '')
        ? // nil leaves an argument of that name, or the render's data, as they are.
          invoke(kit.use('withGiven'), plain, string(variableKey(given[0] ?? '')), given[1])
        : plain
  kit.guard(guarded, node.span, () => {
    if (callee === 'computed') {
      const run = kit.use(call.kind === 'theme' ? 'renderTheme' : 'renderNamed')
      kit.print(awaiting(input, call, invoke(run, kit.render, kit.value(call.name), args)), node.span)
    } else kit.print(invoke(kit.use('isolated'), kit.render, faceOf(input, callee, 'render'), args), node.span)
  })
}

/** What stands for the call of a partial that is not there. */
export function writeMissing(kit: EmitKit, call: PartialCall, span: Span): void {
  kit.guard(true, span, () => kit.add(run(invoke(kit.use('refuse'), missingText(kit, call)), span)))
}

/** A call that gives a value. */
export function valueCode(input: FaceInput, kit: EmitKit, call: PartialCall): Code {
  const callee: Callee = calleeOf(input, call)
  if (callee === null) return invoke(kit.use('refuse'), missingText(kit, call))
  if (callee === 'computed') {
    const args = argumentsCode(input, kit, call, callee, [])
    return awaiting(input, call, invoke(kit.use('callNamed'), kit.render, kit.value(call.name), args))
  }
  const args = handedCode(input, kit, call, callee, 'value', [], call.span)
  const { result } = input.context.signatures.of(callee.file.path, 'value')
  return awaiting(input, call, typed(invoke(faceOf(input, callee, 'value'), kit.render, ...args), result))
}

/** What the face of a partial is called with behind the render: its values one by one, or one object of variables. */
function handedCode(
  input: FaceInput,
  kit: EmitKit,
  call: PartialCall,
  callee: Unit,
  face: 'render' | 'value',
  extra: PassedValues,
  span: Span,
): readonly Code[] {
  const { parameters } = input.context.signatures.of(callee.file.path, face)
  if (parameters === null) return [argumentsCode(input, kit, call, callee, extra)]
  const given = new Map<string, Code>()
  const bare = passedInOrder(kit, call, parameters)
  for (const { name, value } of call.arguments) {
    const isTaken = parameters.some((each) => each.name === name.name)
    if (!isTaken && !kit.fallible(value)) continue
    const code = kit.value(value)
    if (bare && isTaken) given.set(name.name, code)
    else {
      // Values are worked out in the order in which they are written.
      given.set(name.name, kit.keep(name.name, code, span))
    }
  }
  for (const [name, code] of extra) given.set(name, code)
  const codes = parameters.map(({ name }) => given.get(name) ?? UNDEFINED)
  kit.handsOver(
    callee.file.path,
    face,
    codes.map((code) => declaredType(valueOf(code))),
  )
  return codes
}

/** Whether the arguments may be worked out in the order of the parameters: nothing that fails or changes something is among others. */
function passedInOrder(kit: EmitKit, call: PartialCall, parameters: readonly FaceParameter[]): boolean {
  const places = call.arguments.map(({ name }) => parameters.findIndex((each) => each.name === name.name))
  if (places.every((place, at) => place > (places[at - 1] ?? -1))) return true
  return !places.includes(-1) && call.arguments.every(({ value }) => !kit.fallible(value) && isRead(value))
}

/** Whether working out the value does nothing but read. */
function isRead(value: Expression): boolean {
  return (
    value.kind === 'literal' || value.kind === 'lookup' || (value.kind === 'filtered' && value.filters.length === 0)
  )
}

/** The arguments of an isolated call, those that the callee can see. */
function argumentsCode(
  input: FaceInput,
  kit: EmitKit,
  call: PartialCall,
  callee: Unit | 'computed',
  extra: PassedValues,
): Code {
  const entries = new Map<string, Code>()
  for (const { name, value } of call.arguments)
    if (sees(input, callee, name.name) || kit.fallible(value)) entries.set(name.name, kit.value(value))
  for (const [name, code] of extra) if (sees(input, callee, name)) entries.set(name, code)
  const variables = variablesCode(input, entries)
  // A layout is run by the host, but here it is called like any other partial.
  return callee !== 'computed' && hasOwnScope(input.context.site, callee) ? asSet(input, variables) : variables
}

/** Whether the callee, or what it includes, can read the variable. */
function sees({ context }: FaceInput, callee: Unit | 'computed', name: string): boolean {
  const effects = callee === 'computed' ? undefined : context.effects.get(callee.file.path)
  return effects === undefined || effects.spills || effects.frame.has(name)
}

/** Named arguments as the variables of another template. */
export function passedCode(input: FaceInput, kit: EmitKit, args: readonly NamedArgument[]): Code {
  return variablesCode(input, new Map(args.map(({ name, value }) => [name.name, kit.value(value)])))
}

function variablesCode(input: FaceInput, entries: ReadonlyMap<string, Code>): Code {
  // What is called with a scope of its own has no other names, unless every file has.
  const value = (name: string, code: Code) =>
    hasOldNamesEverywhere(input.context.site) ? asGiven(input, name, code) : code
  return object([...entries].map(([name, code]) => variableEntry(name, value(name, code))))
}

/** A query with its variables: the code of its result hash. */
export function queryCode(
  { context, imports }: FaceInput,
  kit: EmitKit,
  query: { readonly name: Expression } | { readonly document: Code },
  variables: Code,
  span: Span,
): Code {
  const place = [kit.unit, kit.line(span)]
  const asked = (key: string, value: Code) =>
    settled(invoke(kit.use('runOperation'), kit.render, object([property(key, value)]), variables, ...place))
  if ('document' in query) return asked('document', query.document)
  const { name } = query
  const literal = name.kind === 'literal' && name.value.type === 'string' ? name.value.value : null
  const operation = literal === null ? undefined : storedNamed(context.operations, literal)
  if (literal === null || operation === undefined) return asked('name', invoke(kit.use('str'), kit.value(name)))
  const stored = imports.from(operation.span.file, context.operationName(operation.name ?? literal))
  const { schemaResult: answer } = operation.analysis
  const code = invoke(stored, kit.render, variables, ...place)
  return settled(typed(code, answer === null ? FIELDS_VALUE : answerValue(answer)))
}
