/** Emits calls that share no variables with the caller: `render`, `theme_render_rc`, `function`, and stored operations. */
import {
  type Expression,
  type NamedArgument,
  type TagNode,
  stringOf,
  type Node,
  unfiltered,
} from '../../../core/tree/ast.ts'
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
  all,
  choice,
  type Entry,
} from '../../../core/model/code.ts'
import { storedNamed, inlineKey, type Operation } from '../../../core/model/operation.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { FIELDS_VALUE, declaredType, joinValues } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { EmitKit, PartialCall } from '../../../language/tags/tag.ts'
import { variableEntry, variableKey } from '../names.ts'
import { answerValue, valueOf } from '../value-types.ts'
import { withAwait, boundName, type Callee, calleeOf, entryPointOf, guardsArguments, missingText } from './callee.ts'
import type { EntryPointInput } from './input.ts'
import { hasOldNamesEverywhere, hasOwnScope, meansHash, takesHash } from '../../../language/types/old-variables.ts'
import { asAssigned, asSetVariables, oldKeys } from './old-names.ts'
import type { EntryPointParameter } from '../signatures.ts'
import type { Variables } from './variables.ts'

/** Variables that a call passes in addition to its arguments. The name is null for a variable with the name of the partial. */
type ExtraVariables = readonly (readonly [string | null, Code])[]
type PassedValues = readonly (readonly [string, Code])[]

