/** One face of a unit: the function that its tags write. Implements the kit that tags see. */
import type { Accessor, Expression, FilterCall, NamedArgument, NameNode, Node, TagNode, Target } from '../model/ast.ts'
import type { Bound, BoundCall } from '../model/bound.ts'
import type { Effects, Face } from '../model/effects.ts'
import type { FilterSignature } from '../model/signature.ts'
import { jobKey, type Unit } from '../model/unit.ts'
import type { Span } from '../source/span.ts'
import type { Code, EmitKit, PartialCall } from '../tags/tag.ts'
import { isBlank } from './blank.ts'
import type { EmitContext } from './context.ts'
import { Expressions, type Resolver } from './expression.ts'
import { growingFilters } from './growing.ts'
import { follow, type HtmlState, inAttribute } from './html-context.ts'
import { isPlainVariable, Names, propertyName } from './names.ts'
import { annotation, quoted, Writer } from './writer.ts'

/** What a face needs beside the site. */
export interface FaceInput {
  readonly context: EmitContext
  readonly file: string
  readonly nodes: readonly Node[]
  readonly face: Face
  /** The function's name. */
  readonly name: string
  readonly bound: Bound
  readonly effects: Effects
  /** Names that the module imports, added to as they are used. */
  readonly imports: Imports
  /** The module's constant with the template's path. */
  readonly unitName: string
  /** For a function that writes into a byte sink: gives the name of a constant that holds a text's bytes. */
  readonly bytes?: (text: string) => string
}

/** Collects what a module imports. */
export class Imports {
  readonly runtime = new Set<string>()
  readonly types = new Set<string>()
  readonly filters = new Map<string, FilterSignature>()
  /** Other units' faces by file. */
  readonly faces = new Map<string, Set<string>>()
  /** Whether something names the constant with the template's path. */
  usesUnit = false
}

type Exit =
  | { readonly kind: 'loop'; readonly break: string; readonly continue: string }
  | {
      readonly kind: 'capture'
      readonly jump: string
      readonly leave: string
      readonly used: Set<'break' | 'continue' | 'return'>
    }

interface LoopObject {
  readonly name: string
  readonly fields: Readonly<Record<string, Code>>
  readonly whole: () => Code
}

const LIQUID = annotation(': Liquid')

/** UTF-16 units that a loop prints before they are written to a sink. */
const LONG_OUTPUT = 16384

/** Writes a face's function. */
export function emitFace(input: FaceInput, out: Writer): void {
  new FaceEmitter(input).write(out)
}

class FaceEmitter implements EmitKit, Resolver {
  readonly dialect
  readonly filters
  readonly resumes: boolean
  readonly #input: FaceInput
  readonly #names: Names
  readonly #expressions: Expressions
  #w = new Writer()
  /** JavaScript names of the frame's variables, as they are met. */
  readonly #frame = new Map<string, string>()
  readonly #hoisted: string[] = []
  readonly #locals = new Map<string, string>()
  readonly #scopes: Map<string, string>[] = []
  readonly #loops: LoopObject[] = []
  readonly #exits: Exit[] = []
  #depth = 0
  #trying = 0
  /** Open blocks whose text stays when something in them fails. */
  #keeping = 0
  #html: HtmlState = 'content'
  #usesLabel = false
  #usesRegisters = false
  #usesEscape: Set<string> = new Set()
  #usesResult = false
  #usesDepth = false
  #node: Node | null = null
  readonly #dropping: boolean[] = []
  #growing: ReadonlySet<FilterCall> | null = null

  constructor(input: FaceInput) {
    this.#input = input
    this.dialect = input.context.site.dialect
    this.filters = input.context.filters
    this.resumes = input.context.resumes
    this.#names = new Names(input.context.runtimeNames)
    this.#expressions = new Expressions(this)
    if (input.face === 'value') this.#w.target = null
    if (input.bytes !== undefined) {
      this.#w.bytes = input.bytes
      this.#runtime('writeText')
    }
  }

  get alone(): boolean {
    const { effects, bound } = this.#input
    return !effects.included && !bound.calls.some((call) => call.kind === 'include')
  }

  get unit(): Code {
    this.#input.imports.usesUnit = true
    return this.#input.unitName
  }

  // ---- the function ---------------------------------------------------------------------------------------------------

