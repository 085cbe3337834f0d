/** Reads names of a template: records each read, and calls the rules about it. */
import { INTEGER, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { join } from '../../../language/types/relate.ts'
import { checkCacheVariable } from '../rules/values/cache-variable.ts'
import { checkOldName } from '../rules/values/old-name.ts'
import { checkMisspeltName } from '../rules/values/undefined-variable.ts'
import type { TemplateInput } from '../walk/facts.ts'
import { addFirst, type ReadPurpose } from '../walk/reads.ts'
import type { Walk } from '../walk/walk.ts'

/** Returns the type of a variable, and records the read. */
export function readName(walk: Walk, name: string, span: Span, purpose: ReadPurpose): Type {
  const { env, flow, reads } = walk
  const { outline } = walk.siteTemplate
  const local = flow.local(name)
  if (local !== undefined) return local
  reads.used.add(name)
  const variable = flow.variables.get(name)
  if (variable !== undefined) {
    checkCacheVariable(walk, name, variable, span)
    // On some paths, the variable still has the value from before the template set it, which may be nil.
    if (!variable.certain) walk.freeRead(name, span, 'test', false)
    if (variable.visitor !== null) walk.readVisitor(variable.visitor, span)
    return variable.type
  }
  if (outline.counters.has(name)) return join(INTEGER, walk.absent(name))
  const global = env.globals.get(name)
  if (global !== undefined) {
    // A caller may pass an argument with the name of a host value.
    if (env.site.globals.has(name) || env.site.globalsAreAll) walk.freeRead(name, span, 'test', false)
    return global
  }
  const intendedName = env.misspelt.get(name)
  if (intendedName !== undefined) {
    checkMisspeltName(walk, name, intendedName, span)
    return UNKNOWN
  }
  checkOldName(walk, name, span, true)
  const oldNameType = walk.oldNameType(name)
  // An older name of a field of `context` has a value even if no caller passes it.
  walk.freeRead(name, span, oldNameType === null ? purpose : 'test', oldNameType === null)
  const includeWrite = flow.includeWrites.get(name)
  if (includeWrite !== undefined) {
    if (!flow.dead)
      addFirst(reads.afterInclude, name, { span, partial: includeWrite.partial, included: includeWrite.span })
    return UNKNOWN
  }
  const isSetSomewhere = env.params?.has(name) === true || oldNameType !== null || outline.writes.has(name)
  if (env.closed && !isSetSomewhere && !flow.dead) reads.addUndefined(name, span, purpose === 'default')
  return walk.absent(name)
}

/** Records that an included partial reads a part of `context` by an older name. */
export function readByOldName(walk: Walk, name: string, { span, accessedPart }: TemplateInput): void {
  checkOldName(walk, name, span, false)
  if (accessedPart !== null) walk.readPart(name, accessedPart, span)
}
