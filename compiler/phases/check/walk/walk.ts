/**
 * A walk over a template. `flow` contains the state at the current place, `findings` the diagnostics and calls, and `reads` the names that
 * were read. The methods of this class use more than one of these three.
 */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { NameNode } from '../../../core/tree/ast.ts'
import { NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { property } from '../../../language/types/lookup.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import { type ChangedKeys, withChangedKeys } from '../../../language/types/changed-keys.ts'
import { join } from '../../../language/types/relate.ts'
import type { TemplateEnvironment, TemplateInput } from './facts.ts'
import { Findings } from './findings.ts'
import type { Place } from '../../analyze/engine.ts'
import { Flow, type FlowState } from './flow.ts'
import { addFirst, Reads, type ReadPurpose } from './reads.ts'
import { foreignVariable } from './state.ts'
import type { Texts } from '../../analyze/domains/constant-texts.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

export class Walk {
  readonly env: TemplateEnvironment
  readonly siteTemplate: SiteTemplate
  /** The place that the interpreter has reached. */
  readonly place: Place<FlowState>
  readonly flow: Flow
  readonly findings: Findings
  readonly reads = new Reads()

  constructor(env: TemplateEnvironment, siteTemplate: SiteTemplate, place: Place<FlowState>) {
    this.place = place
    this.env = env
    this.siteTemplate = siteTemplate
    this.flow = new Flow(siteTemplate.unit.file.path, place, (name) => this.absent(name))
    this.findings = new Findings(this.flow, {
      isPlatform: this.platform,
      isPartial: this.isPartial,
      isBroken: siteTemplate.template.isBroken,
    })
  }

  /** Whether other templates call this one. False for a `background` block, whose only call is in its own file. */
  get isPartial(): boolean {
    return this.env.isPartial
  }

  get platform(): boolean {
    return this.env.site.dialect === 'platform'
  }

  report(diagnostic: Diagnostic): void {
    this.findings.report(diagnostic)
  }

  source(span: Span): string {
    return this.siteTemplate.unit.file.text.slice(span.start, span.end)
  }

  // ---- reading ----------------------------------------------------------------------------------------------------

  freeRead(
    name: string,
    span: Span,
    purpose: ReadPurpose,
    isForeign: boolean,
    alsoGiven: readonly string[] = [],
  ): void {
    const { givenNames, notGivenNames } = this.flow
    this.reads.addFree(name, span, purpose, isForeign, {
      givenNames: [...givenNames, ...alsoGiven],
      notGiven: notGivenNames,
    })
  }

  /** Records that an included partial reads a name that this partial has not set. */
  readByInclude(
    name: string,
    call: Span,
    { isNeeded, required, accessedPart, span, alternatives, onlyWith }: TemplateInput,
    passed: ReadonlyMap<string, unknown>,
  ): void {
    const isOld = this.possibleKeys(name) !== null
    const needsValue = required && !alternatives.some((other) => passed.has(other))
    const alsoGiven = onlyWith.filter((other) => !passed.has(other) && !this.isSet(other))
    // The check of an included partial reports an older name where it is written; here, the read is only recorded.
    this.freeRead(name, isOld ? span : call, isNeeded ? 'need' : needsValue ? 'value' : 'test', !isOld, alsoGiven)
    if (accessedPart !== null) this.readPart(name, accessedPart, span)
  }

  /** Records a read of a part of the request. The name may also be a variable of a template that includes this one. */
  readPart(name: string, part: string, span: Span): void {
    if (this.flow.dead) return
    if (name !== 'context' && this.oldKeys(name) === null) this.reads.addFreePart(name, part)
    else addFirst(this.reads.requestParts, part, span)
  }

  /** Records a read of a visitor-specific part of `context`, by any name. */
  readVisitor(part: string, span: Span): void {
    if (this.flow.dead) return
    addFirst(this.reads.visitorParts, part, span)
    this.flow.readVisitor(part, span)
  }

  /** Returns the type of a name that this template has not set. */
  absent(name: string): Type {
    const global = this.env.globals.get(name)
    if (global !== undefined) return global
    // An earlier iteration may have set the name.
    if (this.flow.inLoop && this.siteTemplate.outline.writes.has(name)) return UNKNOWN
    const { params } = this.env
    const oldNameType = this.oldNameType(name)
    if (params !== null) {
      const passed = params.get(name)
      if (passed === undefined) return oldNameType ?? NIL
      // A caller may leave out the name. It then refers to the field of `context`.
      const type = oldNameType === null ? passed : join(passed, oldNameType)
      return withChangedKeys(type, this.flow.changedKeys)
    }
    if (oldNameType !== null && !this.isPartial) return oldNameType
    const likely = oldNameType === null ? this.env.likely?.get(name) : undefined
    if (likely !== undefined) return withChangedKeys(likely, this.flow.changedKeys)
    return this.env.closed ? NIL : UNKNOWN
  }

  /** Returns the type of the field of `context` that an unset name refers to; null if it refers to no field. */
  oldNameType(name: string): Type | null {
    const keys = this.possibleKeys(name)
    if (keys === null) return null
    return keys.reduce((type, key) => property(type, key, true).type, this.env.globals.get('context') ?? UNKNOWN)
  }

  /** Returns the keys below `context` that a name may refer to if it is unset; null if it refers to none. */
  possibleKeys(name: string): readonly string[] | null {
    return this.env.oldNames === 'never' ? null : oldVariableOf(this.env.site, name)
  }

  /** Returns the keys below `context` that a name certainly refers to here; null if this template or a caller may set it. */
  oldKeys(name: string): readonly string[] | null {
    if (this.env.oldNames !== 'always') return null
    if (this.isOwn(name) || this.env.globals.has(name) || this.siteTemplate.outline.counters.has(name)) return null
    const { params } = this.env
    const isPassed = params === null ? this.isPartial : params.has(name)
    return isPassed ? null : oldVariableOf(this.env.site, name)
  }

  /** Returns the type of a name here, without recording a read. */
  typeNow(name: string): Type {
    const local = this.flow.local(name)
    if (local !== undefined) return local
    const variable = this.flow.variables.get(name)
    if (variable === undefined) return this.absent(name)
    return variable.certain ? variable.type : join(variable.type, this.absent(name))
  }

  /** Returns the types of all names that are known to have a value here. */
  namesNow(): ReadonlyMap<string, Type> {
    const { globals, params } = this.env
    const documentedNames = this.siteTemplate.template.doc?.params.map(({ name }) => name) ?? []
    const names = new Set([...globals.keys(), ...(params?.keys() ?? []), ...documentedNames, ...this.flow.names()])
    return new Map([...names].map((name) => [name, this.typeNow(name)]))
  }

  /** Returns whether this template or the host sets the name. */
  isSet(name: string): boolean {
    return this.isOwn(name) || this.env.globals.has(name)
  }

  /** Returns whether this template itself has set the name. */
  isOwn(name: string): boolean {
    return this.flow.variables.has(name) || this.flow.local(name) !== undefined
  }

  /** Returns the patterns of the possible texts of a variable; null if they are not known. */
  texts(name: string): Texts {
    return this.flow.local(name) !== undefined ? null : (this.flow.variables.get(name)?.texts ?? null)
  }

  // ---- writing ----------------------------------------------------------------------------------------------------

  /** @param visitor the visitor-specific part of `context` that the value was read from; null for other values */
  set(name: NameNode, type: Type, isOwned: boolean, texts: Texts, visitor: string | null): void {
    addFirst(this.reads.namedAt, name.name, name.span)
    const previous = this.flow.variables.get(name.name)
    const { cache } = this.flow
    this.flow.set(name.name, {
      type,
      certain: true,
      span: name.span,
      owned: isOwned,
      partsShared: false,
      cache: previous === undefined || previous.cache !== null ? cache : null,
      texts,
      visitor,
    })
    this.reads.addSet(name)
    this.env.observer?.set(name, type)
  }

  /** Sets the type of a variable after keys were written to its value or to a part of it. */
  change(
    name: NameNode,
    type: Type,
    { keys, intoPart }: { readonly keys: ChangedKeys; readonly intoPart: boolean },
  ): void {
    const variable = this.flow.variables.get(name.name)
    if (this.flow.local(name.name) !== undefined) {
      this.flow.changeShared(keys, null)
      this.flow.setLocal(name.name, type)
      return
    }
    if (variable?.owned !== true || (intoPart && variable.partsShared)) this.flow.changeShared(keys, name.name)
    if (variable !== undefined) this.flow.set(name.name, { ...variable, type })
    else if (!this.env.globals.has(name.name) && this.oldKeys(name.name) === null) {
      // The template has changed an argument, so the name now has its own type.
      this.flow.set(name.name, { ...foreignVariable(type, name.span), certain: true })
    }
  }
}