  write(out: Writer): void {
    const { face, name, effects, nodes } = this.#input
    this.#visit(nodes)
    this.#w.flush()
    const shared = face === 'shared'
    const epilogue: string[] = []
    if (shared)
      for (const variable of effects.frameWrites)
        epilogue.push(`frame${memberOf(variable)} = ${this.#frameRead(variable)}`)
    if (effects.recursive) epilogue.push('r.leave()')

    const keyword = effects.suspends ? 'async function' : 'function'
    const result = face === 'value' ? 'Liquid' : 'string'
    const parameter = shared ? 'frame' : 'scope'
    const type = effects.suspends ? `: Promise<${result}>` : `: ${result}`
    this.#input.imports.types.add('Render').add('Scope')
    if (face === 'value') this.#input.imports.types.add('Liquid')
    if (this.#hoisted.length > 0) this.#input.imports.types.add('Liquid')
    const sinking = this.#sinks ? `, sink${annotation(': Uint8Array')}, written${annotation(': number')}` : ''
    const parameters = `r${annotation(': Render')}, ${parameter}${annotation(': Scope')}${sinking}`
    out.block(
      `${annotation('export ')}${keyword} ${name}(${parameters})${annotation(this.#sinks ? ': number' : type)}`,
      null,
      () => {
        if (effects.recursive) out.statement('r.enter()', null)
        else if (this.#input.bound.calls.length > 0) out.statement(`if ((++r.steps & 1023) === 0) r.tick(0)`, null)
        if (this.#usesDepth) out.statement('const depth = r.depth', null)
        for (const escape of this.#usesEscape) out.statement(`const ${escape}Text = r.${escape}`, null)
        if (this.#usesRegisters) {
          const fresh = `new ${this.#runtime('Registers')}()`
          out.statement(`const registers = ${shared ? `${this.#runtime('registersOf')}(frame)` : fresh}`, null)
        }
        for (const line of this.#hoisted) out.statement(line, null)
        for (const line of this.#locals.values()) out.statement(line, null)
        if (this.#usesResult) out.statement(`let result${LIQUID} = null`, null)
        if (face !== 'value') out.statement("let out = ''", null)
        if (this.#usesLabel) out.block('body:', null, () => out.append(this.#w))
        else out.append(this.#w)
        for (const line of epilogue) out.statement(line, null)
        if (face !== 'value') {
          if (epilogue.length > 0 || !endsWithReturn(out)) out.statement(`return ${this.#printedAll}`, null)
        } else if (this.#usesResult) out.statement('return result', null)
        else if (!endsWithReturn(out)) out.statement('return null', null)
      },
    )
  }

  /** Whether what is printed goes to a sink of bytes. */
  get #sinks(): boolean {
    return this.#input.bytes !== undefined
  }

  /** What a function that prints gives: its text, or the offset behind what it wrote. */
  get #printedAll(): Code {
    return this.#sinks ? 'writeText(sink, out, written)' : 'out'
  }

  get #hasEpilogue(): boolean {
    return this.#input.face === 'shared' || this.#input.effects.recursive
  }

  #visit(nodes: readonly Node[]): void {
    for (const node of nodes) {
      this.#node = node
      if (node.kind === 'text') this.text(node.text)
      else if (node.kind === 'output') {
        if (node.value !== null) this.output(node.value, node.span)
      } else {
        const { tags } = this.#input.context
        const tag = tags.get(node.name)
        // The white space of a block is dropped when nothing in all of its branches prints.
        this.#dropping.push(tag?.blank === 'body' && isBlank(node, tags))
        tag?.emit(node as TagNode<never, never>, this)
        this.#dropping.pop()
        // What follows a jump in the same body never runs.
        if (node.name === 'break' || node.name === 'continue' || (node.name === 'return' && !this.#guarding())) return
      }
    }
  }

  body(nodes: readonly Node[]): void {
    this.#visit(this.#dropping.at(-1) ? nodes.filter((node) => node.kind !== 'text') : nodes)
  }

  line(span: Span): number {
    return this.#input.context.line(span.file, span.start)
  }

  source(span: Span): string {
    return this.#input.context.source(span.file, span.start, span.end)
  }

  // ---- printing ---------------------------------------------------------------------------------------------------------

  text(text: string): void {
    this.#w.text(text)
    this.#html = follow(this.#html, text)
  }

  print(code: Code, span: Span): void {
    if (this.#w.target === null) return this.#w.statement(code, span)
    // What stands before a call that fails is printed.
    if (this.#keeping > 0) this.#w.flush()
    this.#w.print(code, span)
  }

  output(expression: Expression, span: Span): void {
    const value = expression.kind === 'filtered' && expression.filters.length === 0 ? expression.input : expression
    if (this.#w.target === null) {
      if (this.fallible(value)) this.guard(true, span, () => this.#w.statement(this.value(value), span))
      return
    }
    const code = this.printed(value)
    const text = constantText(code)
    if (text !== null) return this.text(text)
    this.guard(this.fallible(value), span, () => this.#w.print(code, span))
  }

  printed(expression: Expression): Code {
    if (expression.kind === 'literal') {
      const { value } = expression
      if (value.type === 'nil' || value.type === 'blank' || value.type === 'empty') return "''"
      if (value.type === 'boolean' || value.type === 'integer') return quoted(String(value.value))
    }
    const code = this.value(expression)
    return this.#isInteger(expression) ? code : `${this.#escapeName()}(${code})`
  }

  /** Whether a value is surely a small integer that our own code made: it needs no escaping. */
  #isInteger(expression: Expression): boolean {
    if (expression.kind === 'lookup' && expression.path.length === 1) {
      const [field] = expression.path
      const loop = this.#loopNamed(expression.name?.name ?? '')
      return (
        loop !== null &&
        field?.kind === 'key' &&
        Object.hasOwn(loop.fields, field.name) &&
        field.name !== 'name' &&
        field.name !== 'parentloop' &&
        !/first|last/.test(field.name)
      )
    }
    if (expression.kind !== 'filtered') return false
    const last = expression.filters.at(-1)
    return last !== undefined && this.filters.get(last.name.name)?.result.kind === 'integer'
  }

  #escapeName(): Code {
    if (this.dialect === 'liquid') return this.use('liquidText')
    const attribute = inAttribute(this.#html)
    const { formats } = this.#input.effects
    const only = formats.size === 1 ? [...formats][0] : null
    if (only === 'html') return this.use(attribute ? 'escAttribute' : 'esc')
    if (only === 'plain' || only === 'xml') return this.use(only)
    const name = attribute ? 'escapeAttribute' : 'escape'
    this.#usesEscape.add(name)
    return `${name}Text`
  }

  // ---- statements -------------------------------------------------------------------------------------------------------

  statement(code: string, span: Span): void {
    this.#w.statement(code, span)
  }

  block(head: string, span: Span, body: () => void, tail = ''): void {
    this.#depth++
    const html = this.#html
    this.#w.block(head, span, body, tail)
    // Branches begin where their block began.
    if (/^(if|else)/.test(head) || head.includes('else if')) this.#html = html
    this.#depth--
  }

  fresh(hint: string): string {
    return this.#names.fresh(hint)
  }

  use(name: string): Code {
    return this.#runtime(name)
  }

  type(name: string): Code {
    this.#input.imports.types.add(name)
    return annotation(`: ${name}`)
  }

  useFilter(signature: FilterSignature): Code {
    this.#input.imports.filters.set(signature.exportName, signature)
    return signature.exportName
  }

  rejecting(filter: FilterCall, { dialect, fallible, suspends, result }: FilterSignature): Code | null {
    // Base Liquid's filters refuse nothing but what they print an error for.
    if (this.dialect !== 'platform' || dialect !== 'platform' || !(fallible || suspends)) return null
    if (this.#input.context.site.raise || this.#trying > 0) return null
    const kinds = result.kind === 'union' ? result.of.map((each) => each.kind) : [result.kind]
    const instead = kinds.includes('boolean') && kinds.every((kind) => kind === 'boolean' || kind === 'nil')
    const attempt = this.use(suspends ? 'attemptLater' : 'attempt')
    return `${attempt}(r, ${this.unit}, ${this.line(filter.span)}, ${instead ? 'false' : "''"}, `
  }

  #runtime(name: string): Code {
    this.#input.imports.runtime.add(name)
    return name
  }

  /** Whether faults are answered in place here: the mode prints them, or a `try` is open. */
  #guarding(): boolean {
    return !this.#input.context.site.raise || this.#trying > 0
  }

  guard(fallible: boolean, span: Span, write: () => void): void {
    if (!fallible || !this.#guarding()) return write()
    const node = this.#node
    const silent =
      this.#w.target === null || (node !== null && node.kind === 'tag' && isBlank(node, this.#input.context.tags))
    this.#depth++
    this.#w.block('try', span, write)
    this.#w.block('catch (error)', null, () => {
      if (this.#input.effects.recursive) {
        this.#usesDepth = true
        this.#w.statement('r.depth = depth', null)
      }
      const fault = `r.fault(error, ${this.unit}, ${this.line(span)})`
      this.#w.statement(silent ? fault : `${this.#w.target} += ${fault}`, null)
    })
    this.#depth--
  }

  capture(hint: string, body: () => void, after: (text: Code) => void): void {
    const text = this.fresh(`${hint}_text`)
    this.#w.statement(`let ${text} = ''`, null)
    const label = this.fresh('capture')
    const exit: Exit = { kind: 'capture', jump: this.fresh('jump'), leave: `break ${label}`, used: new Set() }
    const outer = this.#w
    const html = this.#html
    this.#html = 'content'
    this.#exits.push(exit)
    this.#depth++
    const inner = new Writer()
    inner.target = text
    this.#w = inner
    body()
    inner.flush()
    this.#w = outer
    this.#depth--
    this.#exits.pop()
    this.#html = html
    outer.flush()
    if (exit.used.size > 0) {
      outer.statement(`let ${exit.jump}${annotation(': string')} = ''`, null)
      outer.block(`${label}:`, null, () => outer.append(inner))
    } else outer.append(inner)
    after(text)
    this.#jumpOn(exit)
  }

  closure(body: () => void, after: (closure: Code) => void): void {
    this.#closed(body, after, false)
  }

  within(body: () => void, after: (closure: Code) => void): void {
    this.#keeping++
    this.#closed(body, after, true)
    this.#keeping--
  }

  /** `prints`: into the text of what surrounds it. */
  #closed(body: () => void, after: (closure: Code) => void, prints: boolean): void {
    const name = this.fresh(prints ? 'run' : 'render')
    const leave = prints ? 'return' : 'return out'
    const exit: Exit = { kind: 'capture', jump: this.fresh('jump'), leave, used: new Set() }
    const outer = this.#w
    this.#exits.push(exit)
    this.#depth++
    const inner = new Writer()
    inner.target = outer.target === null || prints ? outer.target : 'out'
    this.#w = inner
    body()
    inner.flush()
    this.#w = outer
    this.#depth--
    this.#exits.pop()
    if (exit.used.size > 0) outer.statement(`let ${exit.jump} = ''${annotation(' as string')}`, null)
    outer.block(`const ${name} = async () =>`, null, () => {
      if (!prints) outer.statement("let out = ''", null)
      outer.append(inner)
      if (!prints) outer.statement('return out', null)
    })
    after(name)
    this.#jumpOn(exit)
  }

  #jumpOn(exit: Exit & { kind: 'capture' }): void {
    for (const kind of exit.used) {
      this.#depth++
      this.#w.block(`if (${exit.jump} === '${kind}')`, null, () =>
        this.halt(kind, this.#usesResult ? 'result' : null, null),
      )
      this.#depth--
    }
  }

  turn(body: () => void, jumps = { break: 'break', continue: 'continue' }): void {
    const { target } = this.#w
    const sinks = this.#sinks && target === 'out'
    const printed = target === null ? '0' : sinks ? 'written + out.length' : `${target}.length`
    this.#w.statement(`if ((++r.steps & 1023) === 0) r.tick(${printed})`, null)
    if (sinks) {
      // A text that stays short is cheaper to write than a long one at the end.
      this.#w.block(`if (out.length > ${LONG_OUTPUT})`, null, () => {
        this.#w.statement('written = writeText(sink, out, written)', null)
        this.#w.statement("out = ''", null)
      })
    }
    this.#exits.push({ kind: 'loop', ...jumps })
    body()
    this.#exits.pop()
  }

  halt(kind: 'break' | 'continue' | 'return', value: Code | null, span: Span | null): void {
    const w = this.#w
    for (let at = this.#exits.length - 1; at >= 0; at--) {
      const exit = this.#exits[at] as Exit
      if (exit.kind === 'loop') {
        if (kind === 'return') continue
        w.statement(exit[kind], span)
        return
      }
      exit.used.add(kind)
      if (kind === 'return' && value !== null && value !== 'result' && this.#input.face === 'value') {
        this.#usesResult = true
        w.statement(`result = ${value}`, span)
      } else if (kind === 'return' && this.#input.face === 'value') this.#usesResult = true
      w.statement(`${exit.jump} = '${kind}'`, span)
      w.statement(exit.leave, null)
      return
    }
    this.#exit(kind, value, span)
  }

  /** Leaves the function. */
  #exit(kind: 'break' | 'continue' | 'return', value: Code | null, span: Span | null): void {
    const w = this.#w
    const { face } = this.#input
    if (face === 'shared') w.statement(`frame.$halt = '${kind}'`, span)
    else if (face === 'value' && this.#hasEpilogue) {
      this.#usesResult = true
      if (value !== null && value !== 'result') w.statement(`result = ${value}`, span)
    }
    if (this.#hasEpilogue) {
      this.#usesLabel = true
      w.statement('break body', face === 'shared' || value === null ? span : null)
    } else if (face === 'value') w.statement(`return ${kind === 'return' ? (value ?? 'null') : 'null'}`, span)
    else {
      w.flush()
      w.statement(`return ${w.target === null ? "''" : this.#printedAll}`, span)
    }
  }

  // ---- variables --------------------------------------------------------------------------------------------------------

  variable(name: string, path: readonly Accessor[]): { readonly code: Code; readonly used: number } {
    const loop = this.#loopNamed(name)
    if (loop !== null && this.#hiddenAt(name) < 0) {
      const [field] = path
      const key =
        field?.kind === 'key'
          ? field.name
          : field?.kind === 'index' && field.value.kind === 'literal' && field.value.value.type === 'string'
            ? field.value.value.value
            : null
      if (key !== null) return { code: Object.hasOwn(loop.fields, key) ? (loop.fields[key] as Code) : 'null', used: 1 }
      return { code: loop.whole(), used: 0 }
    }
    return { code: this.#read(name), used: 0 }
  }

  #loopNamed(name: string): LoopObject | null {
    return this.#loops.findLast((loop) => loop.name === name) ?? null
  }

  #hiddenAt(name: string): number {
    return this.#scopes.findLastIndex((scope) => scope.has(name))
  }

  /** The code that reads a name: a loop's variable, the frame's, or a counter behind it. */
  #read(name: string): Code {
    const hidden = this.#scopes[this.#hiddenAt(name)]?.get(name)
    if (hidden !== undefined) return hidden
    const js = this.#frame.get(name) ?? (this.#isContext(name) ? this.#hoistContext() : this.#hoist(name))
    if (!this.#input.bound.counters.has(name)) return js
    // A counter stands behind an assigned variable and before the render's data.
    return `(${js} ?? ${this.registers()}.counter(${quoted(name)}) ?? ${this.#member(this.#from, name)})`
  }

  /** Whether the name means the one object of the request. */
  #isContext(name: string): boolean {
    return name === 'context' && this.dialect === 'platform' && !this.#input.bound.writes.has(name)
  }

  #hoistContext(): string {
    const js = this.#names.fresh('context')
    this.#frame.set('context', js)
    this.#hoisted.push(`const ${js}${LIQUID} = r.context`)
    return js
  }

  /** Declares a name of the frame at the function's top, with what the caller handed in. */
  #hoist(name: string): string {
    const js = this.#names.fresh(name)
    this.#frame.set(name, js)
    const { effects, bound } = this.#input
    const written = effects.spills || effects.frameWrites.has(name) || bound.writes.has(name)
    this.#hoisted.push(
      `${written ? 'let' : 'const'} ${js}${LIQUID} = ${bound.counters.has(name) ? 'null' : this.#member(this.#from, name)}`,
    )
    return js
  }

  /** Reads a variable from the object that carries it. */
  #member(object: string, name: string): Code {
    const key = scopeKey(name)
    if (!isPlainVariable(name)) return `${this.use('own')}(${object}, ${key.startsWith("'") ? key : quoted(key)})`
    return object + memberOf(name)
  }

  get #from(): string {
    return this.#input.face === 'shared' ? 'frame' : 'scope'
  }