/** Emits a call that prints. */
export function writeRender(input: EntryPointInput, kit: EmitKit, call: PartialCall, node: TagNode): void {
  const callee = call.kind === 'theme' ? 'computed' : calleeOf(input, call)
  if (callee === null) return writeMissing(kit, call, node.span)
  const { bindingClause } = call
  if (bindingClause === null) return writeSingleCall(input, kit, call, callee, node, [])
  const as = boundName(call)
  if (!bindingClause.isForEach)
    return writeSingleCall(input, kit, call, callee, node, [[as, kit.value(bindingClause.value)]])
  const list = kit.keep('list', kit.value(bindingClause.value), node.span)
  const items = kit.fresh('items')
  const at = kit.fresh('i')
  const length = member(ident(items), 'length')
  kit.add(constant(items, invoke(kit.use('renderItems'), list), node.span))
  const body = kit.block(() =>
    kit.turn(() => {
      const loop = invoke(kit.use('renderLoop'), list, ident(at), length, invoke(kit.use('str'), kit.value(call.name)))
      writeSingleCall(input, kit, call, callee, node, [
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

function writeSingleCall(
  input: EntryPointInput,
  kit: EmitKit,
  call: PartialCall,
  callee: Unit | 'computed',
  node: TagNode,
  extra: ExtraVariables,
): void {
  const isLiquid = kit.dialect === 'liquid'
  const namedExtra = extra.flatMap(([name, code]) =>
    name === null || (isLiquid && name !== 'forloop') ? [] : [[name, code] as const],
  )
  // A call that exceeds the nesting limit fails in place, and base Liquid continues after it.
  const isRecursive = kit.dialect === 'liquid' && input.effects.recursive
  const isGuarded = callee === 'computed' || isRecursive || guardsArguments(kit, call)
  if (callee !== 'computed' && kit.dialect !== 'liquid')
    return kit.guard(isGuarded, node.span, () => {
      const args = callArguments(input, kit, call, callee, 'render', namedExtra, node.span)
      kit.print(withAwait(input, call, invoke(entryPointOf(input, callee, 'render'), kit.render, ...args)), node.span)
    })
  const scope = isolatedScope(input, kit, call, callee, namedExtra)
  const [, namedValue] = extra.find(([name]) => name === null) ?? []
  const [bound] = isLiquid ? extra : []
  const args =
    namedValue !== undefined
      ? invoke(kit.use('withNamed'), scope, kit.value(call.name), namedValue)
      : bound !== undefined && canRead(input, callee, bound[0] ?? '')
        ? // A nil value does not replace an argument with this name, or the data of the render.
          invoke(kit.use('withGiven'), scope, string(variableKey(bound[0] ?? '')), bound[1])
        : scope
  kit.guard(isGuarded, node.span, () => {
    if (callee === 'computed') {
      const run = kit.use(call.kind === 'theme' ? 'renderTheme' : 'renderNamed')
      kit.print(withAwait(input, call, invoke(run, kit.render, kit.value(call.name), args)), node.span)
    } else kit.print(invoke(kit.use('isolated'), kit.render, entryPointOf(input, callee, 'render'), args), node.span)
  })
}

/** Emits a fault in place of the call of a missing partial. */
export function writeMissing(kit: EmitKit, call: PartialCall, span: Span): void {
  kit.guard(true, span, () => kit.add(run(invoke(kit.use('refuse'), missingText(kit, call)), span)))
}

/** Returns the code of a call that returns a value. */
export function valueCode(input: EntryPointInput, kit: EmitKit, call: PartialCall): Code {
  const callee: Callee = calleeOf(input, call)
  if (callee === null) return invoke(kit.use('refuse'), missingText(kit, call))
  if (callee === 'computed') {
    const args = isolatedScope(input, kit, call, callee, [])
    return withAwait(input, call, invoke(kit.use('callNamed'), kit.render, kit.value(call.name), args))
  }
  const args = callArguments(input, kit, call, callee, 'value', [], call.span)
  const { result, returned } = input.context.signatures.of(callee.file.path, 'value')
  const types = returned.map((at) => declaredType(valueOf(args[at] ?? UNDEFINED)))
  const code = invoke(entryPointOf(input, callee, 'value'), kit.render, ...args)
  return withAwait(input, call, typed(code, [result, ...types].reduce(joinValues)))
}

/** Returns the arguments after the render: the values as separate arguments, or one object of variables. */
function callArguments(
  input: EntryPointInput,
  kit: EmitKit,
  call: PartialCall,
  callee: Unit,
  entryPoint: 'render' | 'value',
  extra: PassedValues,
  span: Span,
): readonly Code[] {
  const { parameters } = input.context.signatures.of(callee.file.path, entryPoint)
  if (parameters === null) return [isolatedScope(input, kit, call, callee, extra)]
  const passedValues = new Map<string, Code>()
  const isInOrder = canPassInOrder(kit, call, parameters)
  for (const { name, value } of call.arguments) {
    const isParameter = parameters.some((each) => each.name === name.name)
    if (!isParameter && !kit.fallible(value)) continue
    const code = kit.value(value)
    if (isInOrder && isParameter) passedValues.set(name.name, code)
    else {
      // Values are evaluated in the order of the template.
      passedValues.set(name.name, kit.keep(name.name, code, span))
    }
  }
  for (const [name, code] of extra) passedValues.set(name, code)
  const codes = parameters.map(({ name }) => passedValues.get(name) ?? UNDEFINED)
  kit.handsOver(
    callee.file.path,
    entryPoint,
    codes.map((code) => declaredType(valueOf(code))),
  )
  return codes
}

/**
 * Returns whether the arguments can be evaluated in the order of the parameters. They can if they are already in this order, or if all are
 * parameters and no evaluation can fail or have side effects.
 */
function canPassInOrder(kit: EmitKit, call: PartialCall, parameters: readonly EntryPointParameter[]): boolean {
  const indexes = call.arguments.map(({ name }) => parameters.findIndex((each) => each.name === name.name))
  if (indexes.every((place, at) => place > (indexes[at - 1] ?? -1))) return true
  return !indexes.includes(-1) && call.arguments.every(({ value }) => !kit.fallible(value) && isPureRead(value))
}

/** Returns whether the evaluation of an expression only reads variables. */
function isPureRead(value: Expression): boolean {
  return (
    value.kind === 'literal' || value.kind === 'lookup' || (value.kind === 'filtered' && value.filters.length === 0)
  )
}

/**
 * Returns the object of variables for an isolated call. It contains only arguments that the callee can read or whose evaluation can fail.
 */
function isolatedScope(
  input: EntryPointInput,
  kit: EmitKit,
  call: PartialCall,
  callee: Unit | 'computed',
  extra: PassedValues,
): Code {
  const entries = new Map<string, Code>()
  for (const { name, value } of call.arguments)
    if (canRead(input, callee, name.name) || kit.fallible(value)) entries.set(name.name, kit.value(value))
  for (const [name, code] of extra) if (canRead(input, callee, name)) entries.set(name, code)
  const variables = variablesCode(input, entries)
  // The host runs layouts, but this call treats a layout like any other partial.
  return callee !== 'computed' && hasOwnScope(input.context.site, callee) ? asSetVariables(input, variables) : variables
}

/** Returns whether the callee, or a partial that it includes, can read the variable. */
function canRead({ context }: EntryPointInput, callee: Unit | 'computed', name: string): boolean {
  const effects = callee === 'computed' ? undefined : context.effects.get(callee.file.path)
  return effects === undefined || effects.spills || effects.frame.has(name)
}

/** Returns the named arguments as the variables of another template. */
export function passedVariables(input: EntryPointInput, kit: EmitKit, args: readonly NamedArgument[]): Code {
  return variablesCode(input, new Map(args.map(({ name, value }) => [name.name, kit.value(value)])))
}

function variablesCode(input: EntryPointInput, entries: ReadonlyMap<string, Code>): Code {
  // A callee with its own scope has no older names, unless every file has them.
  const value = (name: string, code: Code) =>
    hasOldNamesEverywhere(input.context.site) ? asAssigned(input, name, code) : code
  return object([...entries].map(([name, code]) => variableEntry(name, value(name, code))))
}

/** Returns the code of the result of a query. */
export function queryCode(
  { context, imports }: EntryPointInput,
  kit: EmitKit,
  query: { readonly name: Expression } | { readonly document: Code },
  variables: Code,
  span: Span,
): Code {
  const place = [kit.unit(), kit.line(span)]
  const operationCode = (key: string, value: Code) =>
    settled(invoke(kit.use('runOperation'), kit.render, object([property(key, value)]), variables, ...place))
  if ('document' in query) return operationCode('document', query.document)
  const { name } = query
  const literal = stringOf(name)
  const operation = literal === null ? undefined : storedNamed(context.operations, literal)
  if (literal === null || operation === undefined) return operationCode('name', invoke(kit.use('str'), kit.value(name)))
  const stored = imports.from(operation.span.file, context.operationName(operation.name ?? literal))
  const { schemaResult: answer } = operation.analysis
  const code = invoke(stored, kit.render, variables, ...place)
  return settled(typed(code, answer === null ? FIELDS_VALUE : answerValue(answer)))
}

// ---- variables of queries ------------------------------------------------------------------------------------------

/** Returns the hash of variables. `name`: the name of a stored query; `body`: the query in the body of the tag. */
export function queryVariables(
  input: EntryPointInput,
  kit: EmitKit,
  variables: Variables,
  args: readonly NamedArgument[],
  query: { readonly name: Expression } | { readonly body: readonly Node[] },
): Code {
  const operation = operationOf(input, query)
  const bareNameOf = (argument: NamedArgument) => bareHashName(input, variables, operation, argument)
  if (!args.some((each) => bareNameOf(each) !== null)) return kit.named(args)
  const entries = new Map<string, Entry>()
  for (const each of args) {
    const key = each.name.name
    const name = bareNameOf(each)
    const bareValue = name === null ? null : variables.passedVariable(name)
    const entry =
      bareValue === null
        ? property(key, kit.value(each.value))
        : all(choice(binary(bareValue, '===', UNDEFINED), object([]), object([property(key, bareValue)])))
    entries.set(key, entry)
  }
  return object([...entries.values()])
}

function operationOf(
  { context: { operations } }: EntryPointInput,
  query: { readonly name: Expression } | { readonly body: readonly Node[] },
): Operation | undefined {
  if ('body' in query) {
    const [first] = query.body
    return first?.kind === 'text' ? operations.inline.get(inlineKey(first.span)) : undefined
  }
  return operations.storedOperations.get(stringOf(query.name) ?? '')
}

/** Returns the older name in an argument that may pass a hash of `context` to a variable that takes no hash; null for other arguments. */
function bareHashName(
  input: EntryPointInput,
  variables: Variables,
  operation: Operation | undefined,
  argument: NamedArgument,
): string | null {
  const value = unfiltered(argument.value)
  if (value.kind !== 'lookup' || value.name === null || value.path.length > 0) return null
  const { name } = value.name
  const keys = variables.hides(name) ? null : oldKeys(input, name)
  if (keys === null || !meansHash(keys)) return null
  const variable = operation?.variables.find((each) => each.name === argument.name.name)
  return variable === undefined || takesHash(variable.shape) ? null : name
}
