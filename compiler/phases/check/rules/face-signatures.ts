/** What the partials of a site take and give, for those who ask after the check. */
import type { UnitParameter } from '../../../core/model/signature.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { docType } from '../../../language/types/from-doc.ts'
import { docParams, type FaceSignature, type UnitFacts } from './facts.ts'

/** Of a unit that is called as a partial. `passed`: the types of what all of its callers pass. */
export function faceOf(
  { template }: Unit,
  { inputs, result }: UnitFacts,
  passed: ReadonlyMap<string, Type> | undefined,
): FaceSignature | undefined {
  if (template === null) return undefined
  const declared = new Map(docParams(template).map((param) => [param.name, param]))
  const parameters: UnitParameter[] = []
  for (const param of declared.values()) {
    const type = passed?.get(param.name) ?? (param.type === null ? null : docType(param.type)) ?? UNKNOWN
    parameters.push({ name: param.name, type, required: param.required, declared: true, span: param.span })
  }
  for (const [name, input] of inputs) {
    if (!declared.has(name))
      parameters.push({
        name,
        type: passed?.get(name) ?? UNKNOWN,
        required: input.required,
        declared: false,
        span: input.span,
      })
  }
  return { parameters, result }
}