  grows(filter: FilterCall): boolean {
    if (filter.name.name !== 'array_add' && filter.name.name !== 'add_to_array') return false
    const { face, effects, bound, nodes } = this.#input
    // What is included shares the variables.
    if (face === 'shared' || effects.spills || bound.calls.some((call) => call.kind === 'include')) return false
    this.#growing ??= growingFilters(nodes)
    return this.#growing.has(filter)
  }

  knows(name: string): boolean {
    return (
      this.#hiddenAt(name) >= 0 ||
      this.#input.bound.reads.has(name) ||
      this.#input.bound.writes.has(name) ||
      this.#frame.has(name)
    )
  }

  everything(): Code {
    return this.#spilled(new Map())
  }

  assign(name: NameNode, code: Code, span: Span): void {
    this.#set(name.name, code, span)
  }

  #set(name: string, code: Code, span: Span | null): void {
    let js = this.#frame.get(name)
    if (js === undefined) {
      // Set at the top of the function before anything reads it: declared here, once and for all where nothing sets it again.
      if (this.#depth === 0 && this.#input.face !== 'shared' && !this.#input.bound.counters.has(name)) {
        js = this.#names.fresh(name)
        this.#frame.set(name, js)
        const again = (this.#input.bound.writes.get(name) ?? 0) > 1 || this.#writtenByIncludes(name)
        this.#input.imports.types.add('Liquid')
        this.#w.statement(again ? `let ${js}${LIQUID} = ${code}` : `const ${js}${LIQUID} = ${code}`, span)
        return
      }
      js = this.#hoist(name)
    }
    if (this.dialect === 'liquid' && this.#input.face === 'shared') {
      // What hides the name at the call keeps hiding it; the assignment goes behind it.
      const behind = `frame[${quoted(`$behind:${name}`)}]`
      this.#w.block(`if (${quoted(`$behind:${name}`)} in frame)`, null, () =>
        this.#w.statement(`${behind} = ${code}`, span),
      )
      this.#w.block('else', null, () => this.#w.statement(`${js} = ${code}`, span))
      return
    }
    this.#w.statement(`${js} = ${code}`, span)
  }

  #writtenByIncludes(name: string): boolean {
    return this.#input.bound.calls.some((call) => {
      if (call.kind !== 'include') return false
      if (call.literal === null) return true
      const unit = this.#input.context.site.partials.get(call.literal)
      const effects = unit === undefined ? undefined : this.#input.context.effects.get(unit.file.path)
      return effects !== undefined && (effects.spills || effects.frameWrites.has(name))
    })
  }

  store(target: Target, code: Code, push: boolean, span: Span): void {
    if (target.path.length === 0 && !push) this.#set(target.name.name, code, span)
    else this.#writeInto(target, code, push, span)
  }

  declares(name: string): 'const' | 'let' {
    return this.dialect === 'platform' && this.#writtenByIncludes(name) ? 'let' : 'const'
  }

  scope(names: readonly string[], body: (js: readonly string[]) => void): void {
    const js = names.map((name) => this.#names.fresh(name))
    this.#scopes.push(new Map(names.map((name, at) => [name, js[at] as string])))
    body(js)
    this.#scopes.pop()
  }

  loopObject(
    name: 'forloop' | 'tablerowloop',
    fields: Readonly<Record<string, Code>>,
    whole: () => Code,
    body: () => void,
  ): void {
    this.#loops.push({ name, fields, whole })
    body()
    this.#loops.pop()
  }

  parentLoop(): Code {
    return this.#loops.findLast((loop) => loop.name === 'forloop')?.whole() ?? 'null'
  }

  counter(name: NameNode): Code {
    return `${this.registers()}.counter(${quoted(name.name)})`
  }

  registers(): Code {
    this.#usesRegisters = true
    return 'registers'
  }

  data(name: string): Code {
    return this.#input.face === 'render' ? this.#member('scope', name) : 'null'
  }

  local(hint: string, initial: Code): Code {
    const known = this.#locals.get(hint)
    if (known !== undefined) return /let (\S+)/.exec(known)?.[1] as string
    const name = this.fresh(hint.split(':')[0] ?? hint)
    this.#locals.set(hint, `let ${name} = ${initial}`)
    return name
  }

  // ---- values -----------------------------------------------------------------------------------------------------------

  value(expression: Expression): Code {
    return this.#expressions.value(expression)
  }
  condition(expression: Expression): Code {
    return this.#expressions.condition(expression)
  }
  not(code: Code): Code {
    return this.#expressions.not(code)
  }
  equals(local: Code, subject: Expression, value: Expression): Code {
    return this.#expressions.equal(subject, () => local, value)
  }
  fallible(expression: Expression): boolean {
    return this.#expressions.fallible(expression)
  }
  quoted(text: string): Code {
    return quoted(text)
  }
  filtered(code: Code, filters: readonly FilterCall[]): Code {
    return this.#expressions.filtered(code, filters)
  }
  named(args: readonly NamedArgument[]): Code | null {
    return args.length === 0 ? null : this.#expressions.named({ named: args })
  }

  job(node: TagNode): Code {
    const unit = this.#input.context.site.byFile.get(node.span.file)
    return quoted((unit === undefined ? null : jobKey(unit, node.body)) ?? node.span.file)
  }

  passed(args: readonly NamedArgument[]): Code {
    const entries = new Map(args.map(({ name, value }) => [name.name, this.value(value)]))
    if (entries.size === 0) return '{}'
    return `{ ${[...entries].map(([name, code]) => entry(name, code)).join(', ')} }`
  }

  port(name: string, tag: string): Code {
    return `r.port(${quoted(name)}, ${quoted(tag)})`
  }

  query(query: { readonly name: Expression } | { readonly document: Code }, variables: Code, span: Span): Code {
    const place = `${this.unit}, ${this.line(span)}`
    if ('document' in query)
      return `(await ${this.use('runOperation')}(r, { document: ${query.document} }, ${variables}, ${place}))`
    const { name } = query
    const { operations, operationName } = this.#input.context
    const literal = name.kind === 'literal' && name.value.type === 'string' ? name.value.value : null
    const operation = literal === null ? undefined : operations.stored.get(literal)
    if (literal === null || operation === undefined)
      return `(await ${this.use('runOperation')}(r, { name: ${this.use('str')}(${this.value(name)}) }, ${variables}, ${place}))`
    return `(await ${this.#imported(operation.span.file, operationName(literal))}(r, ${variables}, ${place}))`
  }

  // ---- calls ------------------------------------------------------------------------------------------------------------

  call(call: PartialCall, node: TagNode): void {
    if (call.kind === 'include') this.#include(call, node)
    else this.#render(call, node)
  }

  #unitOf(call: PartialCall): Unit | null | 'computed' {
    if (call.name.kind !== 'literal' || call.name.value.type !== 'string') return 'computed'
    return this.#input.context.site.partials.get(call.name.value.value) ?? null
  }

  #face(unit: Unit, face: Face): Code {
    const file = unit.file.path
    const name = this.#input.context.faceName(file, face)
    return file === this.#input.file ? name : this.#imported(file, name)
  }

  /** A name that the module of another file exports. */
  #imported(file: string, name: string): Code {
    const names = this.#input.imports.faces.get(file) ?? new Set()
    this.#input.imports.faces.set(file, names.add(name))
    return name
  }

  #awaiting(unit: Unit | 'computed', face: Face): string {
    const suspends =
      unit === 'computed'
        ? this.#input.context.openSuspends(face)
        : this.#input.context.effects.get(unit.file.path)?.suspends
    return suspends ? 'await ' : ''
  }

  #missing(call: PartialCall, span: Span): void {
    const name = call.name.kind === 'literal' && call.name.value.type === 'string' ? call.name.value.value : ''
    const text = this.dialect === 'liquid' ? `Could not find partial '${name}'` : `can't find partial ${name}`
    this.guard(true, span, () => this.#w.statement(`${this.use('refuse')}(${quoted(text)})`, span))
  }

  /** The arguments of an isolated call, those that the callee can see. */
  #arguments(call: PartialCall, unit: Unit | 'computed', extra: readonly [string, Code][] = []): Code {
    const effects = unit === 'computed' ? undefined : this.#input.context.effects.get(unit.file.path)
    const entries = new Map<string, Code>()
    for (const { name, value } of call.arguments) {
      if (effects !== undefined && !effects.spills && !effects.frame.has(name.name) && !this.fallible(value)) continue
      entries.set(name.name, this.value(value))
    }
    for (const [name, code] of extra) {
      if (effects === undefined || effects.spills || effects.frame.has(name)) entries.set(name, code)
    }
    if (entries.size === 0) return '{}'
    return `{ ${[...entries].map(([name, code]) => entry(name, code)).join(', ')} }`
  }

  #render(call: PartialCall, node: TagNode): void {
    const unit = call.kind === 'theme' ? 'computed' : this.#unitOf(call)
    if (unit === null) return this.#missing(call, node.span)
    const print = (extra: readonly [string, Code][]) => {
      const args = this.#arguments(call, unit, extra)
      const wait = call.kind === 'theme' ? 'await ' : this.#awaiting(unit, 'render')
      if (call.kind === 'theme') {
        this.guard(true, node.span, () =>
          this.print(`${wait}${this.use('renderTheme')}(r, ${this.value(call.name)}, ${args})`, node.span),
        )
      } else if (unit === 'computed') {
        this.guard(true, node.span, () =>
          this.print(`${wait}${this.use('renderNamed')}(r, ${this.value(call.name)}, ${args})`, node.span),
        )
      } else if (this.dialect === 'liquid') {
        this.guard(this.fallibleArguments(call), node.span, () =>
          this.print(`${this.use('isolated')}(r, ${this.#face(unit, 'render')}, ${args})`, node.span),
        )
      } else {
        this.guard(this.fallibleArguments(call), node.span, () =>
          this.print(`${wait}${this.#face(unit, 'render')}(r, ${args})`, node.span),
        )
      }
    }
    if (call.bound === null) return print([])
    const as = call.bound.as?.name ?? base(call)
    if (!call.bound.each) return print([[as, this.value(call.bound.value)]])
    const items = this.fresh('items')
    const at = this.fresh('i')
    this.#w.statement(`const ${items} = ${this.use('renderItems')}(${this.value(call.bound.value)})`, node.span)
    this.block(`for (let ${at} = 0; ${at} < ${items}.length; ${at}++)`, node.span, () =>
      this.turn(() =>
        print([
          [as, `${items}[${at}]`],
          ['forloop', `${this.use('forloop')}(${at}, ${items}.length, ${quoted(`${as}-`)}, null)`],
        ]),
      ),
    )
  }

  private fallibleArguments(call: PartialCall): boolean {
    return (
      call.arguments.some(({ value }) => this.fallible(value)) ||
      (call.bound !== null && this.fallible(call.bound.value))
    )
  }

  valueCall(call: PartialCall, _node: TagNode): Code {
    const unit = this.#unitOf(call)
    if (unit === null)
      return `${this.use('refuse')}(${quoted(`can't find partial ${call.name.kind === 'literal' && call.name.value.type === 'string' ? call.name.value.value : ''}`)})`
    const args = this.#arguments(call, unit)
    const wait = this.#awaiting(unit, 'value')
    const code =
      unit === 'computed'
        ? `${wait}${this.use('callNamed')}(r, ${this.value(call.name)}, ${args})`
        : `${wait}${this.#face(unit, 'value')}(r, ${args})`
    return wait === '' ? code : `(${code})`
  }

  #include(call: PartialCall, node: TagNode): void {
    const unit = this.#unitOf(call)
    if (unit === null) return this.#missing(call, node.span)
    const bound = call.bound ?? this.#implied(call, unit)
    this.guard(this.dialect === 'liquid' || unit === 'computed' || this.fallibleArguments(call), node.span, () => {
      if (this.dialect === 'liquid') this.#w.statement(`${this.use('refuseIsolated')}(r)`, node.span)
      if (bound === null) return this.#includeOnce(call, unit, node, null)
      const as = bound.as?.name ?? base(call)
      const item = this.fresh('item')
      const label = this.fresh('each')
      const exit = {
        kind: 'capture' as const,
        jump: this.fresh('jump'),
        leave: `break ${label}`,
        used: new Set<'break' | 'continue' | 'return'>(),
      }
      const outer = this.#w
      const inner = new Writer()
      inner.target = outer.target
      this.#w = inner
      this.#exits.push(exit)
      this.block(`for (const ${item} of ${this.use('includeItems')}(${this.value(bound.value)}))`, node.span, () =>
        this.#includeOnce(call, unit, node, [as, item]),
      )
      this.#exits.pop()
      this.#w = outer
      if (exit.used.size === 0) return outer.append(inner)
      // The partial may end a loop around this one.
      outer.statement(`let ${exit.jump}${annotation(': string')} = ''`, null)
      outer.block(`${label}:`, null, () => outer.append(inner))
      this.#jumpOn(exit)
    })
  }

  /** Base Liquid binds a variable named like the partial also without `with`, and goes over it when it is an array. */
  #implied(call: PartialCall, unit: Unit | 'computed'): PartialCall['bound'] {
    if (this.dialect !== 'liquid' || unit === 'computed') return null
    const name = base(call)
    if (
      !this.#input.context.effects.get(unit.file.path)?.frame.has(name) ||
      call.arguments.some((each) => each.name.name === name)
    )
      return null
    return {
      value: { kind: 'lookup', name: { name, span: call.span }, path: [], span: call.span },
      as: null,
      each: false,
    }
  }

  #includeOnce(call: PartialCall, unit: Unit | 'computed', node: TagNode, bound: readonly [string, Code] | null): void {
    const { context } = this.#input
    const effects = unit === 'computed' ? null : (context.effects.get(unit.file.path) as Effects)
    const own = this.#input.bound.calls.find((each) => each.node === node) as BoundCall
    const passed = new Map<string, Code>()
    for (const { name, value } of call.arguments) passed.set(name.name, this.value(value))
    if (bound !== null) passed.set(bound[0], bound[1])
    const frame = this.fresh('frame')
    const spills = effects === null || effects.spills
    let entries: Code
    if (spills) entries = this.#spilled(passed)
    else {
      const list: string[] = []
      for (const name of effects.frame) {
        if (name === 'context' && this.dialect === 'platform' && !passed.has(name)) continue
        const loop = this.#loopNamed(name)
        const code = passed.get(name) ?? (loop !== null && this.#hiddenAt(name) < 0 ? loop.whole() : this.#read(name))
        list.push(entry(name, code))
        // What hides the name here keeps hiding it in the partial, while assignments go to the variable behind it.
        if (this.#shadowed(name, passed) && effects.frameWrites.has(name) && this.dialect === 'liquid')
          list.push(`${quoted(`$behind:${name}`)}: ${this.#frameRead(name)}`)
      }
      if (effects.registers) list.push(`$registers: ${this.registers()}`)
      entries = list.length === 0 ? '{}' : `{ ${list.join(', ')} }`
    }
    this.#input.imports.types.add('Scope')
    this.#w.statement(`const ${frame}${annotation(': Scope')} = ${entries}`, node.span)
    const wait = this.#awaiting(unit, 'shared')
    this.print(
      unit === 'computed'
        ? `${wait}${this.use('includeNamed')}(r, ${this.value(call.name)}, ${frame})`
        : `${wait}${this.#face(unit, 'shared')}(r, ${frame})`,
      node.span,
    )
    const writes = spills ? this.#knownFrame() : [...(effects as Effects).frameWrites]
    for (const name of writes) {
      if (passed.has(name) && this.dialect === 'platform') continue
      if (this.dialect === 'platform') {
        if (!own.boundBefore.has(name)) continue
        const hidden = this.#scopes[this.#hiddenAt(name)]?.get(name)
        this.#w.statement(`${hidden ?? this.#frameRead(name)} = ${this.#member(frame, name)}`, node.span)
      } else if (this.#shadowed(name, passed)) {
        this.#w.statement(`${this.#frameRead(name)} = ${frame}[${quoted(`$behind:${name}`)}]`, node.span)
      } else this.#w.statement(`${this.#frameRead(name)} = ${this.#member(frame, name)}`, node.span)
    }
    this.#passHalts(effects, frame)
  }

  #shadowed(name: string, passed: ReadonlyMap<string, Code>): boolean {
    return passed.has(name) || this.#hiddenAt(name) >= 0
  }

  #frameRead(name: string): string {
    return this.#frame.get(name) ?? this.#hoist(name)
  }

  /** Carries out what the included partial ended with. */
  #passHalts(effects: Effects | null, frame: string): void {
    const kinds = effects === null ? (['break', 'continue', 'return'] as const) : [...effects.halts]
    for (const kind of kinds) {
      this.#depth++
      this.#w.block(`if (${frame}.$halt === '${kind}')`, null, () => this.halt(kind, null, null))
      this.#depth--
    }
  }

  #knownFrame(): readonly string[] {
    return [...new Set([...this.#frame.keys(), ...this.#input.effects.frame])].filter(
      (name) => name !== 'context' || this.dialect === 'liquid',
    )
  }

  /** Every visible name as one object: what a computed `include` may read. */
  #spilled(passed: ReadonlyMap<string, Code>): Code {
    const entries = new Map<string, Code>()
    for (const name of this.#knownFrame()) entries.set(name, this.#frameRead(name))
    for (const scope of this.#scopes) for (const [name, js] of scope) entries.set(name, js)
    const loop = this.#loopNamed('forloop')
    if (loop !== null) entries.set('forloop', loop.whole())
    for (const [name, code] of passed) entries.set(name, code)
    const own = [...entries].map(([name, code]) => entry(name, code))
    return `{ ...${this.#from}${own.length > 0 ? `, ${own.join(', ')}` : ''}, $registers: ${this.registers()} }`
  }

  #writeInto(target: Target, code: Code, push: boolean, span: Span): void {
    const written = (at: number) =>
      this.source({
        file: target.span.file,
        start: target.span.start,
        end: (target.path[at - 1] ?? { span: target.name.span }).span.end,
      })
    let container = this.#read(target.name.name)
    if (this.#isContext(target.name.name) && this.#hiddenAt('context') < 0)
      return this.#w.statement(`${this.use('refuse')}('context is read-only: write to a copy')`, span)
    const last = push ? target.path.length : target.path.length - 1
    for (let at = 0; at < last; at++) {
      container = `${this.use('step')}(${container}, ${this.#key(target.path[at] as Accessor)}, ${quoted(written(at))})`
    }
    if (push)
      this.#w.statement(`${this.use('push')}(${container}, ${code}, ${quoted(written(target.path.length))})`, span)
    else {
      const key = this.#key(target.path.at(-1) as Accessor)
      this.#w.statement(`${this.use('writeKey')}(${container}, ${key}, ${code}, ${quoted(written(last))})`, span)
    }
  }

  #key(accessor: Accessor): Code {
    return accessor.kind === 'key' ? quoted(accessor.name) : this.value(accessor.value)
  }

  tried(body: () => void): void {
    this.#trying++
    this.#keeping++
    body()
    this.#keeping--
    this.#trying--
  }
}

/** How a variable's name stands in the object that carries it: as itself, but for the one name that would set a prototype. */
function scopeKey(name: string): string {
  return name === '__proto__' ? '$__proto__' : propertyName(name)
}

/** A variable in an object literal. */
function entry(name: string, code: Code): string {
  const key = scopeKey(name)
  return key === code ? key : `${key}: ${code}`
}

function memberOf(name: string): string {
  const key = scopeKey(name)
  return key.startsWith("'") ? `[${key}]` : `.${key}`
}

function base(call: PartialCall): string {
  const name = call.name.kind === 'literal' && call.name.value.type === 'string' ? call.name.value.value : ''
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The text of a printed literal, where the code is one. */
function constantText(code: Code): string | null {
  const literal = /^'((?:[^'\\]|\\.)*)'$/.exec(code)
  return literal !== null && !code.includes('\\') ? (literal[1] as string) : null
}

function endsWithReturn(writer: Writer): boolean {
  return /^\s*return\b/.test(writer.lines.at(-1) ?? '')
}
