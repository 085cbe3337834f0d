/** The signatures of partials: their parameters and results, as inferred by the check. */
import type { UnitParameter } from '../../../core/model/signature.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { docType } from '../../../language/types/from-doc.ts'
import { docParams, type FaceSignature, type UnitFacts } from './facts.ts'

/** Returns the signature of a partial; undefined for a unit without a template. `passed`: the argument types joined over all callers. */
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
